"""A record of scored anchors: rows of features, hidden layer, scores and the gradient so far."""

from libc.stdint cimport uint64_t

from ..machine.configuration cimport ConfigurationC
from ..network.lower_layer cimport LowerC
from ..network.scorer cimport Scorer, ScorerC

# Growing arrays, with room for `capacity` rows, of which `rows` are in use.
cdef class Record:
    cdef bint has_gradient
    cdef size_t rows
    cdef size_t capacity
    cdef int* features
    cdef float* hidden
    cdef unsigned char* which
    cdef float* scores
    cdef float* d_scores
    cdef double loss
    cdef int n_states
    cdef int n_wrong

    # Makes room for n more rows, whose gradient, if they have one, is 0. Pointers into the arrays
    # may change.
    cdef int reserve(self, const ScorerC* scorer, size_t n) except -1 nogil

    # Gives all rows a gradient, which is 0.
    cdef int start_gradient(self, const ScorerC* scorer) except -1

    # Whether the row that lies `ahead` rows behind those in use has the same features as another.
    cdef bint repeats(self, const ScorerC* scorer, int ahead, size_t other) noexcept nogil

    # Moves a row that has no gradient to a place before it.
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
