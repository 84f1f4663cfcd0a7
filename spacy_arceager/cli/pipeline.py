"""How a command loads its pipeline, and the options for that."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import did_you_mean
from ..processes import pipeline
from ..processes.pipeline import Source
from ..systems.ud_rules import RULES
from .files import is_file, is_folder
from .messages import fail
from .values import one_of

if TYPE_CHECKING:
    from spacy import Language

HINT = (
    "Give the name of a pipeline that comes with spacy_arceager ('en'), the name "
    "of an installed pipeline package, or the folder of a trained pipeline "
    "(such as the folder 'model-best' that 'spacy train' writes)."
)

CODE_HINT = "If it is your own, give the Python file that registers it: --code FILE."

TRAINED = ("model-best", "model-last")  # what `spacy train` writes to its folder

ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME_OR_PATH",
        help="Pipeline: 'en', which comes with spacy_arceager, or a package, or a folder.",
    ),
]
BatchSizeOption = Annotated[
    int | None, typer.Option(min=1, help="How many documents are parsed at once.")
]
ProcessesOption = Annotated[
    int, typer.Option(min=-1, help="Number of processes. -1 stands for one for each CPU core.")
]
ValidOption = Annotated[
    str | None,
    typer.Option(
        "--valid",
        parser=one_of(RULES),
        metavar="|".join(RULES),
        help="ud: let trees keep the rules of Universal Dependencies about dependents, as its "
        "validator checks them. The pipeline must find UPOS tags before it parses.",
    ),
]
CodeOption = Annotated[
    list[Path], typer.Option(help="Python file with functions that the pipeline or config needs.")
]


def import_code(code: list[Path]) -> None:
    """Import the files of --code. If that fails, the command ends."""
    try:
        pipeline.import_code([*map(str, code)])
    except Exception as error:  # noqa: BLE001 (the code of a user may raise any error)
        fail("Cannot import the file of --code.", f"{type(error).__name__}: {error}")


def load_pipeline(source: str | Source) -> "Language":
    """Load a pipeline by its name, path or source. If that fails, the command ends."""
    source = Source(source) if isinstance(source, str) else source
    if is_file(source.model):
        fail("This is a file, not a pipeline.", f"{source.model}\n{HINT}")
    try:
        pipeline.check_code(source.code)
    except FileNotFoundError as error:
        fail("Cannot load the pipeline.", str(error))
    try:
        return source.load()
    except Exception as error:  # noqa: BLE001 (libraries raise any error for damaged files)
        is_plain = isinstance(error, (OSError, ValueError, ImportError))
        reason = f"{error}" if is_plain else f"{type(error).__name__}: {error}"
        reason += _similar_pipeline(source.model)
        fail("Cannot load the pipeline.", f"{source.model}: {explain(reason, HINT)}")


def explain(reason: str, hint: str = "") -> str:
    """An error with a hint. Where spaCy misses a function or component, the hint is --code."""
    missing, names, _ = reason.partition("\n\nAvailable ")   # all others, in E893 and E002
    if names:
        reason, hint = missing, CODE_HINT
    return f"{reason}\n{hint}" if hint else reason


def _similar_pipeline(name: str) -> str:
    """The end of a message about a pipeline that is not there."""
    if is_folder(name):
        inside = [path for path in TRAINED if Path(name, path, "meta.json").is_file()]
        return f". Do you mean '{Path(name, inside[0])}'?" if inside else ""
    from spacy.util import get_installed_models

    from .. import SHIPPED

    return did_you_mean(name, [*SHIPPED, *get_installed_models()]).removeprefix(".")
