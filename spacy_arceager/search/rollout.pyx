"""Roll-out: a batch is parsed in training, and recorded in one pass without the GIL.

In each configuration the parser takes an optimal transition or its own best one. The features at an
anchor and the output of the layers are recorded once, so that the backward pass computes none of
them again. Each configuration adds to the loss and its gradient, over all anchors and classes.
"""

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from cymem.cymem cimport Pool
from libc.stdint cimport uint64_t

from ..checks import check_shares
from ..machine.configuration cimport NONE, TOP, ConfigurationC
from ..machine.rules import WordRules
from ..machine.system cimport TransitionSystem
from ..network.lower_layer cimport LowerC, LowerLayer
from ..network.lower_layer import check_vectors
from ..network.scorer cimport Scorer, ScorerC
from ..oracles.gold cimport GoldC, GoldTrees
from ..oracles.compiled cimport CompiledOracle
from ..oracles.costs cimport OracleC
from ..oracles.oracle cimport Oracle
from .anchors cimport mark_scored
from .blocks import check_boundaries
from ..kernels.interrupt cimport WatchC, check_signals
from .lockstep cimport LockStep, check_classes, check_gold
from .loss cimport (
    StateC, add_gradient, allocate_state, cost_of, find_targets, list_candidates, score_of,
)
from .record cimport Record, draw, record_features, record_scores


@dataclass
class RollOut:
    """The record of a roll-out, with a row for each of n_rows scored anchors.

    A system with one anchor has one row for each configuration. In a system with several, a row
    serves all configurations until the features at its anchor change.

    Attributes:
        word_rows: (n_rows, word features) int32, rows of the lower layer.
        attribute_rows: (n_rows, attributes) int32, rows of the attribute tables.
        hidden: (n_rows, hidden) float32, after maxout and dropout.
        which: (n_rows, hidden) uint8, the winning piece, or 255 for a dropped unit.
        scores: (n_rows, classes) float32.
        d_scores: (n_rows, classes) float32, the gradient of the loss.
        loss: minus the logarithm of the probability of all optimal classes together, summed over
            the configurations; probabilities are normalised over the legal classes.
        n_states: how many configurations left a choice.
        n_wrong: in how many of them the model's own best class was costly.
    """

    word_rows: NDArray[numpy.int32]
    attribute_rows: NDArray[numpy.int32]
    hidden: NDArray[numpy.float32]
    which: NDArray[numpy.uint8]
    scores: NDArray[numpy.float32]
    d_scores: NDArray[numpy.float32]
    loss: float
    n_states: int
    n_wrong: int


# The settings of a roll-out, and arrays that every step uses, allocated once for each batch.
cdef struct LearningC:
    const OracleC* oracle
    float exploration
    float aggression
    float margin
    float dropout
    uint64_t random
    int* row_of               # the row of each token, one sentence after the other
    StateC state


def roll_out(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    GoldTrees gold not None, Oracle oracle not None, float exploration, float dropout,
    uint64_t seed, float aggression=0, float margin=1, rules: WordRules | None = None,
) -> RollOut:
    """Parse a batch in training and record every configuration with a choice in it.

    Args:
        vectors: (n_words, width) float32, of the words of all sentences, one after the other.
        gold: the gold trees or graphs of these sentences.
        oracle: says which transitions are optimal.
        exploration: the probability that the model's own best class is taken although it is costly.
        dropout: rate for the hidden layer.
        seed: of the random numbers; not 0.
        aggression: the probability that the best costly class is taken if its score is less than
            `margin` below that of an optimal best class (Kiperwasser and Goldberg 2016, section
            6.2).
        margin: a difference of scores.
        rules: what dependents the words may have; None for any. Classes that they refuse are costly
            and never followed, and costs know what a label excludes.

    Returns:
        The RollOut.

    Raises:
        ValueError: For numbers out of range, and for vectors, gold trees, a model or an oracle that
            do not fit the system or each other.
        TypeError: For vectors that are not numbers.
    """
    check_training(system, scorer, dropout, seed)
    check_shares(exploration=exploration, aggression=aggression)
    if not margin >= 0:
        raise ValueError(f"margin={margin}; use 0 or more")
    vectors = check_vectors(scorer, vectors)
    check_gold(system, gold, len(vectors))
    cdef LowerLayer lower = LowerLayer(scorer, len(vectors))
    lower.start(vectors)
    cdef LockStep steps = LockStep(system, gold.lengths, scorer,
                                   check_boundaries(None, len(vectors)))
    steps.restrict(rules, False)
    cdef CompiledOracle ready = oracle.compile(system, gold.longest)
    cdef Record record = Record()
    cdef Pool memory = Pool()
    cdef LearningC learning
    learning.oracle = &ready.c
    learning.exploration = 0 if oracle.follow_only else exploration
    learning.aggression = 0 if oracle.follow_only else aggression
    learning.margin = margin
    learning.dropout = dropout
    learning.random = seed
    learning.row_of = <int*>memory.alloc(gold.n_words + gold.n_trees + 1, sizeof(int))
    allocate_state(&learning.state, memory, &system.c,
                   gold.longest + 1 if system.c.anchored else 1, scorer.c.width)
    with nogil:
        roll_out_all(steps, &scorer.c, &lower.c, gold, &learning, record)
    ready.check()
    return RollOut(**record.arrays(scorer), loss=record.loss, n_states=record.n_states,
                   n_wrong=record.n_wrong)


