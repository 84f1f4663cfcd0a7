"""Weights in the order in which the kernels read them.

`product` of kernels.h takes floats in strips, `half_product` of half_product.h half floats in
strips of pairs.
"""

import numpy

from .kernels cimport ARCEAGER_LANES, to_half


cdef enum:
    CACHE_LINE = 64    # bytes


cdef int padding(int n) noexcept nogil:
    return (ARCEAGER_LANES - n % ARCEAGER_LANES) % ARCEAGER_LANES


def padded(values: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Values (.., width) with zeros behind them, up to a multiple of ARCEAGER_LANES."""
    *rest, width = values.shape
    return numpy.pad(values, [*[(0, 0)] * len(rest), (0, padding(width))])


def in_strips(weights: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Weights (.., inner, width) strip by strip: (.., strips, inner, lanes)."""
    filled = padded(weights)
    *rest, width = filled.shape
    strips = filled.reshape((*rest, width // ARCEAGER_LANES, ARCEAGER_LANES))
    return numpy.ascontiguousarray(strips.swapaxes(-2, -3))


cdef object in_pairs(weights):
    *rest, inner, _ = weights.shape
    even = padded(numpy.pad(weights, [*[(0, 0)] * len(rest), (0, inner % 2), (0, 0)]))
    *_, width = even.shape
    pairs = even.reshape((*rest, (inner + 1) // 2, 2, width // ARCEAGER_LANES, ARCEAGER_LANES))
    return halved(numpy.moveaxis(pairs, (-2, -1), (-4, -2)))


cdef object halved(values):
    values = numpy.ascontiguousarray(values, dtype="f")
    halves = numpy.empty(values.shape, dtype="uint16")
    cdef const float[::1] floats = values.reshape((-1,))
    cdef unsigned short[::1] out = halves.reshape((-1,))
    if floats.shape[0]:
        to_half(&out[0], &floats[0], floats.shape[0])
    return halves


def rounded(values: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Floats rounded to the nearest half floats (bfloat16): float32 of the same shape."""
    return (halved(values).astype("uint32") << 16).view("float32")


def aligned(*arrays: NDArray[numpy.float32]) -> list[NDArray[numpy.float32]]:
    """Flat copies of arrays, one behind the other, the first at the start of a cache line.

    A processor reads a vector twice if it lies across two cache lines.
    """
    *ends, total = numpy.cumsum([array.size for array in arrays])
    memory = numpy.zeros((total + CACHE_LINE // 4,), dtype="f")
    start = -memory.ctypes.data % CACHE_LINE // 4
    copies = numpy.split(memory[start:start + total], ends)
    for copy, array in zip(copies, arrays):
        copy[:] = array.reshape((-1,))
    return copies
