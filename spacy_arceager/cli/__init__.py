"""The command line: `arceager COMMAND`, or `python -m spacy_arceager COMMAND`.

A command is a function in a file of its name here: the function `parse` in `parse.py`. The other
files are what commands share. Commands import spaCy when they run, not before: `--help` stays fast.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules

import typer

from .info import version_option


def find_commands() -> Iterator[Callable[..., None]]:
    """The functions that have the names of their files."""
    for file in iter_modules(__path__):
        command = getattr(import_module(f"{__name__}.{file.name}"), file.name, None)
        if callable(command):
            yield command


app = typer.Typer(
    name="spacy_arceager",
    help="Transition-based dependency parsing for spaCy.",
    no_args_is_help=True,
    add_completion=False,
)
app.callback()(version_option)
for _command in find_commands():
    app.command()(_command)

__all__ = ["app"]
