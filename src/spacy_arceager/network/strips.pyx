"""Weights as the kernels read them; see `product` in kernels.h."""

import numpy

from .kernels cimport ARCEAGER_LANES


cdef enum:
    CACHE_LINE = 64    # bytes


cdef int padding(int n) noexcept nogil:
    # What is missing to whole groups of lanes.
    return (ARCEAGER_LANES - n % ARCEAGER_LANES) % ARCEAGER_LANES


def in_strips(weights):
    """Weights (.., inner, width) strip by strip, (.., strips, inner, lanes)."""
    *rest, width = weights.shape
    even = numpy.pad(weights, [*[(0, 0)] * len(rest), (0, padding(width))])
    strips = even.reshape((*rest, (width + padding(width)) // ARCEAGER_LANES, ARCEAGER_LANES))
    return numpy.ascontiguousarray(strips.swapaxes(-2, -3))


def padded(bias):
    """A bias (width,) for weights in strips: zeros up to whole groups of lanes."""
    return numpy.pad(bias, (0, padding(bias.shape[0])))


def aligned(*arrays):
    """Copies of arrays, flat and one behind the other, the first at the start of a cache line.

    A vector of the processor that crosses a cache line is read twice.
    """
    ends = numpy.cumsum([array.size for array in arrays])
    memory = numpy.zeros((ends[-1] + CACHE_LINE // 4,), dtype="f")
    start = -memory.ctypes.data % CACHE_LINE // 4
    copies = numpy.split(memory[start:start + ends[-1]], ends[:-1])
    for copy, array in zip(copies, arrays):
        copy[:] = array.reshape((-1,))
    return copies
