"""The lower layer: sums of products of word vectors with the weights of feature slots.

Slots such as O1 and U1 are filled by nearly every word; their products are one matrix product
before parsing. The others (O3, O2.left1, ...) see few of the words; their products are computed
when a configuration first needs them, for a step's configurations together.

Summing waits for memory, and products take half of the time of parsing. So vectors, weights and
products are half floats (bfloat16) where the scorer is made for that: in parsing, not in training.
"""

from cymem.cymem cimport Pool

from ..kernels.kernels cimport half_float
from .scorer cimport Scorer, ScorerC

# For the words of one block. Rows are words, then MISSING_ROW, END_ROW and ROOT_ROW.
cdef struct LowerC:
    int n_words
    const float* vectors    # (n_words, inputs)
    const half_float* halves  # (n_words, half_inputs); where the scorer has `pairs`
    int item                # bytes of a number in `ready` and `computed`
    char* ready             # (rows, ready slots, size)
    int* place              # (rows, later slots): row of `computed`, NONE if not there yet
    char* computed          # (.., stride): products of later slots in order of need
    int n_computed
    int* wanted             # scratch: words whose product is needed next
    float* gathered         # scratch: their vectors
    half_float* half_gathered  # likewise
    float* products         # scratch: as floats, before they become half floats
    const char** rows       # scratch: what is summed for a configuration
    float* sums             # scratch: (size,)

cdef class LowerLayer:
    cdef LowerC c
    cdef Pool memory
    cdef Scorer scorer
    cdef int capacity
    cdef readonly object ready      # as in LowerC
    cdef object computed
    cdef const float[:, ::1] vectors
    cdef unsigned short[:, ::1] halves

# Hidden layer and winning pieces, each (n, hidden), of n configurations; features as
# extract_features leaves them, one configuration after the other.
cdef void compute_hidden(LowerC* lower, const ScorerC* scorer, const int* features, int n,
                         float* hidden, unsigned char* which) noexcept nogil
