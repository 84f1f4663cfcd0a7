"""The command line: `arceager COMMAND`, or `python -m spacy_arceager COMMAND`.

A command is a function in a file of its name here: the function `parse` in `parse.py`. The other
files are what commands share. Commands import spaCy when they run, not before: `--help` stays fast.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import typer

from .info import version_option


def find_commands() -> Iterator[tuple[Callable[..., None], dict[str, Any]]]:
    """The functions that have the names of their files, and how typer is to register each.

    A file says the latter by `OPTIONS`, if it is not as usual.
    """
    for file in iter_modules(__path__):
        module = import_module(f"{__name__}.{file.name}")
        command = getattr(module, file.name, None)
        if callable(command):
            yield command, getattr(module, "OPTIONS", {})


app = typer.Typer(
    name="spacy_arceager",
    help="Transition-based dependency parsing for spaCy.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)
app.callback()(version_option)
for _command, _options in find_commands():
    app.command(**_options)(_command)

__all__ = ["app"]
