"""Makes the table of control parameters in docs/settings.md from their docstrings."""

import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from inspect import getdoc

from .control_parameters import ArcParameters, ControlParameters

# A line "name: meaning" in a section of a docstring, and its more deeply indented next lines.
ENTRY = re.compile(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


def table_of_parameters() -> Iterator[str]:
    """The lines of the table: the parameters of a system, then the parameters of its arcs."""
    yield "| parameter | default | |"
    yield "|---|---|---|"
    yield from rows_of(ControlParameters, "{}")
    yield from rows_of(ArcParameters, "left.{}", "right.{}")


def rows_of(owner: type, *names: str) -> Iterator[str]:
    """A line for each field of a dataclass; in `names`, {} stands for the name of the field."""
    meanings = dict(ENTRY.findall(getdoc(owner) or ""))
    for field in fields(owner):
        if field.name != "name":
            parameter = ", ".join(f"`{name.format(field.name)}`" for name in names)
            meaning = " ".join(meanings[field.name].split())
            quoted = re.sub(r'"\w+"', r"`\g<0>`", meaning)
            yield f"| {parameter} | {default_of(field)} | {quoted} |"


def default_of(field: Field) -> str:
    """The default of a field as a config writes it."""
    if field.default_factory is not MISSING:
        return "one, with the defaults"
    return "required" if field.default is MISSING else f"`{json.dumps(field.default)}`"
