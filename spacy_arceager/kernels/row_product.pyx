"""Products of rows of inputs with weights; see row_product.pxd."""

import os

import numpy

from libc.stdint cimport uintptr_t

from .kernels cimport (
    LEVELS, TILE_MAX_INPUTS, ByteRow, find_byte_product, find_level, half_product,
    has_half_product, has_tile_product, is_half_product_fast, tile_product, to_bytes,
)
from .strips cimport halved, in_bytes, in_fours, in_pairs
from .strips import in_strips, padded, rounded, rounded_to_bytes


# What numbers may be rounded to before they are multiplied: half floats (bfloat16), or bytes with a
# scale for each row of inputs and each column of weights.
HALVES: str = "halves"
BYTES: str = "bytes"

# Ways to multiply bytes, and the size of their vectors.
BYTE_PRODUCTS: dict[str, int] = {"AVX512-VNNI": 512, "VNNI-256": 256}

# The ways to multiply rounded numbers that this processor has, the fastest first. "floats"
# multiplies them as floats, with other roundings of the sums.
PRODUCTS: tuple[str, ...] = (
    ("AMX-BF16",) * has_tile_product()
    + tuple(name for name, bits in BYTE_PRODUCTS.items() if find_byte_product(bits) != NULL)
    + ("AVX512-BF16",) * is_half_product_fast()
    + ("floats",)
    + ("AVX512-BF16",) * (has_half_product() and not is_half_product_fast())
)
CHOICE: str = "ARCEAGER_PRODUCT"    # an environment variable that names one of them

# The instructions for floats that this processor has, the newest first, and the variable for them,
# which processor.h reads.
FLOATS: tuple[str, ...] = tuple(
    LEVELS[level].decode() for level in range(find_level(), -1, -1))
CHOICE_OF_FLOATS: str = "ARCEAGER_FLOATS"


cdef enum:
    GROUP = 24    # rows that `multiply_floats` rounds at a time


def check_choice(name: str, names: tuple[str, ...], variable: str) -> str:
    """The name itself.

    Raises:
        ValueError: If this processor does not have it.
    """
    if name not in names:
        raise ValueError(
            f"{variable}={name!r}: this build has {', '.join(names)} on this processor")
    return name


PRODUCT: str = check_choice(os.environ.get(CHOICE) or PRODUCTS[0], PRODUCTS, CHOICE)
FLOAT_VERSION: str = check_choice(
    os.environ.get(CHOICE_OF_FLOATS) or FLOATS[0], FLOATS, CHOICE_OF_FLOATS)
# Parsing rounds to bytes, unless half floats are multiplied faster. Training needs half floats.
IN_PARSING: str = BYTES if PRODUCT in (*BYTE_PRODUCTS, "floats") else HALVES
IN_TRAINING: str = HALVES


def find_rounding(is_train: bool, rounds: bool = True) -> str | None:
    """How a layer rounds weights and vectors; as for `RowProduct`.

    rounds: whether it does.
    """
    if not rounds:
        return None
    return IN_TRAINING if is_train else IN_PARSING


def find_kernel(rounding: str | None, product: str) -> str:
    """How numbers that are rounded so are multiplied: one of PRODUCTS."""
    if rounding is None or rounding == BYTES and product not in BYTE_PRODUCTS:
        return "floats"
    if rounding == HALVES and product in BYTE_PRODUCTS:
        return next(name for name in PRODUCTS if name not in BYTE_PRODUCTS)
    return product


cdef object round_rows(values, rounding):
    # Floats (n, width), rounded row by row.
    if rounding == HALVES:
        return rounded(values)
    return rounded_to_bytes(values) if rounding == BYTES else values


cdef class RowProduct:
    """Weights in the order in which the kernels read them.

    Args:
        weights: (inputs, width).
        bias: (width,).
        rounding: what weights and inputs are rounded to before they are multiplied: HALVES, BYTES,
            or None for floats as they are.
        kernel: one of PRODUCTS; None for PRODUCT. What it cannot multiply is left to the next.
    """

    def __init__(
        self, weights: NDArray[numpy.float32], bias: NDArray[numpy.float32],
        rounding: str | None = None, kernel: str | None = None,
    ):
        name = find_kernel(rounding, check_choice(kernel or PRODUCT, PRODUCTS, CHOICE))
        filled = padded(bias)
        self.rounding = rounding
        self.memory = [filled]
        self.c.n_inputs, self.c.stride = len(weights), len(filled)
        self.c.bias = <const float*><uintptr_t>filled.ctypes.data
        self.c.bytes = rounding == BYTES
        # The instructions take two or four inputs at a time.
        self.c.pairs = name in ("AMX-BF16", "AVX512-BF16") and self.c.n_inputs % 2 == 0
        self.c.tiles = name == "AMX-BF16" and self.c.n_inputs <= TILE_MAX_INPUTS
        self.c.byte_product = NULL
        if name in BYTE_PRODUCTS and self.c.n_inputs % 4 == 0:
            self.c.byte_product = find_byte_product(BYTE_PRODUCTS[name])
        if weights.size:
            self._lay_out(weights)

    cdef object _lay_out(self, weights):
        if self.c.byte_product != NULL:
            columns, scales, _ = in_bytes(weights.T)
            fours, scales = in_fours(columns), padded(scales)
            self.c.byte_weights = <const uint8_t*><uintptr_t>fours.ctypes.data
            self.c.column_scales = <const float*><uintptr_t>scales.ctypes.data
            self.memory += [fours, scales]
        elif self.c.pairs:
            pairs = in_pairs(weights)
            self.c.half_weights = <const half_float*><uintptr_t>pairs.ctypes.data
            self.memory.append(pairs)
        else:
            strips = in_strips(round_rows(weights.T, self.rounding).T)
            self.c.weights = <const float*><uintptr_t>strips.ctypes.data
            self.memory.append(strips)


