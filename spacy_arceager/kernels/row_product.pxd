"""Products of rows of inputs with weights, wherever the rows lie."""

from libc.stdint cimport int8_t, uint8_t

from .kernels cimport ByteProduct, half_float

cdef extern from "row_product.h" nogil:
    enum: ROW_BLOCK
    void row_product(float* out, const float** inputs, const float* weights, const float* bias,
                     int n, int inner, int width)

# The inputs of a product: rows of floats, of half floats, or of bytes with their scales and sums.
cdef struct InputsC:
    const float* floats
    const half_float* halves
    const int8_t* bytes
    const float* scales
    const int* sums
    int width             # of a row of bytes

cdef struct RowProductC:
    int n_inputs
    int stride            # columns of weights, rounded up for the kernels
    bint pairs            # whether an instruction of the processor multiplies half floats
    bint tiles            # whether it is the one of tile_product.h
    bint bytes            # whether inputs and weights are rounded to bytes
    ByteProduct byte_product        # an instruction that multiplies bytes, or NULL
    const float* weights  # in strips; used without such an instruction
    const half_float* half_weights  # in strips of pairs
    const uint8_t* byte_weights     # in strips of fours
    const float* column_scales      # (stride,), of byte_weights
    const float* bias

cdef class RowProduct:
    cdef RowProductC c
    cdef readonly object rounding    # str | None
    cdef object memory            # keeps the arrays alive
    cdef object _lay_out(self, weights)

cdef class Inputs:
    cdef InputsC c
    cdef object memory            # keeps the arrays alive
    cdef object _set_bytes(self, floats)

# out[n][stride] = bias + rows * weights, for at most ROW_BLOCK rows. Each of `starts` is the index
# in the inputs at which a row begins.
cdef void multiply(const RowProductC* product, float* out, InputsC inputs,
                   const Py_ssize_t* starts, int n) noexcept nogil

# The same for any number of rows of floats, one behind the other. They are rounded here, if the
# product is one of bytes, which may have at most MOST_INPUTS inputs. It cannot be one of half
# floats.
cdef enum:
    MOST_INPUTS = 512

cdef void multiply_floats(const RowProductC* product, float* out, const float* floats,
                          int n) noexcept nogil
