"""Products of two matrices, for gradients."""

import numpy

from .kernels cimport half_float, half_product, is_half_product_fast, pair_rows
from .row_product cimport ROW_BLOCK
from .strips cimport halved, in_pairs
from .row_product import HALVES, PRODUCT


# Where the processor multiplies half floats much faster than the BLAS multiplies floats.
HALVES_IN_GRADIENTS: bool = is_half_product_fast() and PRODUCT != "floats"


def matrix_product(
    a: NDArray[numpy.float32], b: NDArray[numpy.float32], rounding: str | None,
) -> NDArray[numpy.float32]:
    """a @ b.

    Args:
        a: (n, inner), in the order of C or of Fortran.
        b: (inner, width).
        rounding: HALVES if both may be rounded to half floats (bfloat16), as they are with
            HALVES_IN_GRADIENTS. Sums are floats.

    Returns:
        (n, width).
    """
    if not HALVES_IN_GRADIENTS or rounding != HALVES or not a.size or not b.size:
        return a @ b
    columns = a.T
    if columns.flags.c_contiguous:
        return multiply(in_rows_of_pairs(columns), 2, 2 * len(a), len(a), b)
    if a.shape[1] % 2:
        a = numpy.pad(a, ((0, 0), (0, 1)))
    return multiply(halved(a), a.shape[1], 2, len(a), b)


cdef object in_rows_of_pairs(const float[:, ::1] columns):
    # (inner, n) -> (inner / 2, n, 2)
    cdef int inner = columns.shape[0], n = columns.shape[1]
    pairs = numpy.empty(((inner + 1) // 2, n), dtype="uint32")
    cdef unsigned int[:, ::1] out = pairs
    pair_rows(&out[0, 0], &columns[0, 0], n, inner, n, n)
    return pairs.view("uint16")


cdef object multiply(halves, Py_ssize_t to_next_row, size_t to_next_pair, int n, b):
    # halves: n rows of half floats that begin so far apart, and whose pairs begin so far apart.
    cdef const unsigned short[::1] numbers = halves.reshape((-1,))
    cdef const unsigned short[:, :, :, ::1] weights = in_pairs(b)
    cdef int inner = 2 * <int>weights.shape[1], width = <int>(weights.shape[0] * weights.shape[2])
    cdef const float[::1] bias = numpy.zeros((width,), dtype="f")
    cdef const half_float* rows[ROW_BLOCK]
    cdef int first = 0, i, size
    products = numpy.empty((n, width), dtype="f")
    cdef float[:, ::1] out = products
    with nogil:
        while first < n:
            size = min(<int>ROW_BLOCK, n - first)
            for i in range(size):
                rows[i] = &numbers[0] + (first + i) * to_next_row
            half_product(&out[first, 0], rows, to_next_pair, &weights[0, 0, 0, 0], &bias[0], size,
                         inner, width)
            first += size
    return numpy.ascontiguousarray(products[:, :b.shape[1]])
