"""Other losses than the parser's own, for study.py, as callbacks of `spacy train --code`.

The parser's loss is minus the log of the probability of all optimal transitions together, with
probabilities over the legal ones. What the others bring: docs/training_settings.md.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.training import Example
from spacy.util import registry

from spacy_arceager.pipe.distillation import probabilities, read_targets
from spacy_arceager.search.rollout import RollOut

Array = NDArray[numpy.float32]
EPSILON = 0.05      # of the loss "smoothed"


class Loss:
    """Takes the place of a parser's `distillation`, and of the oracle's gradient with it.

    Args:
        gradient: from scores, (n, classes), and masks of the legal and the optimal classes, the
            gradient of the scores. Every row has an optimal class, and a costly one.
    """

    def __init__(self, gradient: Callable[[Array, Array, Array], Array]):
        self._gradient = gradient

    def check_labels(self, name: str, labels: Sequence[str]) -> None:
        """Nothing: a loss goes with any labels."""

    def gradient(
        self, examples: Sequence[Example], words: Array, rollout: RollOut
    ) -> Array:
        unsure, legal = read_targets(rollout.d_scores)
        optimal = rollout.d_scores[unsure] < 0
        d_scores = numpy.zeros_like(rollout.d_scores)
        d_scores[unsure] = self._gradient(rollout.scores[unsure], legal, optimal)
        return d_scores


def best_alone(scores: Array, legal: Array, optimal: Array) -> Array:
    """Of minus the log of the probability of the best optimal class alone."""
    return probabilities(scores, legal) - one_hot(scores, optimal)


def hinge(scores: Array, legal: Array, optimal: Array) -> Array:
    """Of max(0, 1 - best optimal + best costly) (Kiperwasser and Goldberg 2016, section 4)."""
    good, bad = one_hot(scores, optimal), one_hot(scores, legal & ~optimal)
    violated = (scores * (good - bad)).sum(axis=1, keepdims=True) < 1
    return violated * (bad - good)


def smoothed(scores: Array, legal: Array, optimal: Array) -> Array:
    """Of the own loss, where all legal classes have EPSILON of the target together."""
    uniform = legal / legal.sum(axis=1, keepdims=True)
    wanted = (1 - EPSILON) * probabilities(scores, optimal) + EPSILON * uniform
    return probabilities(scores, legal) - wanted


def one_hot(scores: Array, among: Array) -> Array:
    """1 for the best of some classes of a row."""
    best = numpy.where(among, scores, -numpy.inf).argmax(axis=1)
    return (numpy.arange(scores.shape[1]) == best[:, None]).astype(scores.dtype)


LOSSES = {"best_alone": best_alone, "hinge": hinge, "smoothed": smoothed}


@registry.callbacks("arceager_tried.loss.v1")
def use_loss(
    name: str, component: str = "arceager_parser"
) -> Callable[[Language, dict[str, Any]], None]:
    """A callback for `before_update`. name: one of `LOSSES`."""
    loss = Loss(LOSSES[name])

    def set_up(nlp: Language, args: dict[str, Any]) -> None:
        nlp.get_pipe(component).distillation = loss

    return set_up
