"""Greedy decoding: each sentence takes the best-scored legal transition until it ends."""

import numpy

from libc.stdlib cimport free, malloc

from ..machine.configuration cimport TOP
from ..machine.system cimport TransitionSystem
from .anchors cimport best_of_anchors, keep_scores, refresh_anchors
from .lockstep cimport LockStep, RowC, best_legal, check_classes
from .lower_layer cimport LowerC, LowerLayer, compute_hidden
from .scorer cimport Scorer, ScorerC, extract_features, score

# Words a block: so few that the lower layer stays in the cache, so many that its products for
# few words at a time are worth while.
BLOCK = 768

cdef enum:
    MAX_ROWS = 256    # anchors scored in one product


def parse(TransitionSystem system not None, Scorer scorer not None, vectors, lengths,
          forbidden_starts=None):
    """Parse sentences with the model's best transitions.

    vectors: (n_words, width) float32, the words of all sentences one after the other.
    lengths: words of each sentence.
    forbidden_starts: (n_words,) for systems with BREAK: 1 where no sentence may start, 2
        where one must.
    Returns (n_words,) arrays: heads and labels, int32: heads count from the sentence's first
    word and a root is its own head; labels are indices, -1 for a root; and starts, bool.
    """
    results = numpy.empty((3, vectors.shape[0]), dtype="i")
    for words, steps in parse_blocks(system, scorer, vectors, lengths, forbidden_starts):
        results[:, words] = trees_of(steps, words.size)
    return results[0], results[1], results[2].astype(bool)


def parse_graphs(TransitionSystem system not None, Scorer scorer not None, vectors, lengths,
                 forbidden_starts=None):
    """Parse sentences to graphs; arguments as for `parse`.

    Returns (n_arcs, 3) int32: dependent, head and label of each arc, words numbered through
    all sentences, sorted; and starts, (n_words,) bool. A word without arc is a root.
    """
    starts = numpy.zeros((vectors.shape[0],), dtype=bool)
    arcs = [numpy.zeros((0, 3), dtype="i")]
    for words, steps in parse_blocks(system, scorer, vectors, lengths, forbidden_starts):
        starts[words] = trees_of(steps, words.size)[2]
        found = arcs_of(steps)
        found[:, :2] = words[found[:, :2]]
        arcs.append(found)
    found = numpy.concatenate(arcs)
    return found[numpy.lexsort((found[:, 1], found[:, 0]))], starts


def parse_blocks(TransitionSystem system, Scorer scorer, vectors, lengths, forbidden_starts):
    """Parse in blocks; yields the words of each, (n,), and its finished LockStep."""
    check_classes(system, scorer)
    lengths = numpy.asarray(lengths, dtype="i")
    if vectors.shape[0] != lengths.sum():
        raise ValueError(f"{vectors.shape[0]} vectors for {lengths.sum()} words")
    if forbidden_starts is None:
        forbidden_starts = numpy.zeros((vectors.shape[0],), dtype="i")
    starts = numpy.concatenate([[0], numpy.cumsum(lengths)])
    # Sentences of like length end together.
    order = numpy.argsort(lengths, kind="stable")
    longest = lengths.max() if lengths.size else 0
    lower = LowerLayer(scorer, min(max(BLOCK, longest), vectors.shape[0]))
    for block in split_into_blocks(order, lengths):
        words = numpy.concatenate([numpy.arange(starts[i], starts[i + 1]) for i in block])
        if words.size:
            yield words, parse_block(
                system, scorer, vectors[words], lengths[block],
                numpy.ascontiguousarray(forbidden_starts[words], dtype="i"), lower,
            )


def split_into_blocks(order, lengths):
    """Cut a sequence of sentences into blocks of about BLOCK words."""
    block = []
    size = 0
    for i in order:
        if block and size + lengths[i] > BLOCK:
            yield block
            block, size = [], 0
        block.append(i)
        size += lengths[i]
    if block:
        yield block


