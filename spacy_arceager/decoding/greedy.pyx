"""Greedy decoding: each sentence takes the best-scored legal transition until it ends."""

import numpy

from libc.stdlib cimport free, malloc

from ..machine.system cimport TransitionSystem
from .lockstep cimport LockStep, best_legal, check_classes, take
from .scorer cimport Scorer, ScorerC, extract_features, lower_layer, score

# Words a block: few enough that the precomputed table stays in the cache.
BLOCK = 192


def parse(TransitionSystem system not None, Scorer scorer not None, vectors, lengths):
    """Parse sentences with the model's best transitions.

    vectors: (n_words, width) float32, the words of all sentences one after the other.
    lengths: words of each sentence.
    Returns heads and labels, (n_words,) int32 each: heads count from the sentence's first
    word and a root is its own head; labels are indices, -1 for a root.
    """
    check_classes(system, scorer)
    lengths = numpy.asarray(lengths, dtype="i")
    if vectors.shape[0] != lengths.sum():
        raise ValueError(f"{vectors.shape[0]} vectors for {lengths.sum()} words")
    heads = numpy.empty((vectors.shape[0],), dtype="i")
    labels = numpy.empty((vectors.shape[0],), dtype="i")
    starts = numpy.concatenate([[0], numpy.cumsum(lengths)])
    # Sentences of like length end together.
    order = numpy.argsort(lengths, kind="stable")
    longest = lengths.max() if lengths.size else 0
    table = scorer.new_table(min(max(BLOCK, longest), vectors.shape[0]))
    for block in split_into_blocks(order, lengths):
        words = numpy.concatenate([numpy.arange(starts[i], starts[i + 1]) for i in block])
        if words.size:
            heads[words], labels[words] = parse_block(
                system, scorer, vectors[words], lengths[block], table
            )
    return heads, labels


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


def parse_block(TransitionSystem system, Scorer scorer, vectors, int[::1] lengths, memory):
    """Parse one block of sentences; as `parse`. memory: see Scorer.precompute, table."""
    cdef float[:, ::1] table = scorer.precompute(vectors, memory)
    cdef int n_words = vectors.shape[0]
    cdef LockStep steps = LockStep(
        system, lengths, scorer.c.n_words + scorer.c.n_attributes
    )
    heads = numpy.empty((n_words,), dtype="i")
    labels = numpy.empty((n_words,), dtype="i")
    cdef int[::1] c_heads = heads
    cdef int[::1] c_labels = labels
    cdef int failed
    with nogil:
        failed = run(system, steps, &scorer.c, &table[0, 0], n_words)
        steps.results(&c_heads[0], &c_labels[0])
    if failed:
        raise MemoryError()
    return heads, labels


cdef int run(TransitionSystem system, LockStep steps, const ScorerC* scorer,
             const float* table, int n_words) noexcept nogil:
    cdef int padded = steps.n_sentences + 3
    cdef int n_features = scorer.n_words + scorer.n_attributes
    cdef float* sums = <float*>malloc(scorer.size * sizeof(float))
    cdef float* hidden = <float*>malloc(padded * scorer.hidden * sizeof(float))
    cdef unsigned char* which = <unsigned char*>malloc(scorer.hidden)
    cdef float* scores = <float*>malloc(padded * scorer.width * sizeof(float))
    cdef int* features = <int*>malloc(n_features * sizeof(int))
    cdef int i, s, index
    cdef int n_transitions = system.c.n_transitions
    cdef bint failed = not (sums and hidden and which and scores and features)
    if not failed:
        for i in range(padded * scorer.hidden):
            hidden[i] = 0
        steps.settle()
        while steps.n_active:
            for i in range(steps.n_active):
                s = steps.active[i]
                extract_features(scorer, &steps.states[s], steps.first_row[s], n_words,
                                 features, features + scorer.n_words)
                lower_layer(scorer, table, features, features + scorer.n_words, steps.rows,
                            sums, hidden + i * scorer.hidden, which)
            score(scorer, hidden, steps.n_active, scores)
            for i in range(steps.n_active):
                s = steps.active[i]
                index = best_legal(system, steps.legal + i * n_transitions,
                                   scores + i * scorer.width)
                take(system, &steps.states[s], index, scores + i * scorer.width)
            steps.settle()
    free(sums)
    free(hidden)
    free(which)
    free(scores)
    free(features)
    return failed
