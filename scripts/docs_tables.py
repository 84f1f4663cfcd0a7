"""The tables of the documentation that the package has the rows of.

As a hook of mkdocs it puts the table of systems into docs/catalogue.md. As a command it writes the
tables of oracles and their options in docs/oracles.md anew, those of the component's settings, the
control parameters, hops and attributes in docs/settings.md, and those of file formats in
docs/formats.md.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from spacy_arceager.cli.info import SYSTEM_COLUMNS, describe_systems
from spacy_arceager.formats.registry import (
    table_of_derivations,
    table_of_inputs,
    table_of_parses,
)
from spacy_arceager.network.features import table_of_attributes, table_of_hops
from spacy_arceager.oracles.registry import table_of_options, table_of_oracles
from spacy_arceager.pipe.settings import table_of_settings
from spacy_arceager.systems.parameter_table import table_of_parameters

DOCS = Path(__file__).parents[1] / "docs"
TABLES = {
    "formats.md": (table_of_inputs, table_of_parses, table_of_derivations),
    "oracles.md": (table_of_oracles, table_of_options),
    "settings.md": (table_of_settings, table_of_parameters, table_of_hops, table_of_attributes),
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the table where a page has its mark."""
    return markdown.replace("<!-- systems -->", "\n".join(table_of_systems()))


def table_of_systems() -> list[str]:
    """The lines of the table, as `arceager info` has it."""
    rows = [SYSTEM_COLUMNS, ["---"] * len(SYSTEM_COLUMNS)]
    for name, *rest in describe_systems():
        rows.append([f"`{name}`", *(cell.replace("*", "\\*") for cell in rest)])
    return [f"| {' | '.join(row)} |" for row in rows]


def renew(markdown: str, table: Iterable[str]) -> str:
    """The page with a table in the place of the one that has the same first line."""
    first, *rest = table
    old = re.compile(rf"^{re.escape(first)}\n(?:\|.*\n)*", re.MULTILINE)
    return old.sub(lambda _: "\n".join([first, *rest, ""]), markdown)


if __name__ == "__main__":
    for name, tables in TABLES.items():
        page = (DOCS / name).read_text(encoding="utf8")
        for table in tables:
            page = renew(page, table())
        (DOCS / name).write_text(page, encoding="utf8")
