"""Products of half floats are those of floats with the values of half floats."""

import numpy
import pytest

from spacy_arceager.kernels.maxout_norm import MaxoutNorm
from spacy_arceager.kernels.strips import rounded

RNG = numpy.random.default_rng(0)


@pytest.mark.parametrize("window", [0, 1, 2])
@pytest.mark.parametrize("width", [2, 5, 96])
def test_windows_of_half_floats(width: int, window: int) -> None:
    hidden, pieces = 7, 3
    inputs = (2 * window + 1) * width
    weights = [
        RNG.normal(size=shape).astype("f")
        for shape in ((hidden, pieces, inputs), (hidden, pieces), (hidden,), (hidden,))
    ]
    vectors = RNG.normal(size=(140 + 2 * window, width)).astype("f")
    rows = numpy.arange(window, len(vectors) - window, dtype="i")
    out, expected = numpy.empty((2, rows.size, hidden), dtype="f")
    MaxoutNorm(*weights, halves=True).apply(vectors, out, rows, window=window)
    weights[0], vectors = rounded(weights[0]), rounded(vectors)
    MaxoutNorm(*weights).apply(vectors, expected, rows, window=window)
    assert numpy.allclose(out, expected, atol=1e-4)
