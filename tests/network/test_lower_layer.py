"""The product of a word and the weights of a slot does not depend on the other words."""

import numpy
import pytest
from numpy.typing import NDArray

from spacy_arceager.network.lower_layer import LowerLayer
from spacy_arceager.network.scorer import Scorer
from tests.conftest import (
    Trained,
    get_parser,
)

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
