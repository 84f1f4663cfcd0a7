"""Draw the papers' experiments that are on record. Needs matplotlib.

python -m replication.paper_plots [--output docs]

`PLOTS` says which tables of record/ are drawn, and how.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

from spacy_arceager.evaluation.significance import TTest, degrees_of_freedom

from .drawing import COLOURS, GRAY, drawing
from .figures import Figure, read_figures
from .record import find_base

Part = Literal["group", "row", "column"]


class Plot(NamedTuple):
    """One field of a drawing: curves, or points beside each other, of a table on record.

    Attributes:
        table: its name.
        title: above the field.
        score: what is drawn upwards, and its name.
        score_in: the part of a `Figure` that says which score it is.
        place: a pattern; what it catches, or all, stands on the axis to the right.
        place_in: the part of a `Figure` that the pattern is for.
        axis: the name of this axis.
        series: a pattern of what has a colour of its own, in the third part.
        differences: draw the differences, with a 95 % interval, and not the scores.
        curves: join the places by lines.
        same_weights: the places are searches of the same weights, whose spreads say nothing of the
            difference.
    """

    table: str
    title: str
    score: tuple[str, str]
    score_in: Part
    place_in: Part
    axis: str = ""
    place: str = r"(?!Average)(.+)"
    series: str = r"(?!Average).+"
    differences: bool = False
    curves: bool = True
    same_weights: bool = False


AGAINST = "difference in {} to {}".format
PLOTS = {
    "000-constraint": [
        Plot("000-1-recommended", "words left over at the end", ("", "right heads, %"), "group",
             "row", series="Recall .*", curves=False),
        Plot("000-2-recommended", "with the tree constraint", ("", AGAINST("LAS", "without")),
             "group", "row", series="LAS new", place=r"(?!all)(.+)", differences=True,
             curves=False),
    ],
    "001-non-monotonic": [
        Plot("001-4-recommended", "no tree constraint", ("UAS", AGAINST("UAS", "monotonic")),
             "group", "row", series=r"NM L\+D", differences=True, curves=False),
        Plot("001-constraint-recommended", "tree constraint",
             ("UAS", AGAINST("UAS", "monotonic")), "column", "group", series=r"NM L\+D",
             differences=True, curves=False),
    ],
    "003-swap": [
        Plot("003-1-recommended", "", ("LAS", AGAINST("LAS", "S-Dy")), "group", "row",
             series="Static|PProj|Proj", differences=True, curves=False),
    ],
    "004-figure-3": [
        Plot("004-figure-3-recommended", "", ("LAS", AGAINST("LAS", "K = 2")), "column", "row",
             place=r"K = (\S+)", axis="K, the number of active words", differences=True),
    ],
    "004-2": [
        Plot("004-2-recommended", "", ("LAS", AGAINST("LAS", "D = 1")), "column", "row",
             place=r"D = (\S+), K = ∞", axis="D, the distance of arcs", differences=True),
        Plot("004-2-recommended", "", ("CUR", "recall of crossing arcs"), "column", "row",
             place=r"D = (\S+), K = ∞", axis="D, the distance of arcs"),
    ],
    "beam-width": [
        Plot("beam-width-recommended", "", ("LAS", AGAINST("LAS", "greedy search")), "column",
             "row", place=r"width = (\S+)", axis="width of the beam", differences=True,
             same_weights=True),
    ],
}


class Point(NamedTuple):
    """Where a figure stands, and how far up and down its bar goes (0 without one)."""

    place: str
    value: float
    reach: float


def main(output: Annotated[Path, typer.Option(help="Where the SVGs go")] = Path("docs")) -> None:
    """Draw all of `PLOTS`."""
    for name, plots in PLOTS.items():
        path = output / f"paper-{name}.svg"
        n = len(plots)
        alike = len({plot.score for plot in plots}) == 1
        layout = {"ncols": n, "squeeze": False, "sharey": alike, "figsize": (4.5 * n, 3.5)}
        with drawing(path, **layout) as fields:
            for axes, plot in zip(fields[0], plots, strict=True):
                draw(axes, plot, read_figures("replication", plot.table))
        print(path)


def draw(axes: Any, plot: Plot, figures: Iterable[Figure]) -> None:
    """One field."""
    series = find_series(plot, list(figures))
    shift = 0.0 if plot.curves else 0.8 / (len(series) + 1)
    places = list(dict.fromkeys(point.place for points in series.values() for point in points))
    for i, ((name, points), colour) in enumerate(zip(series.items(), cycle(COLOURS))):
        aside = (i - (len(series) - 1) / 2) * shift
        bars = [point.reach for point in points]
        axes.errorbar(
            [places.index(point.place) + aside for point in points],
            [point.value for point in points], yerr=bars if any(bars) else None,
            fmt="o-" if plot.curves else "o", color=colour, label=name, capsize=2,
        )
    axes.set_xticks(range(len(places)), places)
    axes.set_xlabel(plot.axis)
    axes.set_ylabel(plot.score[1])
    axes.set_title(plot.title, fontsize="medium")
    if plot.differences:
        axes.axhline(0, color=GRAY, linewidth=1)
    if len(series) > 1:
        axes.legend(frameon=False, ncols=3, fontsize="small")


def find_series(plot: Plot, figures: list[Figure]) -> Mapping[str, list[Point]]:
    """The points of each colour, in the order of the record."""
    found: dict[str, list[Point]] = {}
    for name, place, figure in match(plot, figures):
        value = figure.difference if plot.differences else figure.value
        # The base of a curve is its zero.
        if value or plot.curves:
            reach = find_reach(plot, figure, figures)
            found.setdefault(name, []).append(Point(place, float(value or 0), reach))
    return found


def match(plot: Plot, figures: Iterable[Figure]) -> Iterator[tuple[str, str, Figure]]:
    """The figures that are drawn, each with its colour's name and its place."""
    parts: set[Part] = {"group", "row", "column"}
    (series_in,) = parts - {plot.score_in, plot.place_in}
    for figure in figures:
        name = getattr(figure, series_in)
        place = re.fullmatch(plot.place, getattr(figure, plot.place_in))
        score = getattr(figure, plot.score_in)
        if figure.value and place and score == plot.score[0] and re.fullmatch(plot.series, name):
            yield name, place[1], figure


def find_reach(plot: Plot, figure: Figure, figures: list[Figure]) -> float:
    """The standard deviation of a score, or half of Welch's 95 % interval of a difference.

    0 where the record has no spread, and where it says nothing of the difference.
    """
    if not plot.differences:
        return float(figure.spread or 0)
    base = find_base(figure, figures)
    if base is figure or plot.same_weights or not (base and base.has_seeds and figure.has_seeds):
        return 0.0
    parts = [(float(one.spread) ** 2 / int(one.trainings), int(one.trainings) - 1)
             for one in (figure, base)]
    variance = sum(part for part, _ in parts)
    return TTest(0.0, variance**0.5, degrees_of_freedom(variance, parts)).interval[1]


if __name__ == "__main__":
    typer.run(main)
