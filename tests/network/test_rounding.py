"""Numbers are rounded correctly, and the processor's instructions for them sum the same."""

import numpy
import pytest
from numpy.typing import NDArray

from spacy_arceager.kernels.row_product import BYTES, HALVES
from spacy_arceager.kernels.strips import rounded
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.lower_layer import LowerLayer
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import get_weights
from spacy_arceager.search.beam import search
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import arc_eager
from tests import slow_model
from tests.conftest import WAYS, random_scoring, random_vectors

SYSTEM = TransitionSystem(arc_eager(), ("a", "b", "c"))
# Widths, hidden units and pieces. Tiles take 32 inputs at a time, other instructions 2 or 4.
SHAPES = [(1, 1, 1), (7, 17, 3), (8, 6, 3), (33, 24, 2), (70, 24, 2), (96, 128, 3)]
N = 300

each_way = pytest.mark.parametrize("way", WAYS, ids=str)
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)


def make_scorer(shape: tuple[int, int, int], way: tuple) -> Scorer:
    weights = get_weights(random_scoring(SYSTEM, 1, *shape))
    return Scorer(weights, *way)


def ready_products(scorer: Scorer, vectors: NDArray) -> NDArray:
    lower = LowerLayer(scorer, len(vectors))
    lower.start(vectors)
    return (lower.ready[: len(vectors)].astype("uint32") << 16).view("f")


def test_floats_become_the_nearest_half_floats() -> None:
    values = numpy.random.default_rng(1).normal(size=(3, 50, 7)).astype("f")
    assert numpy.array_equal(rounded(values), slow_model.to_half(values))
    assert numpy.array_equal(rounded(rounded(values)), rounded(values))
    assert rounded(values[:0]).shape == (0, 50, 7)
    # A half float has seven bits behind the first. A tie goes to the even number.
    assert rounded(numpy.array([1 + 2**-8, 1 + 3 * 2**-8], "f")).tolist() == [1, 1 + 2**-6]


@each_way
@shapes
def test_products_are_those_of_the_rounded_numbers(
    shape: tuple[int, int, int], way: tuple
) -> None:
    scorer = make_scorer(shape, way)
    vectors = random_vectors(N, shape[0], 2)
    slots = numpy.asarray([address.is_common for address in scorer.weights.dims.words])
    columns = numpy.repeat(slots, shape[1] * shape[2])
    expected = numpy.matmul(*slow_model.round_factors(
        vectors, scorer.weights.lower_W[:, columns], way[0]))
    # The tolerance is half of a half float's last bit, and the rounding of sums that cancel out.
    assert numpy.allclose(ready_products(scorer, vectors), expected, rtol=2**-8, atol=1e-4)


@each_way
def test_sums_of_many_inputs_do_not_overflow(way: tuple) -> None:
    scorer = make_scorer((2**16, 1, 1), way)
    scorer.weights.lower_W.fill(1)
    scorer = Scorer(scorer.weights, *way)
    for sign in (1, -1):
        vectors = numpy.full((5, 2**16), sign, dtype="f")
        assert numpy.array_equal(numpy.unique(ready_products(scorer, vectors)), [sign * 2**16])


@each_way
@shapes
def test_products_do_not_depend_on_other_words(
    shape: tuple[int, int, int], way: tuple
) -> None:
    scorer = make_scorer(shape, way)
    vectors = random_vectors(N, shape[0], 3)
    table = ready_products(scorer, vectors)
    for first, end in ((0, 2), (0, 7), (3, 130), (10, 297)):
        assert numpy.array_equal(ready_products(scorer, vectors[first:end]), table[first:end])


@pytest.mark.parametrize("rounding", [HALVES, BYTES])
@shapes
def test_all_ways_give_the_same_scores_of_trees(
    shape: tuple[int, int, int], rounding: str
) -> None:
    vectors = random_vectors(40, shape[0], 4)
    settings = BeamSettings(width=8)
    scorers = [make_scorer(shape, way) for way in WAYS if way[0] == rounding]
    *fast, slow = (
        [tree[0] for tree in search(SYSTEM, scorer, vectors, [40], settings)[0]]
        for scorer in scorers
    )
    assert all(numpy.allclose(scores, slow, rtol=1e-2) for scores in fast)
