"""A gated recurrence in both directions; see recurrence.h and recurrence.pyx."""

cdef extern from "recurrence.h" nogil:
    void open_gates(float* gates, int width)
    void recur(float* out, float* cell, const float* before, const float* gates, int first,
               int last, int width)
    void backprop_recur(float* d_products, float* d_cell, const float* d_out,
                        const float* cell, const float* before, const float* gates,
                        int first, int last, int width)


cdef class Cells:
    cdef float[:, ::1] gates, cells


cdef class Recurrence:
    cdef readonly int n_inputs, width
    cdef int stride    # products of a word, up to whole groups of lanes
    cdef object memory
    cdef const float* weights
    cdef const float* bias
    cdef const float* zeros

    cdef int check(self, lengths, int n_inputs, const float[:, ::1] out,
                   Cells record) except -1
    cdef void multiply(self, float* gates, const float* inputs, int n) noexcept nogil
    cdef void read(self, float* out, float* cells, const float* gates, int n) noexcept nogil
    cdef void backprop_read(self, float* d_products, float* d_cell, const float* d_out,
                            const float* cells, const float* gates, int n) noexcept nogil
