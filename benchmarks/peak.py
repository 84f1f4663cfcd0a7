"""How near the lower layer comes to the machine's own peak of matrix products, on one core.

python benchmarks/peak.py MODEL [--output FILE]

The peak is that of a large square product by NumPy; beside it, what is reached by the part of
the lower layer that is computed for every word before parsing, in blocks as greedy parsing
has them.
"""

from common import gigaflops  # isort: skip  (sets the thread counts)

import json
from pathlib import Path
from typing import Annotated

import numpy
import spacy
import typer
from wasabi import msg

from spacy_arceager.network.lower_layer import LowerLayer
from spacy_arceager.search.blocks import BLOCK


def main(model: str, output: Annotated[Path | None, typer.Option()] = None) -> None:
    scoring = spacy.load(model).pipeline[-1][1].model.get_ref("scoring")
    lower = LowerLayer(scoring.predict(None), BLOCK)
    vectors = numpy.ones((BLOCK, scoring.get_dim("nI")), dtype="f")
    square = numpy.ones((1000, 1000), dtype="f")
    rates = {
        "peak": gigaflops(2 * 1000 ** 3, lambda: square @ square),
        "lower layer": gigaflops(
            2 * vectors.size * lower.ready.shape[1], lambda: lower.start(vectors)
        ),
    }
    msg.table(
        [(name, f"{rate:.1f}", f"{rate / rates['peak']:.2f}") for name, rate in rates.items()],
        header=("product", "GFLOP/s", "share of the peak"), divider=True,
    )
    if output is not None:
        output.write_text(json.dumps(rates, indent=1))


if __name__ == "__main__":
    typer.run(main)
