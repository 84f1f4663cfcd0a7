"""Products of rows of inputs with weights, wherever the rows lie."""

from .kernels cimport half_float

cdef extern from "row_product.h" nogil:
    enum: ROW_BLOCK
    void row_product(float* out, const float** inputs, const float* weights, const float* bias,
                     int n, int inner, int width)

# The inputs of a product: floats, or half floats where those are not NULL.
cdef struct InputsC:
    const float* floats
    const half_float* halves

cdef class RowProduct:
    cdef readonly int n_inputs
    cdef readonly int stride      # columns of weights, rounded up for the kernels
    cdef readonly bint halves     # whether half floats are multiplied
    cdef bint pairs               # whether the processor's instruction multiplies them
    cdef object memory            # keeps the arrays alive
    cdef const float* weights
    cdef const half_float* half_weights     # in strips of pairs; used with `pairs`
    cdef const float* bias

    # out[n][stride] = bias + rows * weights, for at most ROW_BLOCK rows. Each of `starts` is the
    # index in the inputs at which a row begins.
    cdef void multiply(self, float* out, InputsC inputs, const Py_ssize_t* starts,
                       int n) noexcept nogil


# The inputs of a product, out of an array of floats.
cdef class Inputs:
    cdef InputsC c
    cdef object array
