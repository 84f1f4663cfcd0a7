"""A gated recurrence in both directions; see recurrence.h and recurrence.pyx."""

from .row_product cimport InputsC, RowProduct, RowProductC

cdef extern from "recurrence.h" nogil:
    void open_gates(float* gates, int units)
    void recur(float* out, float* cell, const float* before, const float* gates, int units)
    void backprop_recur(float* d_products, float* d_cell, const float* d_out,
                        const float* cell, const float* before, const float* gates,
                        int units, int stride)


cdef struct Side:
    # The units that read from one end.
    const RowProductC* product
    int first
    int units
    bint from_end


cdef class Cells:
    cdef float[:, ::1] cells
    cdef list gates     # of each side, float[:, ::1]


cdef class Recurrence:
    cdef readonly int n_inputs, width
    cdef Side[2] sides
    cdef RowProduct from_start, from_end     # the products of each side
    cdef float[::1] zeros

    cdef int check(self, lengths, int n_inputs, const float[:, ::1] out,
                   Cells record) except -1
    cdef void read(self, const Side* side, float* out, float* cells, float* gates, bint keep,
                   InputsC inputs, const int* lengths, int n_docs,
                   int n_words) noexcept nogil
    cdef void make_gates(self, const Side* side, float* gates, InputsC inputs, int first,
                         int n) noexcept nogil
    cdef void backprop_read(self, const Side* side, float* d_products, float* d_cell,
                            const float* d_out, const float* cells, const float* gates,
                            const int* lengths, int n_docs, int n_words) noexcept nogil
