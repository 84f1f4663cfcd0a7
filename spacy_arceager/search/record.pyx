"""A record of scored anchors; see record.pxd."""

import numpy

from libc.math cimport NAN
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy

from ..machine.configuration cimport ConfigurationC
from ..network.lower_layer cimport LowerC, compute_hidden
from ..network.scorer cimport Scorer, ScorerC, extract_features, score

cdef enum:
    DROPPED = 255     # marks a dropped hidden unit in `which`


cdef class Record:
    """Growing arrays with a row for each scored anchor; see record.pxd.

    Args:
        learns: whether the rows have gradients.
    """

    def __cinit__(self, bint learns=True):
        self.learns = learns

    cdef int reserve(self, const ScorerC* scorer, size_t n) except -1 nogil:
        cdef size_t rows = self.rows + n
        if not self.learns and rows * scorer.width <= self.scores.size():
            return 0      # rows were given back, and to make the arrays shorter would cost time
        self.features.resize(rows * (scorer.n_words + scorer.n_attributes))
        self.hidden.resize(rows * scorer.hidden)
        self.which.resize(rows * scorer.hidden)
        self.scores.resize(rows * scorer.width)
        if self.learns:
            self.d_scores.resize(rows * scorer.width)
        return 0

    cdef int expect(self, const ScorerC* scorer, size_t n) except -1 nogil:
        self.features.reserve(n * (scorer.n_words + scorer.n_attributes))
        self.hidden.reserve(n * scorer.hidden)
        self.which.reserve(n * scorer.hidden)
        self.scores.reserve(n * scorer.width)
        if self.learns:
            self.d_scores.reserve(n * scorer.width)
        return 0

    cdef bint repeats(self, const ScorerC* scorer, int ahead, size_t other) noexcept nogil:
        cdef size_t n = scorer.n_words + scorer.n_attributes
        cdef const int* features = self.features.data()
        return memcmp(features + (self.rows + ahead) * n, features + other * n,
                      n * sizeof(int)) == 0

    cdef void move(self, const ScorerC* scorer, size_t row, size_t to) noexcept nogil:
        cdef size_t n = scorer.n_words + scorer.n_attributes
        cdef float* scores = self.scores.data()
        cdef int* features = self.features.data()
        memcpy(features + to * n, features + row * n, n * sizeof(int))
        memcpy(scores + to * scorer.width, scores + row * scorer.width,
               scorer.width * sizeof(float))

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
            memcpy(&c_features[0, 0], self.features.data(), features.nbytes)
            memcpy(&c_hidden[0, 0], self.hidden.data(), hidden.nbytes)
            memcpy(&c_which[0, 0], self.which.data(), which.nbytes)
            memcpy(&c_scores[0, 0], self.scores.data(), scores.nbytes)
            memcpy(&c_d_scores[0, 0], self.d_scores.data(), d_scores.nbytes)
        return {
            "word_rows": numpy.ascontiguousarray(features[:, :n_words]),
            "attribute_rows": numpy.ascontiguousarray(features[:, n_words:]),
            "hidden": hidden,
            "which": which,
            "scores": scores[:, :scorer.n_classes],
            "d_scores": d_scores[:, :scorer.n_classes],
        }


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
                     r.features.data() + row * (scorer.n_words + scorer.n_attributes))


cdef void record_scores(Record r, const ScorerC* scorer, LowerC* lower, int n,
                        float dropout, uint64_t* random) noexcept nogil:
    cdef float* hidden = r.hidden.data() + r.rows * scorer.hidden
    cdef unsigned char* which = r.which.data() + r.rows * scorer.hidden
    compute_hidden(
        lower, scorer, r.features.data() + r.rows * (scorer.n_words + scorer.n_attributes),
        n, hidden, which)
    if dropout > 0:
        drop_out(hidden, which, n * scorer.hidden, dropout, random)
    if not score(scorer, hidden, n, r.scores.data() + r.rows * scorer.width):
        r.loss = NAN      # the log then shows that the training has diverged
    r.rows += n
