"""Roll-out: the training examples of a batch, recorded in one pass without the GIL.

The parser follows its own best transition or an optimal one, and in each configuration
records its features, what the layers computed, and which classes are optimal. Nothing of
that is computed again for the gradient.
"""

from dataclasses import dataclass

import numpy

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from ..machine.configuration cimport NONE, ConfigurationC
from ..machine.system cimport TransitionSystem
from ..machine.transitions cimport TransitionC, arc_dependent, arc_head, is_arc
from ..oracles.gold cimport GoldC, GoldTrees
from ..oracles.oracle cimport ILLEGAL, Oracle, prefer_plain, scratch_size
from .lockstep cimport LockStep, best_legal, check_classes, take
from .scorer cimport Scorer, ScorerC, extract_features, lower_layer, score

cdef enum:
    DROPPED = 255     # in `which`: the hidden unit was dropped out

cdef enum Target:
    NOT_LEGAL = 0
    COSTLY = 1
    OPTIMAL = 2


@dataclass
class RollOut:
    """What was recorded, a row for each of n_states configurations.

    word_rows: (n_states, word features) int32, rows of the precomputed table.
    attribute_rows: (n_states, attributes) int32, rows of the attribute tables.
    hidden: (n_states, hidden) float32, after maxout and dropout.
    which: (n_states, hidden) uint8, the winning piece, 255 where dropped.
    scores: (n_states, classes) float32.
    targets: (n_states, classes) uint8: 0 not legal, 1 costly, 2 optimal.
    n_wrong: states in which the model's own best class was costly.
    """

    word_rows: numpy.ndarray
    attribute_rows: numpy.ndarray
    hidden: numpy.ndarray
    which: numpy.ndarray
    scores: numpy.ndarray
    targets: numpy.ndarray
    n_wrong: int


# Growing arrays; `rows` of each are in use.
cdef struct RecordC:
    size_t rows
    size_t capacity
    int* features
    float* hidden
    unsigned char* which
    float* scores
    unsigned char* targets
    int n_wrong


cdef bint reserve(RecordC* r, const ScorerC* scorer, size_t n) noexcept nogil:
    # Room for n more rows, and three that the kernels pad with.
    cdef size_t capacity
    if r.rows + n + 3 <= r.capacity:
        return True
    capacity = 2 * (r.rows + n + 3)
    r.features = <int*>realloc(
        r.features, capacity * (scorer.n_words + scorer.n_attributes) * sizeof(int))
    r.hidden = <float*>realloc(r.hidden, capacity * scorer.hidden * sizeof(float))
    r.which = <unsigned char*>realloc(r.which, capacity * scorer.hidden)
    r.scores = <float*>realloc(r.scores, capacity * scorer.width * sizeof(float))
    r.targets = <unsigned char*>realloc(r.targets, capacity * scorer.width)
    r.capacity = capacity
    return r.features and r.hidden and r.which and r.scores and r.targets


cdef void release(RecordC* r) noexcept nogil:
    free(r.features)
    free(r.hidden)
    free(r.which)
    free(r.scores)
    free(r.targets)


cdef inline double draw(uint64_t* state) noexcept nogil:
    # Uniform in [0, 1): xorshift64* (Vigna 2016).
    state[0] ^= state[0] >> 12
    state[0] ^= state[0] << 25
    state[0] ^= state[0] >> 27
    return <double>((state[0] * <uint64_t>2685821657736338717ULL) >> 11) / 9007199254740992.0


cdef void drop_out(float* hidden, unsigned char* which, int n, float rate,
                   uint64_t* random) noexcept nogil:
    cdef int i
    cdef float keep = 1 / (1 - rate)
    for i in range(n):
        if draw(random) < rate:
            hidden[i] = 0
            which[i] = DROPPED
        else:
            hidden[i] *= keep


cdef void set_targets(TransitionSystem system, const ConfigurationC* c, const GoldC* gold,
                      const int* costs, unsigned char* targets) noexcept nogil:
    # A class is optimal if its transition is among the cheapest and, where it makes a
    # gold arc, its label is the gold label (if that is known).
    cdef const TransitionC* t
    cdef int i, k, first, word, label, best = ILLEGAL
    for i in range(system.c.n_transitions):
        best = min(best, costs[i])
    for i in range(system.c.n_transitions):
        t = &system.c.transitions[i]
        first = system.first_class[i]
        if not is_arc(t):
            targets[first] = target(costs[i], best)
            continue
        label = NONE
        if costs[i] == best:
            word = arc_dependent(c, t)
            if gold.head[word] == arc_head(c, t):
                label = gold.label[word]
        for k in range(system.n_labels):
            targets[first + k] = target(costs[i], best)
            if label != NONE and k != label:
                targets[first + k] = COSTLY


cdef inline unsigned char target(int cost, int best) noexcept nogil:
    if cost >= ILLEGAL:
        return NOT_LEGAL
    return OPTIMAL if cost == best else COSTLY


