"""A record of scored anchors: rows of features, hidden layer, scores and the gradient so far."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from ..machine.configuration cimport ConfigurationC
from ..network.lower_layer cimport LowerC
from ..network.scorer cimport Scorer, ScorerC

# Growing arrays, of which `rows` rows are in use. Only a record that learns has gradients.
cdef class Record:
    cdef bint learns
    cdef size_t rows
    cdef vector[int] features
    cdef vector[float] hidden
    cdef vector[unsigned char] which
    cdef vector[float] scores
    cdef vector[float] d_scores
    cdef double loss
    cdef int n_states
    cdef int n_wrong

    # Makes room for n more rows, whose gradient is 0. Pointers into the arrays may change.
    cdef int reserve(self, const ScorerC* scorer, size_t n) except -1 nogil

    # Takes memory for n rows, so that the arrays need not be moved when they grow.
    cdef int expect(self, const ScorerC* scorer, size_t n) except -1 nogil

    # Whether the row that lies `ahead` rows behind those in use has the same features as another.
    cdef bint repeats(self, const ScorerC* scorer, int ahead, size_t other) noexcept nogil

    # Moves what is needed of a row to a row before it.
    cdef void move(self, const ScorerC* scorer, size_t row, size_t to) noexcept nogil

    # The rows as NumPy arrays, by the names of RollOut's fields.
    cdef dict arrays(self, Scorer scorer)

# Records the features at an anchor, `ahead` rows behind those in use. first_word: index in the
# block of the sentence's first word.
cdef void record_features(Record r, const ScorerC* scorer, const LowerC* lower,
                          const ConfigurationC* c, int anchor, int first_word,
                          int ahead) noexcept nogil

# Computes hidden layer and scores of the next n rows, and takes these rows into use.
cdef void record_scores(Record r, const ScorerC* scorer, LowerC* lower, int n,
                        float dropout, uint64_t* random) noexcept nogil

# A random number, uniform in [0, 1).
cdef double draw(uint64_t* state) noexcept nogil
