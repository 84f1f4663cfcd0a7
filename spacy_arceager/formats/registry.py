"""All formats: the rows of the files in `inputs/`, `trees/` and `derivations/`."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from ..corpus.files import COMPRESSED
from ..errors import unknown_name
from . import derivations, inputs, trees
from .rows import DerivationFormat, InputFormat, OutputFormat, TreeFormat

Row = TypeVar("Row", InputFormat, TreeFormat, DerivationFormat)


def find_rows(folder: ModuleType, kind: type[Row]) -> dict[str, Row]:
    """The rows of all files in a folder, by the names of the formats."""
    names = (f"{folder.__name__}.{file.name}" for file in iter_modules(folder.__path__))
    values = (value for name in names for value in vars(import_module(name)).values())
    rows = (value for value in values if isinstance(value, kind))
    return {row.name: row for row in rows}


INPUTS = find_rows(inputs, InputFormat)
TREES = find_rows(trees, TreeFormat)
DERIVATIONS = find_rows(derivations, DerivationFormat)
# The formats of the command `parse`: tree formats, and derivation formats that need no gold tree.
PARSES: Mapping[str, OutputFormat] = {
    **TREES, **{row.parse_name: row for row in DERIVATIONS.values() if row.parse_name}
}

DEFAULT_INPUT = INPUTS["text"]
DEFAULT_PARSE = TREES["conllu"]


def find_tree_format(name: str) -> TreeFormat:
    """The tree format with a name.

    Raises:
        ValueError: If there is no such format.
    """
    if name not in TREES:
        raise ValueError(unknown_name(f"output_format={name!r}", name, TREES))
    return TREES[name]


def find_input_format(path: Path | None) -> InputFormat | None:
    """The format with the ending of a file, or None. Endings of compressions are ignored."""
    if path is None:
        return None
    ending = ending_of(path)
    return next((row for row in INPUTS.values() if ending in row.endings), None)


def find_parse_format(path: Path | None) -> OutputFormat:
    """The format of `parse` that alone has the ending of a file, or else the default."""
    ending = None if path is None else ending_of(path)
    rows = [row for row in PARSES.values() if row.ending == ending]
    return rows[0] if len(rows) == 1 else DEFAULT_PARSE


def ending_of(path: Path) -> str:
    """The ending of a name in small letters, before that of a compression; "" without one."""
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    return endings[-1] if endings else ""