cdef int best_optimal(const unsigned char* targets, const float* scores, int n) noexcept nogil:
    cdef int i, best = NONE
    for i in range(n):
        if targets[i] == OPTIMAL and (best == NONE or scores[i] > scores[best]):
            best = i
    return best


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
    if vectors.shape[0] != gold.n_words:
        raise ValueError(f"{vectors.shape[0]} word vectors for {gold.n_words} gold heads")
    if gold.highest_label >= system.n_labels:
        raise ValueError(
            f"Gold label {gold.highest_label}, but the system has {system.n_labels} labels"
        )
    table = scorer.precompute(vectors)
    cdef float[:, ::1] c_table = table
    cdef int n_words = vectors.shape[0]
    cdef int[::1] scratch = numpy.empty((scratch_size(gold.longest),), dtype="i")
    cdef LockStep steps = LockStep(
        system, gold.lengths, scorer.c.n_words + scorer.c.n_attributes
    )
    cdef RecordC record
    record.rows = record.capacity = 0
    record.features = NULL
    record.hidden = record.scores = NULL
    record.which = record.targets = NULL
    record.n_wrong = 0
    cdef bint done
    if oracle.follow_only:
        exploration = 0
    try:
        with nogil:
            done = run(system, steps, &scorer.c, &c_table[0, 0], n_words, gold, oracle,
                       &scratch[0], exploration, dropout, seed, &record)
        if not done:
            raise MemoryError()
        return to_arrays(&record, scorer, system.n_classes)
    finally:
        release(&record)


cdef bint run(TransitionSystem system, LockStep steps, const ScorerC* scorer,
              const float* table, int n_words, GoldTrees gold, Oracle oracle, int* scratch,
              float exploration, float dropout, uint64_t random, RecordC* r) noexcept nogil:
    # False where memory is short.
    cdef float* sums = <float*>malloc(scorer.size * sizeof(float))
    cdef int* costs = <int*>malloc(2 * system.c.n_transitions * sizeof(int))
    cdef bint done = sums != NULL and costs != NULL
    cdef int i
    steps.settle()
    while done and steps.n_active:
        if not reserve(r, scorer, steps.n_active):
            done = False
            break
        record_scores(steps, scorer, table, n_words, sums, dropout, &random, r)
        for i in range(steps.n_active):
            record_choice(system, steps, i, scorer.width, gold, oracle, scratch, costs,
                          exploration, &random, r)
        r.rows += steps.n_active
        steps.settle()
    free(sums)
    free(costs)
    return done


cdef void record_scores(LockStep steps, const ScorerC* scorer, const float* table,
                        int n_words, float* sums, float dropout, uint64_t* random,
                        RecordC* r) noexcept nogil:
    # Features, hidden layer and scores of the active sentences.
    cdef int n_features = scorer.n_words + scorer.n_attributes
    cdef int* features = r.features + r.rows * n_features
    cdef float* hidden = r.hidden + r.rows * scorer.hidden
    cdef unsigned char* which = r.which + r.rows * scorer.hidden
    cdef int i, sentence
    for i in range(steps.n_active):
        sentence = steps.active[i]
        extract_features(scorer, &steps.states[sentence], steps.first_row[sentence], n_words,
                         features, features + scorer.n_words)
        lower_layer(scorer, table, features, features + scorer.n_words, steps.rows, sums,
                    hidden, which)
        if dropout > 0:
            drop_out(hidden, which, scorer.hidden, dropout, random)
        features += n_features
        hidden += scorer.hidden
        which += scorer.hidden
    score(scorer, r.hidden + r.rows * scorer.hidden, steps.n_active,
          r.scores + r.rows * scorer.width)


cdef void record_choice(TransitionSystem system, LockStep steps, int i, int width,
                        GoldTrees gold, Oracle oracle, int* scratch, int* costs,
                        float exploration, uint64_t* random, RecordC* r) noexcept nogil:
    # Targets of the i-th active sentence, and its next transition.
    cdef int sentence = steps.active[i]
    cdef ConfigurationC* c = &steps.states[sentence]
    cdef const GoldC* tree = &gold.c[sentence]
    cdef const float* scores = r.scores + (r.rows + i) * width
    cdef unsigned char* targets = r.targets + (r.rows + i) * width
    cdef int predicted, chosen
    oracle.compute(&system.c, c, tree, scratch, costs)
    if oracle.prefer_plain:
        prefer_plain(&system.c, c, tree, scratch, costs + system.c.n_transitions, costs)
    set_targets(system, c, tree, costs, targets)
    chosen = best_optimal(targets, scores, system.n_classes)
    predicted = best_legal(system, steps.legal + i * system.c.n_transitions, scores)
    if targets[predicted] != OPTIMAL:
        r.n_wrong += 1
        if draw(random) < exploration:
            chosen = predicted
    take(system, c, chosen, scores)


cdef object to_arrays(RecordC* r, Scorer scorer, int n_classes):
    cdef size_t n = r.rows
    features = numpy.empty((n, scorer.c.n_words + scorer.c.n_attributes), dtype="i")
    hidden = numpy.empty((n, scorer.c.hidden), dtype="f")
    which = numpy.empty((n, scorer.c.hidden), dtype="B")
    scores = numpy.empty((n, scorer.c.width), dtype="f")
    targets = numpy.empty((n, scorer.c.width), dtype="B")
    cdef int[:, ::1] c_features = features
    cdef float[:, ::1] c_hidden = hidden
    cdef unsigned char[:, ::1] c_which = which
    cdef float[:, ::1] c_scores = scores
    cdef unsigned char[:, ::1] c_targets = targets
    if n:
        memcpy(&c_features[0, 0], r.features, features.nbytes)
        memcpy(&c_hidden[0, 0], r.hidden, hidden.nbytes)
        memcpy(&c_which[0, 0], r.which, which.nbytes)
        memcpy(&c_scores[0, 0], r.scores, scores.nbytes)
        memcpy(&c_targets[0, 0], r.targets, targets.nbytes)
    return RollOut(
        word_rows=numpy.ascontiguousarray(features[:, :scorer.c.n_words]),
        attribute_rows=numpy.ascontiguousarray(features[:, scorer.c.n_words:]),
        hidden=hidden,
        which=which,
        scores=scores[:, :n_classes],
        targets=targets[:, :n_classes],
        n_wrong=r.n_wrong,
    )
