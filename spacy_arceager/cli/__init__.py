"""The command line: `arceager COMMAND`, or `python -m spacy_arceager COMMAND`.

Each command is a function in a file of its name, such as `parse` in `parse.py`. The other files
hold what commands share. Commands import spaCy and NumPy only when they run, so that `--help` is
fast.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import typer

from .info import version_option
from .values import PlainCommand, PlainGroup, name_values


def find_commands() -> Iterator[tuple[Callable[..., None], dict[str, Any]]]:
    """The functions that have the names of their files, with arguments for typer's `command`.

    A file gives such arguments by the variable `OPTIONS`.
    """
    for file in iter_modules(__path__):
        module = import_module(f"{__name__}.{file.name}")
        command = getattr(module, file.name, None)
        if callable(command):
            yield command, getattr(module, "OPTIONS", {})


app = typer.Typer(
    name="spacy_arceager",
    cls=PlainGroup,
    help="Transition-based dependency parsing for spaCy.\n\n"
    'Example: arceager parse "Nobody read them." --format tree',
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)
name_values(version_option)
app.callback()(version_option)
for _command, _options in find_commands():
    name_values(_command)
    app.command(cls=PlainCommand, **_options)(_command)

__all__ = ["app"]
