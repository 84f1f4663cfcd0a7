"""What was scored: rows of features, hidden layer, scores and the gradient so far."""

from libc.stdint cimport uint64_t

from ..machine.configuration cimport ConfigurationC
from .lower_layer cimport LowerC
from .scorer cimport Scorer, ScorerC

# Growing arrays; `rows` of each are in use.
cdef struct RecordC:
    size_t rows
    size_t capacity
    int* features
    float* hidden
    unsigned char* which
    float* scores
    float* d_scores
    double loss
    int n_states
    int n_wrong

# Room for n more rows. False where memory is short. Pointers into the arrays may change.
cdef bint reserve(RecordC* r, const ScorerC* scorer, size_t n) noexcept nogil
cdef void release(RecordC* r) noexcept nogil

# Records what the model sees at an anchor, `ahead` rows behind those in use. first_word: of
# the sentence, among those of the block.
cdef void record_features(RecordC* r, const ScorerC* scorer, const LowerC* lower,
                          const ConfigurationC* c, int anchor, int first_word,
                          int ahead) noexcept nogil

# Computes hidden layer and scores of the next n rows, which are in use from then on, with no
# gradient yet.
cdef void record_scores(RecordC* r, const ScorerC* scorer, LowerC* lower, int n,
                        float dropout, uint64_t* random) noexcept nogil

# The rows as NumPy arrays: a dict of RollOut's array fields.
cdef dict record_arrays(RecordC* r, Scorer scorer)

# Uniform in [0, 1).
cdef double draw(uint64_t* state) noexcept nogil
