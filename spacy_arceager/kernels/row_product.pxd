"""Products of rows of inputs with weights, wherever the rows lie."""

from .kernels cimport half_float

cdef extern from "row_product.h" nogil:
    enum: ROW_BLOCK
    void row_product(float* out, const float** inputs, const float* weights, const float* bias,
                     int n, int inner, int width)

# The inputs of a product: floats, or half floats if the product has pairs.
cdef struct InputsC:
    const float* floats
    const half_float* halves

cdef struct RowProductC:
    int n_inputs
    int stride            # columns of weights, rounded up for the kernels
    bint pairs            # whether an instruction of the processor multiplies half floats
    bint tiles            # whether it is the one of tile_product.h
    const float* weights  # in strips; used without pairs
    const half_float* half_weights  # in strips of pairs
    const float* bias

cdef class RowProduct:
    cdef RowProductC c
    cdef readonly bint halves     # whether half floats are multiplied
    cdef object memory            # keeps the arrays alive

cdef class Inputs:
    cdef InputsC c
    cdef object array

# out[n][stride] = bias + rows * weights, for at most ROW_BLOCK rows. Each of `starts` is the index
# in the inputs at which a row begins.
cdef void multiply(const RowProductC* product, float* out, InputsC inputs,
                   const Py_ssize_t* starts, int n) noexcept nogil
