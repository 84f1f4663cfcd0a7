"""The command line: `python -m spacy_arceager COMMAND`.

Each command is a function in a module of its own, registered here. Commands
import spaCy when they run, not before: `--help` stays fast.
"""

import typer

from .calibrate import calibrate
from .compare import compare
from .convert_config import convert_config
from .derive import derive
from .evaluate import evaluate
from .info import info, version_option
from .init_config import init_config
from .inspect import inspect
from .parse import parse
from .select import select
from .spark import spark
from .train import ANY_ARGUMENTS, train

app = typer.Typer(
    name="spacy_arceager",
    help="Transition-based dependency parsing for spaCy.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)
app.callback()(version_option)
app.command()(parse)
app.command()(spark)
app.command()(evaluate)
app.command()(compare)
app.command()(calibrate)
app.command()(select)
app.command()(inspect)
app.command()(derive)
app.command()(info)
app.command()(init_config)
app.command()(convert_config)
app.command(hidden=True, context_settings=ANY_ARGUMENTS)(train)

__all__ = ["app"]
