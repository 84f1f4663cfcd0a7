"""The pipeline that a command works with."""

from typing import TYPE_CHECKING, Annotated

import typer

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


def load_pipeline(name: str) -> "Language":
    """Load a pipeline by name or path; end the command if that fails."""
    import spacy_arceager

    try:
        return spacy_arceager.load(name)
    except (OSError, ValueError, ImportError) as error:
        fail("Cannot load the pipeline.", f"{name}: {error}\n{HINT}")