def check_training(
    TransitionSystem system not None, Scorer scorer not None, double dropout, uint64_t seed,
) -> None:
    """Raise ValueError for a model that does not fit its system, and for wrong settings."""
    check_classes(system, scorer)
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout={dropout}; use 0 or more, below 1")
    if seed == 0:
        raise ValueError("seed=0; use another one")


cdef int roll_out_all(LockStep steps, const ScorerC* scorer, LowerC* lower, GoldTrees gold,
                      LearningC* learning, Record r) except -1 nogil:
    # Takes all transitions of a batch.
    cdef WatchC watch = WatchC(0, 0)
    cdef int i, s
    steps.settle()
    while steps.n_active:
        check_signals(&watch)
        r.reserve(scorer, steps.n_rows)
        record_rows(steps, scorer, lower, learning, r)
        for i in range(steps.n_active):
            s = steps.active[i]
            list_candidates(&learning.state, &steps.system.c, &steps.states[s],
                            learning.row_of + place_of(steps, s, TOP), r)
            learn_and_step(steps, i, &gold.c[s], learning, r)
        steps.settle()
    return 0


cdef inline int place_of(LockStep steps, int sentence, int anchor) noexcept nogil:
    return steps.first_word[sentence] + sentence + (0 if anchor == TOP else anchor)


cdef void record_rows(LockStep steps, const ScorerC* scorer, LowerC* lower,
                      LearningC* learning, Record r) noexcept nogil:
    # Records the anchors that are new or have changed.
    cdef int i, s
    for i in range(steps.n_rows):
        s = steps.rows[i].sentence
        learning.row_of[place_of(steps, s, steps.rows[i].anchor)] = <int>r.rows + i
        record_features(r, scorer, lower, &steps.states[s], steps.rows[i].anchor,
                        steps.first_word[s], i)
        if steps.system.c.anchored:
            mark_scored(&steps.anchors[s], steps.rows[i].anchor)
    record_scores(r, scorer, lower, steps.n_rows, learning.dropout, &learning.random)


cdef int learn_and_step(LockStep steps, int i, const GoldC* gold, LearningC* learning,
                        Record r) except -1 nogil:
    # Adds the loss of the i-th active sentence's configuration, and takes its next transition.
    cdef const ConfigurationC* c = &steps.states[steps.active[i]]
    cdef StateC* state = &learning.state
    cdef int chosen, costly
    find_targets(state, steps.system, c, gold, learning.oracle)
    r.loss += add_gradient(state, steps.system)
    r.n_states += 1
    chosen = state.best_optimal
    costly = NONE
    if state.best_legal != state.best_optimal:
        r.n_wrong += 1
        if draw(&learning.random) < learning.exploration:
            costly = state.best_legal
    elif is_close(state, learning) and draw(&learning.random) < learning.aggression:
        costly = state.best_costly
    # A transition that the oracle forbids costs more than a whole sentence, and is not explored.
    if costly != NONE and cost_of(state, steps.system, costly) <= c.n_words:
        chosen = costly
    steps.take(i, state.candidates[chosen // state.width].anchor, chosen % state.width,
               state.candidates[chosen // state.width].scores)
    return 0


cdef inline bint is_close(const StateC* state, const LearningC* learning) noexcept nogil:
    # Whether aggression is in use and a costly class scores nearly as high as the best one.
    return (learning.aggression > 0 and state.best_costly != NONE
            and score_of(state, state.best_optimal)
            < score_of(state, state.best_costly) + learning.margin)