def parse_block(TransitionSystem system, Scorer scorer, vectors, int[::1] lengths,
                int[::1] forbidden_starts, LowerLayer lower):
    """Parse one block of sentences; as `parse`. lower: with memory for it.

    Returns the finished LockStep.
    """
    lower.start(vectors)
    cdef LockStep steps = LockStep(system, lengths, scorer, forbidden_starts)
    cdef int failed
    with nogil:
        failed = run(system, steps, &scorer.c, &lower.c)
    if failed:
        raise MemoryError()
    return steps


cdef object trees_of(LockStep steps, int n_words):
    # (3, n_words) int32: heads, labels, starts.
    results = numpy.empty((3, n_words), dtype="i")
    cdef int[:, ::1] c_results = results
    steps.results(&c_results[0, 0], &c_results[1, 0], &c_results[2, 0])
    return results


cdef object arcs_of(LockStep steps):
    # (n_arcs, 3) int32: dependent, head, label.
    results = numpy.empty((steps.n_arcs(), 3), dtype="i")
    cdef int[:, ::1] c_results = results
    if results.size:
        steps.arcs(&c_results[0, 0])
    return results


# What one step needs, allocated once a block.
cdef struct BuffersC:
    float* hidden
    float* scores
    unsigned char* which
    int* features


cdef bint allocate(BuffersC* b, const ScorerC* scorer, int n) noexcept nogil:
    cdef int n_features = scorer.n_words + scorer.n_attributes
    b.hidden = <float*>malloc(n * scorer.hidden * sizeof(float))
    b.scores = <float*>malloc(n * scorer.width * sizeof(float))
    b.which = <unsigned char*>malloc(n * scorer.hidden)
    b.features = <int*>malloc(n * n_features * sizeof(int))
    return b.hidden and b.scores and b.which and b.features


cdef void release(BuffersC* b) noexcept nogil:
    free(b.hidden)
    free(b.scores)
    free(b.which)
    free(b.features)


cdef bint run(TransitionSystem system, LockStep steps, const ScorerC* scorer,
              LowerC* lower) noexcept nogil:
    # True where memory is short.
    cdef int n = max(MAX_ROWS, steps.n_sentences)
    cdef int first, size
    cdef BuffersC b
    cdef bint failed = not allocate(&b, scorer, n)
    if not failed:
        steps.settle()
        while steps.n_active:
            first = 0
            while first < steps.n_rows:
                size = min(n, steps.n_rows - first)
                score_rows(steps, scorer, lower, steps.rows + first, size, &b)
                if system.c.anchored:
                    keep_rows(system, steps, scorer, steps.rows + first, size, b.scores)
                first += size
            take_best(system, steps, scorer, b.scores)
            steps.settle()
    release(&b)
    return failed


cdef void score_rows(LockStep steps, const ScorerC* scorer, LowerC* lower, const RowC* rows,
                     int n, BuffersC* b) noexcept nogil:
    cdef int n_features = scorer.n_words + scorer.n_attributes
    cdef int i, s
    for i in range(n):
        s = rows[i].sentence
        extract_features(scorer, &steps.states[s], rows[i].anchor, steps.first_word[s],
                         lower.n_words, b.features + i * n_features)
    compute_hidden(lower, scorer, b.features, n, b.hidden, b.which)
    score(scorer, b.hidden, n, b.scores)


cdef void keep_rows(TransitionSystem system, LockStep steps, const ScorerC* scorer,
                    const RowC* rows, int n, const float* scores) noexcept nogil:
    cdef int i
    for i in range(n):
        keep_scores(&steps.anchors[rows[i].sentence], system, rows[i].anchor,
                    scores + i * scorer.width)


cdef void take_best(TransitionSystem system, LockStep steps, const ScorerC* scorer,
                    const float* scores) noexcept nogil:
    cdef int i, s, index, anchor
    for i in range(steps.n_active):
        s = steps.active[i]
        if system.c.anchored:
            refresh_anchors(&steps.anchors[s], &system.c, &steps.states[s])
            index = best_of_anchors(&steps.anchors[s], &system.c, &steps.states[s], &anchor)
            steps.take(i, anchor, index, NULL)
        else:
            index = best_legal(system, steps.legal + i * system.c.n_transitions,
                               scores + i * scorer.width)
            steps.take(i, TOP, index, scores + i * scorer.width)
