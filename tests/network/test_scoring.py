"""The scorer is cached between parses, and made again when weights change."""

import numpy
import pytest
from spacy.util import load_model_from_config
from thinc.api import Optimizer

from spacy_arceager.network.scoring import cached_scorer
from tests.conftest import (
    Trained,
    get_parser,
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
