"""Products of rows of inputs with weights; see row_product.pxd."""

import numpy

from libc.stdint cimport uintptr_t

from .kernels cimport half_product, has_half_product
from .strips cimport halved, in_pairs
from .strips import aligned, in_strips, padded, rounded


cdef class RowProduct:
    """Weights in the order in which the kernels read them.

    Args:
        weights: (inputs, width).
        bias: (width,).
        halves: whether weights and inputs are rounded to half floats before they are multiplied.
            Some processors have an instruction for that, which is twice as fast; others find the
            same products with floats.
    """

    def __init__(
        self, weights: NDArray[numpy.float32], bias: NDArray[numpy.float32], bint halves=False,
    ):
        cdef const unsigned short[::1] pairs
        filled = padded(bias)
        self.n_inputs, self.stride, self.halves = len(weights), len(filled), halves
        # The instruction takes two inputs at a time.
        self.pairs = halves and has_half_product() and self.n_inputs % 2 == 0
        floats = weights[:0] if self.pairs else rounded(weights) if halves else weights
        arrays = aligned(in_strips(floats), filled)
        self.weights = <const float*><uintptr_t>arrays[0].ctypes.data
        self.bias = <const float*><uintptr_t>arrays[1].ctypes.data
        self.memory = arrays
        if self.pairs and weights.size:
            pairs = in_pairs(weights).reshape((-1,))
            self.half_weights = &pairs[0]
            self.memory = arrays, pairs

    cdef void multiply(self, float* out, InputsC inputs, const Py_ssize_t* starts,
                       int n) noexcept nogil:
        cdef const float* rows[ROW_BLOCK]
        cdef const half_float* half_rows[ROW_BLOCK]
        cdef int i
        if self.pairs:
            for i in range(n):
                half_rows[i] = inputs.halves + starts[i]
            half_product(out, half_rows, self.half_weights, self.bias, n, self.n_inputs,
                         self.stride)
        else:
            for i in range(n):
                rows[i] = inputs.floats + starts[i]
            row_product(out, rows, self.weights, self.bias, n, self.n_inputs, self.stride)


cdef class Inputs:
    """An array of floats, (n, width) with n > 0, as a product takes it."""

    def __init__(self, RowProduct product not None, floats: NDArray[numpy.float32]):
        cdef const unsigned short[:, ::1] halves
        cdef const float[:, ::1] values
        if product.pairs:
            self.array = halves = halved(floats)
            self.c.halves = &halves[0, 0]
        else:
            self.array = values = rounded(floats) if product.halves else floats
            self.c.floats = &values[0, 0]
