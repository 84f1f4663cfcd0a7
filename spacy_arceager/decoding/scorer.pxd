"""Scores of configurations in lock-step: features, lower layer, maxout, upper layer."""

from ..machine.configuration cimport ConfigurationC

# One feature address; see model/features.py, Address.row.
cdef struct AddressC:
    int in_unprocessed
    int position
    int hop1
    int hop2
    int attribute
    int other_position

cdef struct ScorerC:
    int n_words           # word features (slots) of a configuration
    int n_attributes
    int hidden
    int pieces
    int size              # hidden * pieces
    int width             # classes, rounded up for the kernels
    int reach_left        # how far left and right of its anchor a row's features look
    int reach_right
    const AddressC* words
    const AddressC* attributes
    const int* attribute_start    # first row of each attribute's table
    const float* bias             # (size,)
    const float* tables           # (attribute rows, size)
    const float* upper            # (hidden, width)
    const float* upper_bias       # (width,)

# Rows of the precomputed table behind those of the words.
cdef enum:
    MISSING_ROW = 0
    END_ROW = 1
    ROOT_ROW = 2
    N_SPECIAL_ROWS = 3

cdef class Scorer:
    cdef ScorerC c
    cdef readonly int n_classes
    cdef readonly object weights        # Weights of model/transition_model.py
    cdef int[:, ::1] words
    cdef int[:, ::1] attributes
    cdef int[::1] attribute_start
    cdef float[::1] bias
    cdef float[:, ::1] tables
    cdef float[:, ::1] upper
    cdef float[::1] upper_bias

# Features at an anchor of a configuration whose first word is row `first_row` of a table
# of `n_rows` words: word_rows (n_words,) rows of the table; attribute_rows (n_attributes,)
# rows of the attribute tables.
cdef void extract_features(const ScorerC* scorer, const ConfigurationC* c, int anchor,
                           int first_row, int n_rows, int* word_rows,
                           int* attribute_rows) noexcept nogil

# The lower layer of one configuration: `table` is (n_rows + N_SPECIAL_ROWS, n_words,
# size); `sums` holds `size` floats; fills hidden and which (hidden,).
cdef void lower_layer(const ScorerC* scorer, const float* table, const int* word_rows,
                      const int* attribute_rows, const float** rows, float* sums,
                      float* hidden, unsigned char* which) noexcept nogil

# Scores (n, width) of n configurations; both buffers are padded to a multiple of four.
cdef void score(const ScorerC* scorer, const float* hidden, int n, float* scores) noexcept nogil
