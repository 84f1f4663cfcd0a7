"""Draw how often a parser is right where it is so and so sure. Needs matplotlib.

python -m replication.confidence_plot MODEL DEV_CONLLU [--output FILE.json] [--drawing FILE.svg]

The reliability diagram of Guo et al. (2017): the words of a treebank, sorted into bins by the
confidence of their heads, with the share of heads that are right. Once at temperature 1 and once at
that of `arceager calibrate`, which is found on the same words.
"""

from pathlib import Path
from typing import Annotated, Any, TypedDict

import srsly
import typer

import spacy_arceager
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.evaluation.calibration import Bin, bins, calibration_error, describe_error
from spacy_arceager.pipe.calibration import Predictions, calibrate
from spacy_arceager.pipe.component import find_parser

from .drawing import COLOURS, GRAY, drawing

N_BINS = 20
FEWEST = 20     # words, of which a share is drawn


class Curve(TypedDict):
    """What is drawn at one temperature; shares from 0 to 1."""

    temperature: float
    words: int
    calibration_error: float
    bins: list[Bin]


def main(
    model: Annotated[str, typer.Argument(help="Pipeline, as of `arceager parse`")],
    path: Annotated[Path, typer.Argument(help="Trees that it was not trained on")],
    output: Annotated[Path | None, typer.Option(help="Figures, as JSON")] = None,
    drawing: Annotated[Path | None, typer.Option(help="SVG")] = None,
) -> None:
    """Print the calibration error at both temperatures; write what is asked for."""
    nlp = spacy_arceager.load(model)
    found = calibrate(nlp, list(ConlluCorpus(path)(nlp)))
    temperatures = dict.fromkeys((1.0, find_parser(nlp)[0].temperature))
    curves = [measure(temperature, found[temperature]) for temperature in temperatures]
    for temperature in temperatures:
        print(describe_error(temperature, *found[temperature]))
    if output is not None:
        rows = [{**curve, "bins": [one._asdict() for one in curve["bins"]]} for curve in curves]
        srsly.write_json(output, rows)
    if drawing is not None:
        draw(curves, drawing)


def measure(temperature: float, found: Predictions) -> Curve:
    return Curve(
        temperature=temperature,
        words=len(found.right),
        calibration_error=calibration_error(*found),
        bins=bins(*found, n_bins=N_BINS),
    )


def draw(curves: list[Curve], path: Path) -> None:
    """Accuracy against confidence, and below it how many words are so sure."""
    layout = {"sharex": True, "figsize": (6, 6), "height_ratios": (3, 1)}
    with drawing(path, nrows=2, **layout) as (above, below):
        above.plot((0, 1), (0, 1), color=GRAY, linestyle=":", label="as sure as right")
        for place, (curve, colour) in enumerate(zip(curves, COLOURS)):
            draw_curve(curve, place, colour, (above, below))
        above.set_ylabel("share of heads that are right")
        above.legend(frameon=False)
        above.set_ylim(0, 1)
        below.set_ylabel("share of words")
        below.set_xlabel("confidence of the head")
        below.set_yscale("log")
        below.set_xlim(0, 1)


def draw_curve(curve: Curve, place: int, colour: str, axes: tuple[Any, Any]) -> None:
    """One temperature, the bars at its place beside those of the other."""
    above, below = axes
    width = 0.4 / N_BINS
    label = (
        f"temperature {curve['temperature']:.2f}, "
        f"error {100 * curve['calibration_error']:.1f} %"
    )
    drawn = [(one.confidence, one.accuracy) for one in curve["bins"] if one.size >= FEWEST]
    above.plot(
        [x for x, _ in drawn], [y for _, y in drawn], "o-", color=colour, label=label,
        clip_on=False,
    )
    starts = [int(one.confidence * N_BINS) / N_BINS for one in curve["bins"]]
    below.bar(
        [start + (0.5 + place) * width + 0.1 / N_BINS for start in starts],
        [one.size / curve["words"] for one in curve["bins"]], width, color=colour,
    )


if __name__ == "__main__":
    typer.run(main)
