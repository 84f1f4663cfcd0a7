# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Exact parsing with the compiled layers of the package, without the GIL."""

import numpy

from libc.stdlib cimport malloc, free

from spacy_arceager.network.lower_layer cimport LowerC, LowerLayer, compute_hidden
from spacy_arceager.network.scorer cimport Scorer, ScorerC, score
from replication.exact.chart cimport ChartC, LOW, fill, make, trace

cdef enum:
    ROWS = 128      # pairs that are scored at a time
    BLOCK = 200     # words whose products are kept at a time, or one sentence
    N_BINS = 10

cdef int* FIRST_OF_BIN = [0, 1, 2, 3, 4, 5, 7, 10, 15, 25]


cdef struct ClassesC:
    int shift
    int left
    int right
    int reduce
    int n_labels


cdef inline int bin_of(int distance) noexcept nogil:
    cdef int i = min(distance, 5)
    while i < N_BINS - 1 and distance >= FIRST_OF_BIN[i + 1]:
        i += 1
    return i


cdef inline int highest(const float* scores, int n) noexcept nogil:
    cdef float top = scores[0]
    cdef int i
    for i in range(1, n):
        top = scores[i] if scores[i] > top else top
    for i in range(n):
        if scores[i] == top:
            return i
    return 0


cdef void parse_one(const ScorerC* scorer, LowerC* lower, const ClassesC* classes, int first, int n,
                    int* heads, int* labels) noexcept nogil:
    cdef int s = n + 1, total = n * (n + 1) // 2, row = 0, i, j, k, m, done = 0, best, r, places
    cdef int n_features = scorer.n_words + scorer.n_attributes
    cdef int features[ROWS * 8]
    cdef int tops[ROWS]
    cdef int fronts[ROWS]
    cdef size_t size = s * s
    cdef float* hidden = <float*>malloc(ROWS * scorer.hidden * sizeof(float))
    cdef unsigned char* which = <unsigned char*>malloc(ROWS * scorer.hidden)
    cdef float* scores = <float*>malloc(ROWS * scorer.width * sizeof(float))
    cdef double* tables = <double*>malloc((4 * size + s) * sizeof(double))
    cdef double* shift = tables
    cdef double* left = tables + size
    cdef double* right = tables + 2 * size
    cdef double* reduce = tables + 3 * size
    cdef double* root = tables + 4 * size
    cdef int* best_left = <int*>malloc(2 * size * sizeof(int))
    cdef int* best_right = best_left + size
    cdef int* work = <int*>malloc((6 * (n + 4) + s) * sizeof(int))
    cdef int* by_place = work + 6 * (n + 4)
    cdef const float* at
    cdef ChartC c
    j, k = 1, 0
    while done < total:
        m = min(<int>ROWS, total - done)
        for i in range(m):
            tops[i], fronts[i] = k, j
            features[i * n_features] = first + j - 1
            features[i * n_features + 1] = lower.n_words if k == 0 else first + k - 1
            features[i * n_features + 2] = lower.n_words if j == n else first + j
            features[i * n_features + 3] = scorer.attribute_start[0] + (
                0 if k == 0 else 1 + bin_of(j - k))
            k += 1
            if k == j:
                j, k = j + 1, 0
        compute_hidden(lower, scorer, features, m, hidden, which)
        score(scorer, hidden, m, scores)
        for i in range(m):
            at = scores + i * scorer.width
            places = tops[i] * s + fronts[i]
            shift[places] = at[classes.shift]
            reduce[places] = at[classes.reduce]
            if tops[i]:
                best_left[places] = highest(at + classes.left, classes.n_labels)
                best_right[places] = highest(at + classes.right, classes.n_labels)
                left[places] = at[classes.left + best_left[places]]
                right[places] = at[classes.right + best_right[places]]
            else:
                left[places] = right[places] = LOW
        done += m
    shift[n] = 0
    for i in range(s):
        root[i] = 0
    make(&c, n)
    fill(&c, shift, left, right, reduce, False)
    trace(&c, root, by_place, work)
    for i in range(1, s):
        k = by_place[i]
        heads[i - 1] = i - 1 if k == 0 else k - 1
        if k == 0:
            labels[i - 1] = -1
        elif k > i:
            labels[i - 1] = best_left[i * s + k]
        else:
            labels[i - 1] = best_right[k * s + i]
    free(c.A)
    free(hidden)
    free(which)
    free(scores)
    free(tables)
    free(best_left)
    free(work)


def parse(Scorer scorer not None, vectors, lengths, classes):
    """Heads (a root's is itself) and labels (a root's is -1) of all sentences."""
    cdef ClassesC c = ClassesC(
        classes.shift, classes.left.start, classes.right.start, classes.reduce, scorer.n_labels)
    cdef int n_words = len(vectors), first = 0, begin = 0, n
    heads = numpy.empty(n_words, dtype="i")
    labels = numpy.empty(n_words, dtype="i")
    cdef int[::1] c_heads = heads
    cdef int[::1] c_labels = labels
    cdef int longest = max(lengths)
    cdef LowerLayer lower = LowerLayer(scorer, max(BLOCK, longest))
    blocks = []
    last = []
    for n in lengths:
        if not last or sum(last) + n > BLOCK:
            last = []
            blocks.append(last)
        last.append(n)
    for block in blocks:
        size = sum(block)
        lower.start(vectors[begin:begin + size])
        first = 0
        for n in block:
            with nogil:
                parse_one(&scorer.c, &lower.c, &c, first, n, &c_heads[begin + first],
                          &c_labels[begin + first])
            first += n
        begin += size
    return heads, labels
