"""What a parser learns from a batch: one roll-out, one backward pass over all its states."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray
from spacy.training import Example
from thinc.api import set_dropout_rate

from ..network.scorer import Scorer
from ..network.scoring import find_scoring
from ..oracles.gold import GoldTrees
from ..search.beam_update import roll_out_beam
from ..search.rollout import RollOut, roll_out

if TYPE_CHECKING:
    from .component import ArcEagerParser


def learn(parser: "ArcEagerParser", examples: Sequence[Example], drop: float) -> float:
    """Add up the gradients of a batch; returns its loss.

    Args:
        drop: dropout rate.
    """
    if not any(len(eg.predicted) for eg in examples):
        return 0.0      # thinc's layers cannot learn from no words
    gold = parser.target.gold_batch(examples, parser.non_projective)
    set_dropout_rate(parser.model, drop)
    vectors, backprop = parser.model.begin_update([eg.predicted for eg in examples])
    if not gold.rows.size:
        backprop(numpy.zeros_like(vectors))      # other listeners wait for the last one's
        return 0.0
    words = vectors[gold.rows]
    scoring = find_scoring(parser.model, parser.system, parser.name)
    scorer, backprop_scores = scoring.begin_update(words)
    rollout = follow(parser, scorer, words, gold.trees, drop)
    if parser.distillation is not None:
        rollout.d_scores = parser.distillation.gradient(examples, gold.rows, rollout)
    d_vectors = numpy.zeros_like(vectors)
    d_vectors[gold.rows] = backprop_scores(rollout)
    backprop(d_vectors)
    return rollout.loss


def follow(
    parser: "ArcEagerParser", scorer: Scorer, words: NDArray, gold: GoldTrees, drop: float
) -> RollOut:
    """The roll-out, greedy or with a beam."""
    seed = random.getrandbits(63) | 1
    rate = next(parser.exploration)
    if parser.beam is not None and parser.beam.learns_at(parser.n_updates):
        return roll_out_beam(
            parser.system, scorer, words, gold, parser.oracle, parser.beam, drop, seed
        )
    return roll_out(
        parser.system, scorer, words, gold, parser.oracle, rate, drop, seed,
        parser.exploration.aggression, parser.exploration.margin,
    )
