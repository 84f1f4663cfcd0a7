"""The weights of a model as the compiled loops read them, and the first and last step of scoring:
features of configurations, and the upper layer."""

from libcpp.vector cimport vector

from ..machine.configuration cimport ConfigurationC
from .addresses cimport AddressC
from ..kernels.kernels cimport half_float
from ..kernels.row_product cimport RowProduct, RowProductC

# A word feature in the lower layer; see lower_layer.pxd for ready and later slots.
cdef struct SlotC:
    bint is_later
    int index             # among the ready or the later slots

cdef struct ScorerC:
    int n_words           # word features (slots) of a configuration
    int n_ready
    int n_later
    int inputs            # width of a word vector
    int stride            # size, rounded up for the kernels
    const SlotC* slots
    bint half             # whether products of the lower layer are half floats
    const RowProductC* ready      # of all ready slots, one behind the other
    const RowProductC* later      # (later slots,)
    const float* later_special    # (special rows, later slots, stride)
    int n_attributes
    int hidden
    int pieces
    int size              # hidden * pieces
    int width             # classes, rounded up for the kernels
    int reach_left        # how many tokens left of its anchor a feature looks
    int reach_right       # and right of it
    const AddressC* words
    const AddressC* attributes
    const int* attribute_start    # first row of each attribute's table
    const float* bias             # (size,)
    const float* tables           # (attribute rows, size)
    const half_float* half_tables  # the same as half floats
    const RowProductC* upper

cdef class Scorer:
    cdef ScorerC c
    cdef readonly int n_classes
    cdef readonly int n_labels
    cdef readonly int kept_words
    cdef readonly object weights        # Weights
    cdef str _rounding
    cdef str _kernel
    cdef RowProduct ready
    cdef object later_products          # RowProducts
    cdef vector[RowProductC] later
    cdef object ready_special           # (special rows, ready slots * size)
    cdef float[::1] later_special
    cdef int[:, ::1] slots
    cdef unsigned char[:, ::1] words         # of AddressC
    cdef unsigned char[:, ::1] attributes
    cdef int[::1] attribute_start
    cdef const float[::1] bias
    cdef const float[:, ::1] tables
    cdef unsigned short[:, ::1] half_tables
    cdef RowProduct upper

# Fills the features at an anchor: (n_words,) rows of the lower layer, then (n_attributes,) rows of
# the attribute tables. The configuration's words begin at first_row of the lower layer, which has
# n_rows words.
cdef void extract_features(const ScorerC* scorer, const ConfigurationC* c, int anchor,
                           int first_row, int n_rows, int* features) noexcept nogil

# Fills finite scores (n, width) of n configurations; returns whether all were finite at first.
cdef bint score(const ScorerC* scorer, const float* hidden, int n, float* scores) noexcept nogil
