"""Drawings in SVG, by matplotlib, that can be read on white and on black."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

GRAY = "#888888"
COLOURS = ("#e0743a", "#3d8bfd", "#2fa36b", "#b565d9", "#c8a415", "#d9587a")


@contextmanager
def drawing(path: Path, **layout: Any) -> Iterator[Any]:
    """The axes of a figure, which is saved at the end; layout: as of pyplot.subplots."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    text = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    # The salt makes the names in the file the same each time.
    pyplot.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": path.stem, "font.family": "sans-serif",
        **dict.fromkeys(text, GRAY),
    })
    figure, axes = pyplot.subplots(layout="constrained", **layout)
    yield axes
    for one in figure.axes:
        one.grid(color=GRAY, alpha=0.25)
        one.set_facecolor("none")
    figure.savefig(path, transparent=True, metadata={"Date": None})
    pyplot.close(figure)
