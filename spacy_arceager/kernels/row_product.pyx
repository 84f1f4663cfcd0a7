"""Products of rows of inputs with weights; see row_product.pxd."""

import os

import numpy

from libc.stdint cimport uintptr_t

from .kernels cimport (
    TILE_MAX_INPUTS, half_product, has_half_product, has_tile_product, is_half_product_fast,
    tile_product,
)
from .strips cimport halved, in_pairs
from .strips import in_strips, padded, rounded


# The ways to multiply half floats that this processor has, the fastest first. "floats" multiplies
# them as floats, with other roundings of the sums.
HALF_PRODUCTS = (
    ("AMX-BF16",) * has_tile_product()
    + ("AVX512-BF16",) * is_half_product_fast()
    + ("floats",)
    + ("AVX512-BF16",) * (has_half_product() and not is_half_product_fast())
)
CHOICE = "ARCEAGER_HALF_PRODUCT"    # an environment variable that names one of them


def check_half_product(name: str) -> str:
    """The name itself.

    Raises:
        ValueError: If this processor does not have it.
    """
    if name not in HALF_PRODUCTS:
        names = ", ".join(HALF_PRODUCTS)
        raise ValueError(f"{name!r} is no way to multiply half floats ({CHOICE}) that this "
                         f"processor has; it has {names}")
    return name


HALF_PRODUCT = check_half_product(os.environ.get(CHOICE, HALF_PRODUCTS[0]))


cdef class RowProduct:
    """Weights in the order in which the kernels read them.

    Args:
        weights: (inputs, width).
        bias: (width,).
        halves: whether weights and inputs are rounded to half floats before they are multiplied.
        kernel: one of HALF_PRODUCTS; None for HALF_PRODUCT. Numbers of inputs that it cannot
            take are left to the next.
    """

    def __init__(
        self, weights: NDArray[numpy.float32], bias: NDArray[numpy.float32], bint halves=False,
        kernel: str | None = None,
    ):
        cdef const unsigned short[::1] pairs
        filled = padded(bias)
        self.halves = halves
        self.c.n_inputs, self.c.stride = len(weights), len(filled)
        name = check_half_product(kernel or HALF_PRODUCT)
        # The instructions take two inputs at a time.
        self.c.pairs = halves and name != "floats" and self.c.n_inputs % 2 == 0
        self.c.tiles = name == "AMX-BF16" and self.c.n_inputs <= TILE_MAX_INPUTS
        floats = weights[:0] if self.c.pairs else rounded(weights) if halves else weights
        strips = in_strips(floats)
        self.c.weights = <const float*><uintptr_t>strips.ctypes.data
        self.c.bias = <const float*><uintptr_t>filled.ctypes.data
        self.memory = [strips, filled]
        if self.c.pairs and weights.size:
            pairs = in_pairs(weights).reshape((-1,))
            self.c.half_weights = &pairs[0]
            self.memory.append(pairs)


cdef class Inputs:
    """An array of floats, (n, width) with n > 0, as a product takes it."""

    def __init__(self, RowProduct product not None, floats: NDArray[numpy.float32]):
        cdef const unsigned short[:, ::1] halves
        cdef const float[:, ::1] values
        if product.c.pairs:
            self.array = halves = halved(floats)
            self.c.halves = &halves[0, 0]
        else:
            self.array = values = rounded(floats) if product.halves else floats
            self.c.floats = &values[0, 0]


cdef void multiply(const RowProductC* product, float* out, InputsC inputs,
                   const Py_ssize_t* starts, int n) noexcept nogil:
    cdef const float* rows[ROW_BLOCK]
    cdef const half_float* half_rows[ROW_BLOCK]
    cdef int i
    if product.pairs:
        for i in range(n):
            half_rows[i] = inputs.halves + starts[i]
        if product.tiles:
            tile_product(out, half_rows, product.half_weights, product.bias, n, product.n_inputs,
                         product.stride)
        else:
            half_product(out, half_rows, product.half_weights, product.bias, n, product.n_inputs,
                         product.stride)
    else:
        for i in range(n):
            rows[i] = inputs.floats + starts[i]
        row_product(out, rows, product.weights, product.bias, n, product.n_inputs,
                    product.stride)
