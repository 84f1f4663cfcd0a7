"""The lower layer: sums of products of word vectors with the weights of feature slots.

Slots such as O1 and U1 are "ready": nearly every word fills them, and one matrix product before
parsing has the products of all words. The slots O3, O2.left1 and the like are "later": few words
fill them, and a product is computed when a configuration first needs it, together with those that
the other configurations of the step need.

Products take much of the time of parsing, and sums wait for memory. The scorer therefore keeps
products as half floats (bfloat16), and rounds what it multiplies.

A block of very many words, which is one long sentence, would need kilobytes a word. Its products
are computed when they are needed, those of the ready slots for a strip of words at a time. Where
there is no more room, all are forgotten, and those that are needed again are computed again.
"""

from cymem.cymem cimport Pool

from ..kernels.row_product cimport Inputs, InputsC
from .scorer cimport Scorer, ScorerC

# The products for the words of one block. Rows are words, then MISSING_ROW, END_ROW and ROOT_ROW.
cdef struct LowerC:
    int n_words
    InputsC inputs          # the vectors, (n_words, inputs)
    int item                # bytes of a number in `ready` and `computed`
    char* ready             # (rows, ready slots, size); of a long block, as many strips as fit
    int* strips             # (strips,): place in `ready`, NONE before it is computed; NULL if short
    int n_strips            # in `ready` now
    int most_strips         # that fit into `ready`
    int* place              # (rows, later slots): row of `computed`, NONE before it is computed
    char* computed          # (.., stride): products of later slots, in the order of computing
    int n_computed
    int most_computed       # that fit into `computed`; 0 if all do
    int* wanted             # scratch: words whose product is needed next
    Py_ssize_t* starts      # scratch: where the vectors of words to be multiplied begin
    float* products         # scratch: (.., ready or later stride), before they are kept
    const char** rows       # scratch: the rows that are summed for a configuration
    float* sums             # scratch: (size,)

cdef class LowerLayer:
    cdef LowerC c
    cdef Pool memory
    cdef Scorer scorer
    cdef int capacity
    cdef int short_block
    cdef int* strips
    cdef readonly object ready      # NDArray
    cdef object computed
    cdef Inputs inputs

# Fills hidden layer and winning pieces, (n, hidden) each, of n configurations. The features are
# those of extract_features, one configuration after the other.
cdef void compute_hidden(LowerC* lower, const ScorerC* scorer, const int* features, int n,
                         float* hidden, unsigned char* which) noexcept nogil
