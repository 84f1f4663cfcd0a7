"""The command line: `python -m spacy_arceager COMMAND`.

Each command is a function in a module of its own, registered here. Commands
import spaCy when they run, not before: `--help` stays fast.
"""

import typer

from .derive import derive
from .evaluate import evaluate
from .info import info
from .inspect import inspect
from .parse import parse

app = typer.Typer(
    name="spacy_arceager",
    help="Transition-based dependency parsing for spaCy.",
    no_args_is_help=True,
    add_completion=False,
)
app.command()(parse)
app.command()(evaluate)
app.command()(inspect)
app.command()(derive)
app.command()(info)

__all__ = ["app"]
