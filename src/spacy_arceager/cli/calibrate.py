"""The command `calibrate`: make confidences mean what they say."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from .evaluate import read_examples
from .messages import fail, printer
from .pipeline import HINT, load_pipeline

if TYPE_CHECKING:
    from spacy import Language
    from spacy.training import Example

    from ..pipe.component import ArcEagerParser


class Predictions(NamedTuple):
    """Of all words that have a gold head: how sure the parser was, and whether it was right."""

    confidences: list[float]
    right: list[bool]


def calibrate(
    model: Annotated[
        str, typer.Argument(metavar="NAME_OR_PATH", help="Pipeline to calibrate. " + HINT)
    ],
    path: Annotated[
        Path,
        typer.Argument(metavar="TREEBANK", help="Trees that it was not trained on; as `evaluate`."),
    ],
    output_path: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for the pipeline with its new temperature."),
    ] = None,
    sentences_per_doc: Annotated[
        int, typer.Option(min=1, help="Sentences that make up a document, of CoNLL-U.")
    ] = 1,
) -> None:
    """Find the temperature at which the confidence of heads is nearest to their accuracy.

    Prints how sure the parser is and how often it is right, before and after. Exit codes: 0 done,
    1 an input failed, 2 wrong usage.
    """
    from ..evaluation.calibration import find_temperature, log_loss
    from ..pipe.derived import find_parser

    nlp = load_pipeline(model)
    try:
        parser, unused = find_parser(nlp)
    except ValueError as error:
        fail("Cannot calibrate.", str(error))
    examples = read_examples(path, nlp, sentences_per_doc)
    found: dict[float, Predictions] = {}

    def loss(temperature: float) -> float:
        found[temperature] = _predict(nlp, parser, unused[1:], examples, temperature)
        if not found[temperature].right:
            fail("Cannot calibrate.", f"{path}: there are no gold heads.")
        return log_loss(*found[temperature])

    best = find_temperature(loss)
    for temperature in dict.fromkeys((1.0, best)):
        _print(temperature, found[temperature])
    if output_path is not None:
        _save(nlp, unused[0], best, output_path)


def _predict(
    nlp: "Language",
    parser: "ArcEagerParser",
    unused: list[str],
    examples: list["Example"],
    temperature: float,
) -> Predictions:
    from ..training.gold_trees import gold_sentences

    kept = parser.confidence, parser.temperature
    parser.confidence, parser.temperature = True, temperature
    confidences, right = [], []
    docs = nlp.pipe((example.predicted.copy() for example in examples), disable=unused)
    for doc, example in zip(docs, examples, strict=True):
        for sentence in gold_sentences(example):
            for word, head in zip(sentence.words.tolist(), sentence.heads.tolist()):
                sure = doc[word]._.arceager_confidence
                if head >= 0 and sure is not None:
                    confidences.append(sure)
                    right.append(doc[word].head.i == sentence.words[head])
    parser.confidence, parser.temperature = kept
    return Predictions(confidences, right)


def _print(temperature: float, found: Predictions) -> None:
    from ..evaluation.calibration import bins, calibration_error

    error = calibration_error(*found)
    typer.echo(
        f"Temperature {temperature:.3f}: expected calibration error {100 * error:.2f} % "
        f"over {len(found.right)} words"
    )
    rows = [
        (one.size, f"{100 * one.confidence:.1f}", f"{100 * one.accuracy:.1f}")
        for one in bins(*found)
    ]
    header = ("words", "confidence", "right")
    typer.echo(printer.table(rows, header=header, divider=True, aligns=("r", "r", "r")))


def _save(nlp: "Language", name: str, temperature: float, path: Path) -> None:
    from thinc.api import Config

    try:
        nlp.to_disk(path)
        # What a component is made with stands in the config.
        config = Config().from_disk(path / "config.cfg", interpolate=False)
        config["components"][name]["temperature"] = temperature
        config.to_disk(path / "config.cfg")
    except OSError as error:
        fail("Cannot write the pipeline.", f"{path}: {error}")
