"""A record of scored anchors; see record.pxd."""

import numpy

from libc.math cimport NAN
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset

from ..machine.configuration cimport ConfigurationC
from ..network.lower_layer cimport LowerC, compute_hidden
from ..network.scorer cimport Scorer, ScorerC, extract_features, score

cdef enum:
    DROPPED = 255     # marks a dropped hidden unit in `which`


cdef class Record:
    """Growing arrays with a row for each scored anchor; see record.pxd.

    Args:
        has_gradient: whether rows get a gradient as soon as there is room for them.
    """

    def __cinit__(self, bint has_gradient=True):
        self.has_gradient = has_gradient

    def __dealloc__(self):
        free(self.features)
        free(self.hidden)
        free(self.which)
        free(self.scores)
        free(self.d_scores)

    cdef int reserve(self, const ScorerC* scorer, size_t n) except -1 nogil:
        cdef size_t rows = self.rows + n
        if rows > self.capacity:
            rows = max(rows, 2 * self.capacity)
            grow(<void**>&self.features,
                 rows * (scorer.n_words + scorer.n_attributes) * sizeof(int))
            grow(<void**>&self.hidden, rows * scorer.hidden * sizeof(float))
            grow(<void**>&self.which, rows * scorer.hidden)
            grow(<void**>&self.scores, rows * scorer.width * sizeof(float))
            if self.has_gradient:
                grow(<void**>&self.d_scores, rows * scorer.width * sizeof(float))
            self.capacity = rows
        if self.has_gradient and n:
            memset(self.d_scores + self.rows * scorer.width, 0, n * scorer.width * sizeof(float))
        return 0

    cdef int start_gradient(self, const ScorerC* scorer) except -1:
        grow(<void**>&self.d_scores, self.capacity * scorer.width * sizeof(float))
        memset(self.d_scores, 0, self.rows * scorer.width * sizeof(float))
        self.has_gradient = True
        return 0

    cdef bint repeats(self, const ScorerC* scorer, int ahead, size_t other) noexcept nogil:
        cdef size_t n = scorer.n_words + scorer.n_attributes
        return memcmp(self.features + (self.rows + ahead) * n, self.features + other * n,
                      n * sizeof(int)) == 0

    cdef void move(self, const ScorerC* scorer, size_t row, size_t to) noexcept nogil:
        cdef size_t n = scorer.n_words + scorer.n_attributes
        if row == to:
            return
        memcpy(self.features + to * n, self.features + row * n, n * sizeof(int))
        n = scorer.hidden
        memcpy(self.hidden + to * n, self.hidden + row * n, n * sizeof(float))
        memcpy(self.which + to * n, self.which + row * n, n)
        n = scorer.width
        memcpy(self.scores + to * n, self.scores + row * n, n * sizeof(float))

    cdef dict arrays(self, Scorer scorer):
        cdef size_t n = self.rows
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
            memcpy(&c_features[0, 0], self.features, features.nbytes)
            memcpy(&c_hidden[0, 0], self.hidden, hidden.nbytes)
            memcpy(&c_which[0, 0], self.which, which.nbytes)
            memcpy(&c_scores[0, 0], self.scores, scores.nbytes)
            memcpy(&c_d_scores[0, 0], self.d_scores, d_scores.nbytes)
        return {
            "word_rows": numpy.ascontiguousarray(features[:, :n_words]),
            "attribute_rows": numpy.ascontiguousarray(features[:, n_words:]),
            "hidden": hidden,
            "which": which,
            "scores": scores[:, :scorer.n_classes],
            "d_scores": d_scores[:, :scorer.n_classes],
        }


cdef int grow(void** block, size_t size) except -1 nogil:
    # Large blocks keep their pages, so that nothing is copied, and new ones are not filled.
    cdef void* grown = realloc(block[0], max(size, <size_t>1))
    if grown == NULL:
        raise MemoryError()
    block[0] = grown
    return 0


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


cdef void record_features(Record r, const ScorerC* scorer, const LowerC* lower,
                          const ConfigurationC* c, int anchor, int first_word,
                          int ahead) noexcept nogil:
    cdef size_t row = r.rows + ahead
    extract_features(scorer, c, anchor, first_word, lower.n_words,
                     r.features + row * (scorer.n_words + scorer.n_attributes))


cdef void record_scores(Record r, const ScorerC* scorer, LowerC* lower, int n,
                        float dropout, uint64_t* random) noexcept nogil:
    cdef float* hidden = r.hidden + r.rows * scorer.hidden
    cdef unsigned char* which = r.which + r.rows * scorer.hidden
    compute_hidden(
        lower, scorer, r.features + r.rows * (scorer.n_words + scorer.n_attributes),
        n, hidden, which)
    if dropout > 0:
        drop_out(hidden, which, n * scorer.hidden, dropout, random)
    if not score(scorer, hidden, n, r.scores + r.rows * scorer.width):
        r.loss = NAN      # the log then shows that the training has diverged
    r.rows += n
