"""The parts of the backward pass that select and add rows; the products are in scoring.py."""

import numpy

from ..kernels.kernels cimport add_to


def backprop_maxout(
    const float[:, ::1] d_hidden not None, const unsigned char[:, ::1] which not None, int pieces,
    float keep,
) -> NDArray[numpy.float32]:
    """The gradient of the sums before maxout and dropout.

    Args:
        d_hidden: (n_rows, hidden) float32.
        which: (n_rows, hidden) uint8, the winning piece, or 255 for a dropped unit.
        pieces: of the maxout, at most 254.
        keep: the share of units that dropout leaves.

    Returns:
        (n_rows, pieces * hidden) float32, one piece after the other.

    Raises:
        ValueError: For arguments that do not belong together.
    """
    cdef Py_ssize_t n = d_hidden.shape[0], hidden = d_hidden.shape[1]
    if which.shape[0] != n or which.shape[1] != hidden:
        raise ValueError(f"d_hidden of shape {(n, hidden)}, but which of shape "
                         f"{(which.shape[0], which.shape[1])}")
    if not 1 <= pieces < 255:
        raise ValueError(f"pieces={pieces}; use 1 to 254")
    if not 0 < keep <= 1:
        raise ValueError(f"keep={keep}; use a share above 0, 1 at most")
    d_sums = numpy.zeros((n, pieces * hidden), dtype="f")
    cdef float[:, ::1] out = d_sums
    cdef Py_ssize_t row, h
    cdef float scale = 1 / keep
    with nogil:
        for row in range(n):
            for h in range(hidden):
                if which[row, h] < pieces:
                    out[row, which[row, h] * hidden + h] = d_hidden[row, h] * scale
    return d_sums


def add_rows(
    const int[:] indices not None, const float[:, ::1] d_sums not None, int n_rows,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.float32]]:
    """Sum the rows of d_sums by index.

    Args:
        indices: (n,) int32, each from 0 to n_rows - 1.
        d_sums: (n, size) float32.

    Returns:
        The indices that occur, (n_indices,) int32 in ascending order, and their sums,
        (n_indices, size) float32.

    Raises:
        ValueError: For arguments that do not belong together.
    """
    cdef Py_ssize_t n = indices.shape[0], i
    cdef Py_ssize_t size = d_sums.shape[1]
    if d_sums.shape[0] != n:
        raise ValueError(f"{n} indices for {d_sums.shape[0]} rows")
    for i in range(n):
        if not 0 <= indices[i] < n_rows:
            raise ValueError(f"Index {indices[i]} is not from 0 to {n_rows - 1}")
    cdef int[::1] place = numpy.zeros((max(n_rows, 0),), dtype="i")
    for i in range(n):
        place[indices[i]] = 1
    occurring = numpy.flatnonzero(place).astype("i")
    cdef const int[::1] rows = occurring
    for i in range(rows.shape[0]):
        place[rows[i]] = i
    total = numpy.zeros((rows.shape[0], size), dtype="f")
    cdef float[:, ::1] out = total
    with nogil:
        for i in range(n if size else 0):
            add_to(&out[place[indices[i]], 0], &d_sums[i, 0], size)
    return occurring, total
