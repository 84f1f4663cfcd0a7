"""The parts of the backward pass that index instead of multiply."""

import numpy

from .kernels cimport add_to


def backprop_maxout(const float[:, ::1] d_hidden, const unsigned char[:, ::1] which,
                    int pieces, float keep):
    """Gradient of the sums before maxout and dropout.

    d_hidden: (n_states, hidden). which: (n_states, hidden), the winning piece; 255 where
    the unit was dropped. keep: share of units that dropout kept.
    Returns (n_states, pieces * hidden), pieces one after the other.
    """
    cdef Py_ssize_t n = d_hidden.shape[0], hidden = d_hidden.shape[1]
    d_sums = numpy.zeros((n, pieces * hidden), dtype="f")
    cdef float[:, ::1] out = d_sums
    cdef Py_ssize_t s, h
    cdef float scale = 1 / keep
    with nogil:
        for s in range(n):
            for h in range(hidden):
                if which[s, h] < pieces:
                    out[s, which[s, h] * hidden + h] = d_hidden[s, h] * scale
    return d_sums


def add_rows(const int[:] indices, const float[:, ::1] d_sums, int n_rows):
    """Sum the rows of d_sums by index.

    indices: (n_states,), each below n_rows. d_sums: (n_states, size).
    Returns the indices that occur, (n_found,) int32 in ascending order, and their sums,
    (n_found, size).
    """
    cdef Py_ssize_t n = indices.shape[0], s
    cdef int size = d_sums.shape[1]
    cdef int[::1] place = numpy.zeros((n_rows,), dtype="i")
    for s in range(n):
        place[indices[s]] = 1
    found = numpy.flatnonzero(place).astype("i")
    cdef const int[::1] rows = found
    for s in range(rows.shape[0]):
        place[rows[s]] = s
    total = numpy.zeros((rows.shape[0], size), dtype="f")
    cdef float[:, ::1] out = total
    with nogil:
        for s in range(n):
            add_to(&out[place[indices[s]], 0], &d_sums[s, 0], size)
    return found, total
