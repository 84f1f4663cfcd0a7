"""Roll-out: the training examples of a batch, recorded in one pass without the GIL.

The parser follows its own best transition or an optimal one. What the model sees at an
anchor is recorded once, with what its layers computed; the loss and its gradient are added
up in each configuration over all anchors and classes. Nothing of that is computed again for
the backward pass.
"""

from dataclasses import dataclass

import numpy

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..machine.configuration cimport TOP
from ..machine.system cimport TransitionSystem
from ..oracles.gold cimport GoldTrees
from ..oracles.oracle cimport Oracle, OracleC, scratch_size
from .anchors cimport mark_scored
from .lockstep cimport LockStep, check_classes, check_gold
from .loss cimport (
    StateC,
    add_gradient,
    allocate_state,
    cost_of,
    find_targets,
    list_candidates,
    release_state,
)
from .lower_layer cimport LowerC, LowerLayer
from .record cimport (
    RecordC,
    draw,
    record_arrays,
    record_features,
    record_scores,
    release,
    reserve,
)
from .scorer cimport Scorer, ScorerC

@dataclass
class RollOut:
    """What was recorded, a row for each of n_rows anchors that were scored.

    A system with one anchor has one row a configuration. Where there are several, a row
    serves every configuration until something that the model sees there changes.

    word_rows: (n_rows, word features) int32, rows of the lower layer.
    attribute_rows: (n_rows, attributes) int32, rows of the attribute tables.
    hidden: (n_rows, hidden) float32, after maxout and dropout.
    which: (n_rows, hidden) uint8, the winning piece, 255 where dropped.
    scores: (n_rows, classes) float32.
    d_scores: (n_rows, classes) float32, the gradient of the loss.
    loss: minus the log of the probability of all optimal classes together, summed over
        the configurations; probabilities are normalised over the legal classes.
    n_states: configurations in which there was a choice.
    n_wrong: of these, those in which the model's own best class was costly.
    """

    word_rows: numpy.ndarray
    attribute_rows: numpy.ndarray
    hidden: numpy.ndarray
    which: numpy.ndarray
    scores: numpy.ndarray
    d_scores: numpy.ndarray
    loss: float
    n_states: int
    n_wrong: int


def roll_out(TransitionSystem system not None, Scorer scorer not None, vectors,
             GoldTrees gold not None, Oracle oracle not None, float exploration,
             float dropout, uint64_t seed):
    """Parse a batch in training and record every configuration with a choice in it.

    vectors: (n_words, width) float32, the words of all sentences one after the other.
    exploration: how likely the model's own best class is followed even if it is costly.
    dropout: rate for the hidden layer.
    seed: of the random numbers; must not be 0.
    Returns the RollOut. Raises ValueError where the arguments do not belong together.
    """
    check_classes(system, scorer)
    check_gold(system, gold, vectors.shape[0])
    cdef LowerLayer lower = LowerLayer(scorer, vectors.shape[0])
    lower.start(vectors)
    cdef int[::1] scratch = numpy.empty((scratch_size(&system.c, gold.longest),), dtype="i")
    cdef LockStep steps = LockStep(system, gold.lengths, scorer)
    cdef OracleC c_oracle = oracle.compiled_for(system)
    cdef RecordC record
    memset(&record, 0, sizeof(RecordC))
    cdef bint done
    if oracle.follow_only:
        exploration = 0
    try:
        with nogil:
            done = run(system, steps, &scorer.c, &lower.c, gold, &c_oracle, &scratch[0],
                       exploration, dropout, seed, &record)
        if not done:
            raise MemoryError()
        return RollOut(**record_arrays(&record, scorer), loss=record.loss,
                       n_states=record.n_states, n_wrong=record.n_wrong)
    finally:
        release(&record)


# Scratch of one step, allocated once a batch.
cdef struct BuffersC:
    int* row_of               # row of each token, a sentence after the other
    StateC state


cdef bint allocate(BuffersC* b, TransitionSystem system, const ScorerC* scorer,
                   int n_words, int n_sentences, int longest) noexcept nogil:
    cdef int n = longest + 1 if system.c.anchored else 1
    b.row_of = <int*>malloc((n_words + n_sentences + 1) * sizeof(int))
    return allocate_state(&b.state, &system.c, n, scorer.width) and b.row_of


cdef void free_buffers(BuffersC* b) noexcept nogil:
    free(b.row_of)
    release_state(&b.state)


cdef bint run(TransitionSystem system, LockStep steps, const ScorerC* scorer,
              LowerC* lower, GoldTrees gold, const OracleC* oracle, int* scratch,
              float exploration, float dropout, uint64_t random,
              RecordC* r) noexcept nogil:
    # False where memory is short.
    cdef BuffersC b
    cdef bint done = allocate(&b, system, scorer, lower.n_words, steps.n_sentences,
                              gold.longest)
    cdef int i, s
    steps.settle()
    while done and steps.n_active:
        if not reserve(r, scorer, steps.n_rows):
            done = False
            break
        record_rows(system, steps, scorer, lower, &b, dropout, &random, r)
        for i in range(steps.n_active):
            s = steps.active[i]
            list_candidates(&b.state, &system.c, &steps.states[s],
                            b.row_of + place_of(steps, s, TOP), r)
            learn_and_step(system, steps, i, gold, oracle, scratch, &b, exploration, &random, r)
        steps.settle()
    free_buffers(&b)
    return done


cdef inline int place_of(LockStep steps, int sentence, int anchor) noexcept nogil:
    return steps.first_word[sentence] + sentence + (0 if anchor == TOP else anchor)


cdef void record_rows(TransitionSystem system, LockStep steps, const ScorerC* scorer,
                      LowerC* lower, BuffersC* b, float dropout, uint64_t* random,
                      RecordC* r) noexcept nogil:
    # The anchors that are new or have changed.
    cdef int i, s
    for i in range(steps.n_rows):
        s = steps.rows[i].sentence
        b.row_of[place_of(steps, s, steps.rows[i].anchor)] = <int>r.rows + i
        record_features(r, scorer, lower, &steps.states[s], steps.rows[i].anchor,
                        steps.first_word[s], i)
        if system.c.anchored:
            mark_scored(&steps.anchors[s], steps.rows[i].anchor)
    record_scores(r, scorer, lower, steps.n_rows, dropout, random)


cdef void learn_and_step(TransitionSystem system, LockStep steps, int i, GoldTrees gold,
                         const OracleC* oracle, int* scratch, BuffersC* b, float exploration,
                         uint64_t* random, RecordC* r) noexcept nogil:
    # The loss of the i-th active sentence's configuration, and its next transition.
    cdef int s = steps.active[i]
    cdef StateC* state = &b.state
    cdef int chosen
    find_targets(state, system, &steps.states[s], &gold.c[s], oracle, scratch)
    r.loss += add_gradient(state, system)
    r.n_states += 1
    chosen = state.best_optimal
    if state.best_legal != state.best_optimal:
        r.n_wrong += 1
        # What an oracle forbids costs more than a whole sentence; it is not explored.
        if (draw(random) < exploration
                and cost_of(state, system, state.best_legal) <= steps.states[s].n_words):
            chosen = state.best_legal
    steps.take(i, state.candidates[chosen // state.width].anchor, chosen % state.width,
               state.candidates[chosen // state.width].scores)
