"""A product of the lower layer depends on no other words, and is computed again once forgotten."""

import numpy
import pytest
from numpy.typing import NDArray

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.lower_layer import LowerLayer
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import get_weights
from spacy_arceager.search.beam import search
from spacy_arceager.search.greedy import parse
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import arc_eager, arc_hybrid, attardi
from tests.conftest import WAYS, Trained, get_parser, random_scoring, random_vectors

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_the_lower_layer_of_a_word_does_not_depend_on_other_words(english: Trained) -> None:
    scorer = get_parser(english.nlp).model.get_ref("scoring").predict(None)
    vectors = numpy.random.default_rng(0).normal(size=(200, 32)).astype("f")
    table = products(scorer, vectors)
    for start, end in ((0, 2), (0, 7), (3, 64), (10, 187)):
        assert numpy.array_equal(products(scorer, vectors[start:end]), table[start:end])


def products(scorer: Scorer, vectors: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    lower = LowerLayer(scorer, len(vectors))
    lower.start(vectors)
    return numpy.asarray(lower.ready)[: len(vectors)]


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_vectors_of_any_precision(english: Trained, dtype: str) -> None:
    scorer = get_parser(english.nlp).model.get_ref("scoring").predict(None)
    vectors = numpy.random.default_rng(0).normal(size=(5, 32)).astype(dtype)
    assert numpy.array_equal(products(scorer, vectors), products(scorer, vectors.astype("f")))


SYSTEMS = {"arc_eager": arc_eager(), "arc_hybrid": arc_hybrid(swap=True), "attardi": attardi(3)}
# A strip has 128 words, the last one up to 129.
LENGTHS = [1280, 1281, 1282, 1500]


@pytest.mark.parametrize("way", [*WAYS, (None, None)], ids=str)
@pytest.mark.parametrize("name", SYSTEMS)
def test_products_that_are_forgotten_are_computed_again(name: str, way: tuple) -> None:
    system = TransitionSystem(SYSTEMS[name], ("a", "b"))
    weights = get_weights(random_scoring(system, 1, 8, 12, 2))
    scorers = [Scorer(weights, *way, kept) for kept in (0, 2048)]
    vectors = random_vectors(sum(LENGTHS), 8, 3)
    for length in LENGTHS:
        # Alone, and beside short sentences, which have blocks of their own.
        for lengths in ([length], [3, length, 40]):
            some = vectors[:sum(lengths)]
            few, many = (parse(system, scorer, some, lengths) for scorer in scorers)
            assert all(map(numpy.array_equal, few, many))
    few, many = (
        search(system, scorer, vectors[:1281], [1281], BeamSettings(width=4)) for scorer in scorers
    )
    for trees, expected in zip(few, many, strict=True):
        for tree, other in zip(trees, expected, strict=True):
            assert all(map(numpy.array_equal, tree, other))


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_memory_of_a_long_sentence_is_bounded(way: tuple) -> None:
    system = TransitionSystem(arc_eager(), ("a", "b"))
    weights = get_weights(random_scoring(system, 1, 8, 12, 2))
    scorer = Scorer(weights, *way)
    rows = [len(LowerLayer(scorer, n).ready) for n in (100, 2000, 10_000, 100_000)]
    assert rows[0] < rows[1] < rows[2] == rows[3] < 2200
