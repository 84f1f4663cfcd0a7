"""Products of rounded numbers are those of floats that have the values of the rounded ones."""

import numpy
import pytest
from numpy.typing import NDArray

from spacy_arceager.kernels.maxout_norm import MaxoutNorm
from spacy_arceager.kernels.row_product import BYTES
from tests import slow_model
from tests.conftest import WAYS

RNG = numpy.random.default_rng(0)
HIDDEN, PIECES = 7, 3

each_way = pytest.mark.parametrize("way", WAYS, ids=str)
ways_of_bytes = pytest.mark.parametrize(
    "way", [way for way in WAYS if way[0] == BYTES], ids=str)


def random_weights(inputs: int) -> list[NDArray]:
    """Those of a MaxoutNorm."""
    shapes = (HIDDEN, PIECES, inputs), (HIDDEN, PIECES), (HIDDEN,), (HIDDEN,)
    return [RNG.normal(size=shape).astype("f") for shape in shapes]


def apply(weights: list[NDArray], vectors: NDArray, window: int, *way: str) -> NDArray:
    rows = numpy.arange(window, len(vectors) - window, dtype="i")
    out = numpy.empty((rows.size, HIDDEN), dtype="f")
    MaxoutNorm(*weights, *way).apply(vectors, out, rows, window=window)
    return out


@each_way
@pytest.mark.parametrize("window", [0, 1, 2])
@pytest.mark.parametrize("width", [2, 4, 5, 96])
def test_windows_of_rounded_numbers(width: int, window: int, way: tuple) -> None:
    weights = random_weights((2 * window + 1) * width)
    # Each row of bytes has a scale of its own.
    n = 140 + 2 * window
    vectors = RNG.normal(size=(n, width)) * RNG.choice([1e-3, 1, 50], (n, 1))
    vectors = vectors.astype("f")
    out = apply(weights, vectors, window, *way)
    columns = weights[0].reshape((HIDDEN * PIECES, -1)).T
    vectors, columns = slow_model.round_factors(vectors, columns, way[0])
    weights[0] = columns.T.reshape(weights[0].shape).astype("f")
    assert numpy.allclose(out, apply(weights, vectors.astype("f"), window), atol=1e-4)


@ways_of_bytes
@pytest.mark.parametrize("wrong", [numpy.nan, numpy.inf, -numpy.inf])
def test_what_is_not_finite_stays_so_in_its_row(wrong: float, way: tuple) -> None:
    weights, vectors = random_weights(8), RNG.normal(size=(20, 8)).astype("f")
    expected = apply(weights, vectors, 0, *way)
    for place in (0, 5, 7):
        other = vectors.copy()
        other[3, place] = wrong
        out = apply(weights, other, 0, *way)
        assert numpy.isnan(out[3]).all()
        assert numpy.array_equal(numpy.delete(out, 3, 0), numpy.delete(expected, 3, 0))


@ways_of_bytes
def test_numbers_near_nothing_are_zeros(way: tuple) -> None:
    weights = random_weights(8)
    nothing = apply(weights, numpy.zeros((3, 8), "f"), 0, *way)
    tiny = numpy.full((3, 8), 1e-45, "f")
    assert numpy.array_equal(apply(weights, tiny, 0, *way), nothing)
