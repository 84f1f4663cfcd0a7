"""Draw the tables of paper_tables.py that are curves. Needs matplotlib.

python -m replication.paper_plots FOLDER [--output docs]

FOLDER is the --output of paper_tables.py, where 004-figure-3.json, 004-2.json and beam-width.json
are drawn, those that are there: means over seeds, with the range of the seeds.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from statistics import mean
from typing import Annotated, Any, NamedTuple

import srsly
import typer

from .drawing import COLOURS, drawing


class Plot(NamedTuple):
    """What of a table is drawn.

    Attributes:
        axis: what its rows differ in.
        row: a pattern of the rows that are drawn; its group stands on the axis for them.
        scores: the scores, and their names.
    """

    axis: str
    row: str
    scores: Mapping[str, str]


LAS = {"dep_las_ud": "LAS"}
PLOTS = {
    "004-figure-3": Plot("K, the number of active words", r"K = (\S+)", LAS),
    "004-2": Plot(
        "D, the distance of arcs", r"D = (\S+), K = ∞",
        {**LAS, "dep_crossing_recall": "recall of crossing arcs"},
    ),
    "beam-width": Plot("width of the beam", r"width = (\S+)", LAS),
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
            for treebank, colour in zip(treebanks, cycle(COLOURS)):
                points = find_points(table, plot.row, treebank, key)
                draw_curve(axes, points, colour, treebank)
            axes.set_xlabel(plot.axis)
            axes.set_ylabel(name)
            axes.legend(frameon=False)


def find_points(
    table: Mapping[str, Any], row: str, treebank: str, key: str
) -> dict[str, list[float]]:
    """The scores of all seeds, in percent, for each place on the axis that has any."""
    found = {}
    for name, model in table["rows"].items():
        match = re.fullmatch(row, name)
        values = [
            100 * one["scores"][key] for one in table["trainings"]
            if (one["treebank"], one["model"]) == (treebank, model)
            and one["scores"][key] is not None
        ]
        if match and values:
            found[match[1]] = values
    return found


def draw_curve(axes: Any, points: Mapping[str, Sequence[float]], colour: str, name: str) -> None:
    """Means over seeds, the range of the seeds behind them."""
    places = list(points)
    axes.plot(places, [mean(points[place]) for place in places], "o-", color=colour, label=name)
    low, high = ([pick(points[place]) for place in places] for pick in (min, max))
    axes.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)


if __name__ == "__main__":
    typer.run(main)
