"""The pipeline that a command works with."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..processes.pipeline import Source
from .messages import fail

if TYPE_CHECKING:
    from spacy import Language

HINT = (
    "Give the name of a pipeline that comes with spacy_arceager ('en'), the name "
    "of an installed pipeline package, or the folder of a trained pipeline "
    "(such as the folder 'model-best' that 'spacy train' writes)."
)

ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME_OR_PATH",
        help="Pipeline that comes with spacy_arceager, installed pipeline, or folder.",
    ),
]
BatchSizeOption = Annotated[int | None, typer.Option(min=1, help="Documents to parse at once.")]
ProcessesOption = Annotated[
    int, typer.Option(min=-1, help="Processes to parse with; -1: one a CPU core.")
]
CodeOption = Annotated[
    list[Path], typer.Option(help="Python file with functions that the pipeline needs.")
]


def load_pipeline(source: str | Source) -> "Language":
    """Load a pipeline by name, path or source; end the command if that fails."""
    source = Source(source) if isinstance(source, str) else source
    if Path(source.model).is_file():
        fail("This is a file, and no pipeline.", f"{source.model}\n{HINT}")
    try:
        return source.load()
    except Exception as error:  # noqa: BLE001 (of damaged files, libraries raise anything)
        if Path(source.model).is_file():
            fail("Cannot load the pipeline.", f"{source.model} is a file and no pipeline.\n{HINT}")
        is_plain = isinstance(error, (OSError, ValueError, ImportError))
        reason = f"{error}" if is_plain else f"{type(error).__name__}: {error}"
        fail("Cannot load the pipeline.", f"{source.model}: {reason}\n{HINT}")
