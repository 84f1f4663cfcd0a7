"""Draw the tables of paper_tables.py that are curves. Needs matplotlib.

python benchmarks/paper_plots.py FOLDER [--output docs]

FOLDER is the --output of paper_tables.py, where 004-figure-3.json, 004-2.json and beam-width.json
are drawn, those that are there: means over seeds, with the range of the seeds.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Annotated, Any, NamedTuple

import srsly
import typer
from drawing import COLOURS, drawing


class Plot(NamedTuple):
    """What of a table is drawn.

    Attributes:
        axis: what its rows differ in.
        rows: its rows that are drawn, and what stands on the axis for them.
        scores: the scores, and their names.
    """

    axis: str
    rows: Mapping[str, str]
    scores: Mapping[str, str]


def numbered(letter: str, numbers: Sequence[int | str]) -> dict[str, str]:
    return {f"{letter} = {number}": str(number) for number in numbers}


LAS = {"dep_las_ud": "LAS"}
PLOTS = {
    "004-figure-3": Plot(
        "K, the number of active words", numbered("K", [2, 3, 4, 5, 6, 8, 12, 16, 24, 32, "∞"]), LAS
    ),
    "004-2": Plot(
        "D, the distance of arcs", {f"D = {d}, K = ∞": str(d) for d in range(1, 8)},
        {**LAS, "dep_crossing_recall": "recall of crossing arcs"},
    ),
    "beam-width": Plot("width of the beam", numbered("width", [1, 2, 4, 8, 16, 32]), LAS),
}


def main(
    folder: Annotated[Path, typer.Argument(help="Of paper_tables.py")],
    output: Annotated[Path, typer.Option(help="Where the SVGs go")] = Path("docs"),
) -> None:
    """Draw each table of `PLOTS` that the folder has."""
    for name, plot in PLOTS.items():
        source = folder / f"{name}.json"
        if source.exists():
            draw(srsly.read_json(source), plot, output / f"paper-{name}.svg")
            print(output / f"paper-{name}.svg")


def draw(table: Mapping[str, Any], plot: Plot, path: Path) -> None:
    """One curve for each treebank, one field for each score."""
    treebanks = list(dict.fromkeys(one["treebank"] for one in table["trainings"]))
    n = len(plot.scores)
    with drawing(path, ncols=n, squeeze=False, figsize=(4.5 * n, 3.5)) as fields:
        for axes, (key, name) in zip(fields[0], plot.scores.items()):
            for treebank, colour in zip(treebanks, COLOURS):
                points = find_points(table, plot.rows, treebank, key)
                draw_curve(axes, points, colour, treebank)
            axes.set_xlabel(plot.axis)
            axes.set_ylabel(name)
            axes.legend(frameon=False)


def find_points(
    table: Mapping[str, Any], rows: Mapping[str, str], treebank: str, key: str
) -> dict[str, list[float]]:
    """The scores of all seeds, in percent, for each place on the axis that has any."""
    found = {
        place: [
            100 * one["scores"][key] for one in table["trainings"]
            if one["treebank"] == treebank and one["model"] == table["rows"].get(row)
        ]
        for row, place in rows.items()
    }
    return {place: values for place, values in found.items() if values}


def draw_curve(axes: Any, points: Mapping[str, Sequence[float]], colour: str, name: str) -> None:
    """Means over seeds, the range of the seeds behind them."""
    places = list(points)
    axes.plot(places, [mean(points[place]) for place in places], "o-", color=colour, label=name)
    low, high = ([pick(points[place]) for place in places] for pick in (min, max))
    axes.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)


if __name__ == "__main__":
    typer.run(main)
