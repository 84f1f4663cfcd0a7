"""Losses have the gradients of what they say, and parsers learn by them."""

import numpy
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime
from scipy.special import logsumexp
from spacy.util import fix_random_seed

from replication import losses
from tests.conftest import Trained, blank_pipeline, get_parser, parse_words, train

LEGAL = numpy.array([1, 1, 0, 1, 1, 1], dtype=bool)
OPTIMAL = numpy.array([0, 1, 0, 0, 1, 0], dtype=bool)

Scores = NDArray[numpy.float64]


def log_probabilities(scores: Scores) -> Scores:
    return scores - logsumexp(scores[LEGAL])


SLOW = {
    "best_alone": lambda scores: -log_probabilities(scores)[OPTIMAL].max(),
    "hinge": lambda scores: max(0, 1 - scores[OPTIMAL].max() + scores[LEGAL & ~OPTIMAL].max()),
    "smoothed": lambda scores: (
        -0.95 * logsumexp(log_probabilities(scores)[OPTIMAL])
        - 0.05 * log_probabilities(scores)[LEGAL].mean()
    ),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_gradient_is_that_of_its_loss(name: str) -> None:
    for scores in numpy.random.default_rng(0).normal(scale=2, size=(50, 6)):
        slow = approx_fprime(scores, SLOW[name], 1e-6)
        found = losses.LOSSES[name](scores[None], LEGAL[None], OPTIMAL[None])[0]
        numpy.testing.assert_allclose(found, slow, atol=1e-5)


@pytest.mark.parametrize("name", SLOW)
def test_a_parser_learns_by_it(name: str, english: Trained) -> None:
    nlp = blank_pipeline()
    examples = english.read(nlp)
    fix_random_seed(0)
    sgd = nlp.initialize(lambda: examples)
    sgd.learn_rate = 0.01
    losses.use_loss(name)(nlp, {})
    assert isinstance(get_parser(nlp).distillation, losses.Loss)
    train(nlp, examples, 12, sgd)
    right = [
        token.head.i == head
        for eg, parse in zip(examples, parse_words(nlp, examples), strict=True)
        for token, (head, _, _) in zip(eg.reference, parse, strict=True)
    ]
    assert numpy.mean(right) > 0.8