cdef class Inputs:
    """An array of floats, (n, width) with n > 0, as a product takes it."""

    def __init__(self, RowProduct product not None, floats: NDArray[numpy.float32]):
        cdef const unsigned short[:, ::1] halves
        cdef const float[:, ::1] values
        if product.c.byte_product != NULL:
            self._set_bytes(floats)
        elif product.c.pairs:
            self.memory = halves = halved(floats)
            self.c.halves = &halves[0, 0]
        else:
            self.memory = values = round_rows(floats, product.rounding)
            self.c.floats = &values[0, 0]

    cdef object _set_bytes(self, floats):
        cdef const signed char[:, ::1] numbers
        cdef const float[::1] scales
        cdef const int[::1] sums
        self.memory = numbers, scales, sums = in_bytes(floats)
        self.c.bytes, self.c.scales, self.c.sums = &numbers[0, 0], &scales[0], &sums[0]
        self.c.width = numbers.shape[1]


cdef void multiply(const RowProductC* product, float* out, InputsC inputs,
                   const Py_ssize_t* starts, int n) noexcept nogil:
    cdef const float* rows[ROW_BLOCK]
    cdef const half_float* half_rows[ROW_BLOCK]
    cdef ByteRow byte_rows[ROW_BLOCK]
    cdef Py_ssize_t row
    cdef int i
    if product.byte_product != NULL:
        for i in range(n):
            row = starts[i] // inputs.width
            byte_rows[i] = ByteRow(
                inputs.bytes + starts[i], inputs.scales + row, inputs.sums + row)
        product.byte_product(
            out, byte_rows, product.byte_weights, product.bias, product.column_scales, n,
            product.n_inputs, inputs.width, product.stride)
    elif product.pairs:
        for i in range(n):
            half_rows[i] = inputs.halves + starts[i]
        if product.tiles:
            tile_product(out, half_rows, product.half_weights, product.bias, n, product.n_inputs,
                         product.stride)
        else:
            half_product(out, half_rows, 2, product.half_weights, product.bias, n, product.n_inputs,
                         product.stride)
    else:
        for i in range(n):
            rows[i] = inputs.floats + starts[i]
        row_product(out, rows, product.weights, product.bias, n, product.n_inputs,
                    product.stride)


cdef void multiply_floats(const RowProductC* product, float* out, const float* floats,
                          int n) noexcept nogil:
    cdef int8_t numbers[GROUP * MOST_INPUTS]
    cdef float grid[GROUP * MOST_INPUTS]
    cdef float scales[GROUP]
    cdef int sums[GROUP]
    cdef Py_ssize_t starts[GROUP]
    cdef InputsC inputs = InputsC(
        floats, NULL, &numbers[0], &scales[0], &sums[0], product.n_inputs)
    cdef int i, size
    for i in range(GROUP):
        starts[i] = <Py_ssize_t>i * product.n_inputs
    while n > 0:
        size = min(<int>GROUP, n)
        inputs.floats = floats
        if product.bytes:
            for i in range(size):
                sums[i] = to_bytes(numbers + starts[i], &scales[i], floats + starts[i],
                                   product.n_inputs)
            if product.byte_product == NULL:
                from_bytes(grid, numbers, scales, size, product.n_inputs)
                inputs.floats = grid
        multiply(product, out, inputs, starts, size)
        out += <size_t>size * product.stride
        floats += <size_t>size * product.n_inputs
        n -= size


cdef void from_bytes(float* out, const int8_t* numbers, const float* scales, int n,
                     int width) noexcept nogil:
    cdef int i, k
    for i in range(n):
        for k in range(width):
            out[i * width + k] = numbers[i * width + k] * scales[i]
