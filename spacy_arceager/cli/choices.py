"""Options whose values are rows of a table: formats by their names."""

from collections.abc import Mapping
from typing import Any

import typer


def choice(*names: str, rows: Mapping[str, Any], note: str = "") -> Any:
    """An option that takes the name of a row, and gives the row.

    Args:
        names: of the option.
        rows: what can be chosen, by name. The help text is made of their help.
        note: what the help text says in the end.
    """
    def find(name: Any) -> Any:
        if name in rows.values():    # the default
            return name
        if name not in rows:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(rows)}.")
        return rows[name]

    texts = [f"{name}: {row.help}" for name, row in rows.items()]
    return typer.Option(
        *names, parser=find, metavar="FORMAT", help=" ".join([*texts, note]).strip()
    )
