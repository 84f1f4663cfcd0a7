"""A hook of mkdocs: writes the table of systems into docs/catalogue.md."""

from typing import Any

from spacy_arceager.cli.info import SYSTEM_COLUMNS, describe_systems


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the table where a page has its mark."""
    return markdown.replace("<!-- systems -->", "\n".join(table_of_systems()))


def table_of_systems() -> list[str]:
    """The lines of the table, as `arceager info` has it."""
    rows = [SYSTEM_COLUMNS, ["---"] * len(SYSTEM_COLUMNS)]
    for name, *rest in describe_systems():
        rows.append([f"`{name}`", *(cell.replace("*", "\\*") for cell in rest)])
    return [f"| {' | '.join(row)} |" for row in rows]
