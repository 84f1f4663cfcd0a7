"""The scorer is cached between parses, and made again when weights change."""

from typing import Any

import numpy
import pytest
from spacy.util import load_model_from_config
from thinc.api import Optimizer

from spacy_arceager.kernels import matrix_product
from spacy_arceager.kernels.row_product import PRODUCTS
from spacy_arceager.network.scorer import KEPT_WORDS
from spacy_arceager.network.scoring import cached_scorer
from tests.conftest import (
    Trained,
    blank_pipeline,
    get_parser,
    read_corpus,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_weights_that_an_optimizer_changes_in_place_are_seen(english: Trained) -> None:
    loaded = load_model_from_config(english.nlp.config)
    parser = get_parser(loaded.from_bytes(english.nlp.to_bytes()))
    scoring = parser.model.get_ref("scoring")
    before = cached_scorer(parser.scorer_cache, scoring)
    assert cached_scorer(parser.scorer_cache, scoring) is before
    parser.add_label("new")     # sets gradients of some parameters
    scoring = parser.model.get_ref("scoring")
    cached_scorer(parser.scorer_cache, scoring)
    parser.finish_update(Optimizer(0.1, L2=0.5, beta1=0.0, beta2=0.0))
    upper = cached_scorer(parser.scorer_cache, scoring).weights.upper_W
    assert numpy.array_equal(upper, scoring.get_param("upper_W"))


@pytest.mark.parametrize("halves", sorted({False, "AVX512-BF16" in PRODUCTS}))
def test_vectors_of_another_type_are_learnt_from(
    halves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tok2vec may give numbers of 64 bits, and products of half floats take none of these."""
    monkeypatch.setattr(matrix_product, "HALVES_IN_GRADIENTS", halves)
    nlp = blank_pipeline()
    corpus = read_corpus(nlp, "en_small-train.conllu")
    nlp.initialize(lambda: corpus[:2])
    encoder = get_parser(nlp).model.get_ref("encoder")
    forward = encoder._func

    def forward_64(model: Any, docs: Any, is_train: bool) -> Any:
        vectors, backprop = forward(model, docs, is_train)
        return vectors.astype("float64"), lambda d_vectors: backprop(d_vectors.astype("f"))

    encoder._func = forward_64
    losses = [nlp.update(corpus[:2])["arceager_parser"] for _ in range(12)]
    assert losses[-1] < losses[0]


def test_a_large_batch_is_kept_whole(english: Trained) -> None:
    """A batch is one block, and products that are forgotten would be computed again."""
    scoring = get_parser(english.nlp).model.get_ref("scoring")
    vectors = numpy.zeros((3 * KEPT_WORDS, scoring.get_dim("nI")), dtype="f")
    scorer, _ = scoring.begin_update(vectors)
    assert scorer.kept_words == 3 * KEPT_WORDS
    assert cached_scorer(get_parser(english.nlp).scorer_cache, scoring).kept_words == KEPT_WORDS
