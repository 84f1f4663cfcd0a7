"""LAS and speed of several parsers in one picture. Needs matplotlib.

python -m benchmarks.accuracy_speed measure DEV_CONLLU FILE.json --pipeline NAME=FOLDER [...]
    [--exclude COMPONENT ...] [--same-blas]
python -m benchmarks.accuracy_speed add FILE.json NAME LAS WORDS_A_SECOND
python -m benchmarks.accuracy_speed draw FILE.json FILE.svg

`measure` is for pipelines of spaCy's, on one core: UD LAS with gold tokens, and words/s of all
their components, Docs given, as they come, the median of repetitions in turn. `add` is for parsers
in other environments (peers.py), which print their words/s and whose trees `udeval` scores. What
the file has already is kept; a name that is measured again is replaced.
"""

from pathlib import Path
from statistics import median
from typing import Annotated, TypedDict

import spacy
import srsly
import typer

from replication.drawing import COLOURS, GRAY, drawing
from replication.trainings import parse_dev
from spacy_arceager.evaluation.scorer import make_parser_scorer

from .common import describe_machine, use_default_ops
from .speed import pipeline_rate

OURS, PEERS = "spacy_arceager", "others"
app = typer.Typer()


class Point(TypedDict):
    """One parser. group: OURS or PEERS; las: from 0 to 1."""

    name: str
    group: str
    las: float
    words_per_second: float
    machine: dict[str, str]


@app.command()
def measure(
    dev: Path,
    file: Path,
    pipeline: Annotated[list[str], typer.Option(help="NAME=FOLDER")],
    exclude: Annotated[list[str] | None, typer.Option(help="Component to leave out")] = None,
    repetitions: int = 5,
    same_blas: Annotated[bool, typer.Option(help="NumPy's BLAS for spaCy's side too")] = False,
) -> None:
    """Measure trained pipelines, and write or update FILE."""
    folders = {name: Path(folder) for name, _, folder in (one.partition("=") for one in pipeline)}
    las = {name: find_las(folder, dev) for name, folder in folders.items()}
    pipelines = {}
    for name, folder in folders.items():
        use_default_ops(same_blas)      # ours have set others
        pipelines[name] = spacy.load(folder, exclude=exclude or [])
    rates: dict[str, list[float]] = {name: [] for name in pipelines}
    for _ in range(repetitions):
        for name, nlp in pipelines.items():
            rates[name].append(pipeline_rate(nlp, dev))
    machine = describe_machine()
    save(file, [
        Point(
            name=name, group=OURS if "arceager_parser" in nlp.pipe_names else PEERS,
            las=las[name], words_per_second=median(rates[name]), machine=machine,
        )
        for name, nlp in pipelines.items()
    ])


def find_las(folder: Path, dev: Path) -> float:
    """UD LAS with gold tokens, a sentence a Doc."""
    return float(make_parser_scorer()(parse_dev(folder, dev).examples)["dep_las_ud"])


@app.command()
def add(file: Path, name: str, las: float, words_per_second: float) -> None:
    """Add a parser that is none of spaCy's pipelines; las: in percent, as `udeval` prints it."""
    save(file, [Point(
        name=name, group=PEERS, las=las / 100, words_per_second=words_per_second,
        machine=describe_machine(),
    )])


def save(file: Path, new: list[Point]) -> None:
    """Print the points, and put them in the place of those of their names."""
    names = {point["name"] for point in new}
    for point in new:
        print(f"{point['name']}: LAS {100 * point['las']:.2f}, "
              f"{point['words_per_second']:,.0f} words/s")
    old = srsly.read_json(file) if file.exists() else []
    srsly.write_json(file, [*(point for point in old if point["name"] not in names), *new])


@app.command()
def draw(file: Path, path: Path) -> None:
    """Draw FILE as SVG: better parsers are above, faster ones to the right."""
    points: list[Point] = srsly.read_json(file)
    with drawing(path, figsize=(7.5, 4)) as axes:
        for group, colour in zip((OURS, PEERS), (COLOURS[0], GRAY)):
            own = [point for point in points if point["group"] == group]
            axes.scatter(
                [point["words_per_second"] for point in own],
                [100 * point["las"] for point in own], color=colour, label=group,
            )
            for point in own:
                axes.annotate(
                    point["name"], (point["words_per_second"], 100 * point["las"]),
                    xytext=(6, 4), textcoords="offset points", color=colour, fontsize=8,
                )
        axes.margins(x=0.2, y=0.1)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_xlabel("words a second on one core")
        axes.set_ylabel("UD LAS")
        axes.legend(frameon=False, loc="lower right")


if __name__ == "__main__":
    app()
