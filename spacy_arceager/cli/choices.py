"""Options whose values are formats, given by their names."""

from collections.abc import Mapping
from typing import Any

import typer

from ..errors import did_you_mean


def choice(*names: str, rows: Mapping[str, Any], note: str = "") -> Any:
    """An option that takes the name of a format and passes the row of the format.

    Args:
        names: the names of the option, such as "--format" and "-f".
        rows: the rows of the formats by their names. The help text is made of their help texts.
        note: the last sentence of the help text.
    """
    def find(name: Any) -> Any:
        if name in rows.values():    # the default
            return name
        if name not in rows:
            raise typer.BadParameter(
                f"{name!r} is not one of {', '.join(rows)}{did_you_mean(str(name), rows)}"
            )
        return rows[name]

    texts = [f"{name}: {row.help}" for name, row in rows.items()]
    return typer.Option(
        *names, parser=find, metavar="FORMAT", help=" ".join([*texts, note]).strip()
    )
