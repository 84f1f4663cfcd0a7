"""A maxout layer with layer normalisation; see maxout_norm.h and maxout_norm.pyx."""

from libc.stdint cimport uint64_t

from .row_product cimport InputsC, RowProduct

cdef extern from "maxout_norm.h" nogil:
    float maxout_norm_row(float* out, float* normed, unsigned char* which,
                          const float* products, const float* gain, const float* shift,
                          const float* residual, int pieces, int hidden)
    void drop_units(unsigned char* which, int size, uint64_t seed, unsigned threshold)
    void apply_dropout(float* out, const float* normed, const unsigned char* which,
                       const float* gain, const float* shift, const float* residual,
                       int hidden, float keep)
    void backprop_maxout_norm_row(float* d_products, float* d_gain, float* d_shift,
                                  float* d_normed, const float* d_out, const float* normed,
                                  const unsigned char* which, const float* gain, float scale,
                                  int pieces, int hidden, float keep)


cdef class MaxoutRecord:
    cdef float[:, ::1] normed
    cdef unsigned char[:, ::1] which
    cdef float[::1] scale
    cdef float dropout
    cdef uint64_t seed


cdef class MaxoutNorm:
    cdef readonly int n_inputs, n_hidden, n_pieces
    cdef readonly object rounding    # str | None
    cdef RowProduct product
    cdef object memory
    cdef float* gain
    cdef float* shift

    # residual: the inputs, if the middle row of each window is added to its output, else NULL.
    cdef int run(self, float* out, const int* out_rows, InputsC inputs, const int* rows,
                 int stride, int back, const float* residual, int n,
                 MaxoutRecord record) except -1 nogil
