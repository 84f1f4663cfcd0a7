"""The command `calibrate`: find the temperature at which confidences are right."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from .files import is_file, is_folder
from .messages import fail, printer, progress, report, warn
from .outputs import show
from .pipeline import HINT, CodeOption, import_code, load_pipeline
from .treebank import SentencesPerDocOption, TreebankDocuments

if TYPE_CHECKING:
    from ..pipe.calibration import Predictions


def calibrate(
    model: Annotated[
        str, typer.Argument(metavar="NAME_OR_PATH", help="Pipeline to calibrate. " + HINT)
    ],
    path: Annotated[
        Path,
        typer.Argument(
            metavar="TREEBANK",
            help="Trees that the pipeline was not trained on: a CoNLL-U file, a folder, a pattern, "
            "or a .spacy file.",
        ),
    ],
    output_path: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for the pipeline with the new temperature."),
    ] = None,
    sentences_per_doc: SentencesPerDocOption = 1,
    code: CodeOption = [],
) -> None:
    """Find the temperature at which the confidence of heads fits their accuracy best.

    Prints how sure the parser is and how often it is right, at temperature 1 and at the best one.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager calibrate en tests/data/en_small-dev.conllu --output calibrated
    """
    from ..pipe.calibration import calibrate as calibrate_pipeline
    from ..pipe.component import find_parser

    refuse_other_folder(output_path)
    import_code(code)
    nlp = load_pipeline(model)
    try:
        find_parser(nlp)
    except ValueError as error:
        fail("Cannot calibrate.", f"{model}: {error}")
    try:
        examples = TreebankDocuments(path, sentences_per_doc).read(nlp)
        predictions = calibrate_pipeline(
            nlp, examples, lambda docs: progress(docs, len(examples), "documents")
        )
    except ValueError as error:
        fail("Cannot calibrate.", f"{path}: {error}")
    for temperature in dict.fromkeys((1.0, find_parser(nlp)[0].temperature)):
        _print(temperature, predictions[temperature])
    if output_path is None:
        warn("Nothing is saved: --output FOLDER saves the pipeline with the new temperature.")
        return
    try:
        nlp.to_disk(output_path)
    except OSError as error:
        fail("Cannot write the pipeline.", f"{output_path}: {error}")
    report(
        f"Saved the pipeline to {output_path}. To parse with it:",
        f"arceager parse --model {quote(str(output_path))} --confidence --input texts.txt",
    )


def refuse_other_folder(path: Path | None) -> None:
    """Raise typer.BadParameter for stdout, and for a folder that has files, but no pipeline."""
    if str(path) == "-":
        raise typer.BadParameter("--output is a folder, and - stands for stdout.")
    if path is None or not is_folder(path) or is_file(path / "config.cfg"):
        return
    if any(path.iterdir()):
        raise typer.BadParameter(f"--output {path} has files that are no pipeline.")


def _print(temperature: float, predictions: "Predictions") -> None:
    from ..evaluation.calibration import bins, describe_error

    show(describe_error(temperature, *predictions))
    rows = [
        (group.size, f"{100 * group.confidence:.1f}", f"{100 * group.accuracy:.1f}")
        for group in bins(*predictions)
    ]
    header = ("words", "confidence", "right")
    show(printer.table(rows, header=header, divider=True, aligns=("r", "r", "r")))
