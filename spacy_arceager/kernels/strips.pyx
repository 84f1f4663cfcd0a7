"""Weights in the order in which the kernels read them.

`row_product` takes floats in strips, `half_product` half floats in strips of pairs, `byte_product`
bytes in strips of fours. All arrays begin at the start of a cache line: a processor reads a vector
twice if it lies across two.
"""

from math import prod

import numpy

from libc.stdint cimport int8_t

from .kernels cimport ARCEAGER_LANES, pair_rows, to_bytes, to_half


cdef enum:
    CACHE_LINE = 64    # bytes


cdef int padding(int n) noexcept nogil:
    return (ARCEAGER_LANES - n % ARCEAGER_LANES) % ARCEAGER_LANES


cdef int n_strips(int width) noexcept nogil:
    return (width + padding(width)) // ARCEAGER_LANES


cdef object aligned_empty(shape, dtype):
    cdef Py_ssize_t n_bytes = prod(shape) * numpy.dtype(dtype).itemsize
    memory = numpy.empty((n_bytes + CACHE_LINE,), dtype="u1")
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start:start + n_bytes].view(dtype).reshape(shape)


cdef object aligned_zeros(shape, dtype):
    zeros = aligned_empty(shape, dtype)
    zeros.fill(0)
    return zeros


def padded(values: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """A copy of values (.., width) with zeros behind them, up to a multiple of ARCEAGER_LANES."""
    *rest, width = values.shape
    filled = aligned_zeros((*rest, width + padding(width)), "f")
    filled[..., :width] = values
    return filled


def in_strips(const float[:, :] weights not None) -> NDArray[numpy.float32]:
    """Weights (inner, width) strip by strip: (strips, inner, lanes)."""
    cdef int inner = weights.shape[0], width = weights.shape[1]
    cdef int lanes = ARCEAGER_LANES, strip, h, k
    strips = aligned_zeros((n_strips(width), inner, lanes), "f")
    cdef float[:, :, ::1] out = strips
    with nogil:
        for strip in range(n_strips(width)):
            for h in range(inner):
                for k in range(min(lanes, width - strip * lanes)):
                    out[strip, h, k] = weights[h, strip * lanes + k]
    return strips


cdef object in_pairs(weights):
    cdef const float[:, ::1] rows = numpy.ascontiguousarray(weights)
    cdef int inner = rows.shape[0], width = rows.shape[1], lanes = ARCEAGER_LANES, strip
    pairs = aligned_empty((n_strips(width), (inner + 1) // 2, lanes), "uint32")
    cdef unsigned int[:, :, ::1] out = pairs
    if inner:
        for strip in range(out.shape[0]):
            pair_rows(&out[strip, 0, 0], &rows[0, strip * lanes], width, inner,
                      min(lanes, width - strip * lanes), lanes)
    return pairs.view("uint16").reshape((*pairs.shape, 2))


cdef object in_fours(columns):
    cdef int width = columns.shape[0], inner = columns.shape[1], n = n_strips(width)
    cdef int lanes = ARCEAGER_LANES
    without_sign = numpy.full((n * lanes, inner), 128, dtype="u1")
    without_sign[:width] += columns.view("u1")      # modulo 256
    fours = aligned_zeros((n, inner // 4, lanes, 4), "u1")
    fours[...] = without_sign.reshape((n, lanes, inner // 4, 4)).swapaxes(1, 2)
    return fours


cdef tuple in_bytes(floats):
    cdef const float[:, ::1] values = numpy.ascontiguousarray(floats, dtype="f")
    cdef int n = values.shape[0], width = values.shape[1], i
    numbers = numpy.empty((n, width), dtype="i1")
    scales = numpy.empty((n,), dtype="f")
    sums = numpy.empty((n,), dtype="i")
    cdef signed char[:, ::1] out = numbers
    cdef float[::1] scale = scales
    cdef int[::1] total = sums
    if width:
        with nogil:
            for i in range(n):
                total[i] = to_bytes(<int8_t*>&out[i, 0], &scale[i], &values[i, 0], width)
    return numbers, scales, sums


def rounded_to_bytes(values: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Floats (n, width) rounded to bytes with a scale for each row: float32 of the same shape."""
    numbers, scales, _ = in_bytes(values)
    return numbers * scales[:, None]


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
