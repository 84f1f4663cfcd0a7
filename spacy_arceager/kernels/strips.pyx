"""Weights as the kernels read them; see `product` in kernels.h."""

import numpy

from .kernels cimport ARCEAGER_LANES


cdef enum:
    CACHE_LINE = 64    # bytes


cdef int padding(int n) noexcept nogil:
    # What is missing to whole groups of lanes.
    return (ARCEAGER_LANES - n % ARCEAGER_LANES) % ARCEAGER_LANES


def padded(values):
    """Values (.., width) with zeros up to whole groups of lanes."""
    *rest, width = values.shape
    return numpy.pad(values, [*[(0, 0)] * len(rest), (0, padding(width))])


def in_strips(weights):
    """Weights (.., inner, width) strip by strip, (.., strips, inner, lanes)."""
    filled = padded(weights)
    *rest, width = filled.shape
    strips = filled.reshape((*rest, width // ARCEAGER_LANES, ARCEAGER_LANES))
    return numpy.ascontiguousarray(strips.swapaxes(-2, -3))


def aligned(*arrays):
    """Copies of arrays, flat and one behind the other, the first at the start of a cache line.

    A vector of the processor that crosses a cache line is read twice.
    """
    *ends, total = numpy.cumsum([array.size for array in arrays])
    memory = numpy.zeros((total + CACHE_LINE // 4,), dtype="f")
    start = -memory.ctypes.data % CACHE_LINE // 4
    copies = numpy.split(memory[start:start + total], ends)
    for copy, array in zip(copies, arrays):
        copy[:] = array.reshape((-1,))
    return copies
