"""What was scored; see record.pxd."""

import numpy

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from ..machine.configuration cimport ConfigurationC
from .lower_layer cimport LowerC, compute_hidden
from .scorer cimport Scorer, ScorerC, extract_features, score

cdef enum:
    DROPPED = 255     # in `which`: the hidden unit was dropped out


cdef bint reserve(RecordC* r, const ScorerC* scorer, size_t n) noexcept nogil:
    cdef size_t capacity
    if r.rows + n <= r.capacity:
        return True
    capacity = 2 * (r.rows + n)
    r.features = <int*>realloc(
        r.features, capacity * (scorer.n_words + scorer.n_attributes) * sizeof(int))
    r.hidden = <float*>realloc(r.hidden, capacity * scorer.hidden * sizeof(float))
    r.which = <unsigned char*>realloc(r.which, capacity * scorer.hidden)
    r.scores = <float*>realloc(r.scores, capacity * scorer.width * sizeof(float))
    r.d_scores = <float*>realloc(r.d_scores, capacity * scorer.width * sizeof(float))
    r.capacity = capacity
    return r.features and r.hidden and r.which and r.scores and r.d_scores


cdef void release(RecordC* r) noexcept nogil:
    free(r.features)
    free(r.hidden)
    free(r.which)
    free(r.scores)
    free(r.d_scores)


cdef double draw(uint64_t* state) noexcept nogil:
    # xorshift64* (Vigna 2016).
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


cdef void record_features(RecordC* r, const ScorerC* scorer, const LowerC* lower,
                          const ConfigurationC* c, int anchor, int first_word,
                          int ahead) noexcept nogil:
    cdef size_t row = r.rows + ahead
    extract_features(scorer, c, anchor, first_word, lower.n_words,
                     r.features + row * (scorer.n_words + scorer.n_attributes))


cdef void record_scores(RecordC* r, const ScorerC* scorer, LowerC* lower, int n,
                        float dropout, uint64_t* random) noexcept nogil:
    cdef float* hidden = r.hidden + r.rows * scorer.hidden
    cdef unsigned char* which = r.which + r.rows * scorer.hidden
    compute_hidden(lower, scorer, r.features + r.rows * (scorer.n_words + scorer.n_attributes),
                   n, hidden, which)
    if dropout > 0:
        drop_out(hidden, which, n * scorer.hidden, dropout, random)
    score(scorer, hidden, n, r.scores + r.rows * scorer.width)
    memset(r.d_scores + r.rows * scorer.width, 0, n * scorer.width * sizeof(float))
    r.rows += n


cdef dict record_arrays(RecordC* r, Scorer scorer):
    cdef size_t n = r.rows
    cdef int n_words = scorer.c.n_words
    features = numpy.empty((n, n_words + scorer.c.n_attributes), dtype="i")
    hidden = numpy.empty((n, scorer.c.hidden), dtype="f")
    which = numpy.empty((n, scorer.c.hidden), dtype="B")
    scores = numpy.empty((n, scorer.c.width), dtype="f")
    d_scores = numpy.empty((n, scorer.c.width), dtype="f")
    cdef int[:, ::1] c_features = features
    cdef float[:, ::1] c_hidden = hidden
    cdef unsigned char[:, ::1] c_which = which
    cdef float[:, ::1] c_scores = scores
    cdef float[:, ::1] c_d_scores = d_scores
    if n:
        memcpy(&c_features[0, 0], r.features, features.nbytes)
        memcpy(&c_hidden[0, 0], r.hidden, hidden.nbytes)
        memcpy(&c_which[0, 0], r.which, which.nbytes)
        memcpy(&c_scores[0, 0], r.scores, scores.nbytes)
        memcpy(&c_d_scores[0, 0], r.d_scores, d_scores.nbytes)
    return {
        "word_rows": numpy.ascontiguousarray(features[:, :n_words]),
        "attribute_rows": numpy.ascontiguousarray(features[:, n_words:]),
        "hidden": hidden,
        "which": which,
        "scores": scores[:, :scorer.n_classes],
        "d_scores": d_scores[:, :scorer.n_classes],
    }
