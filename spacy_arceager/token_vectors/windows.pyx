"""Windows of words in an array that holds all Docs of a batch.

Between two Docs, before the first and after the last lies a gap, rows that all layers together
reach to one side of a Doc; so each window is one stretch of memory and in a Doc of its own.
"""

import numpy

from libc.string cimport memcpy

from ..kernels.kernels cimport add_to


def space_out(const int[::1] lengths, int gap, int halo):
    """Rows of all words and of some places around each Doc, and the number of rows.

    lengths: words of each Doc; empty ones have no gap. gap: rows between two Docs. halo: places
    before and after each Doc, at most `gap`; one between two Docs may be a place of both.

    Returns:
        (n_places,) int32, ascending, and the number of rows.
    """
    cdef Py_ssize_t d, n_words = 0, n_docs = 0, n_places = 0
    cdef int row, end = 0, start = gap
    for d in range(lengths.shape[0]):
        n_words += lengths[d]
        n_docs += lengths[d] > 0
    places = numpy.empty((n_words + 2 * n_docs * halo,), dtype="i")
    cdef int[::1] rows = places
    for d in range(lengths.shape[0]):
        if lengths[d] == 0:
            continue
        for row in range(max(end, start - halo), start + lengths[d] + halo):
            rows[n_places] = row
            n_places += 1
        end = start + lengths[d] + halo
        start += lengths[d] + gap
    return places[:n_places], start


def fill_gaps(float[:, ::1] spaced, const int[::1] rows, const float[::1] vector):
    """Fill the rows before, between and after the given ascending ones with a vector."""
    cdef Py_ssize_t i, row = 0, size = spaced.shape[1] * sizeof(float)
    for i in range(rows.shape[0]):
        for row in range(row, rows[i]):
            memcpy(&spaced[row, 0], &vector[0], size)
        row = rows[i] + 1
    for row in range(row, spaced.shape[0]):
        memcpy(&spaced[row, 0], &vector[0], size)


def spread(const float[:, ::1] vectors, const int[::1] rows, int n_rows):
    """The vectors in their rows, all others zero: (n_rows, width)."""
    cdef Py_ssize_t i, width = vectors.shape[1]
    spaced = numpy.zeros((n_rows, width), dtype="f")
    cdef float[:, ::1] out = spaced
    for i in range(rows.shape[0]):
        memcpy(&out[rows[i], 0], &vectors[i, 0], width * sizeof(float))
    return spaced


def gather_windows(const float[:, ::1] spaced, const int[::1] rows, int window):
    """The window around each row: (n_words, (2 * window + 1) * width)."""
    cdef Py_ssize_t i, size = (2 * window + 1) * spaced.shape[1]
    windows = numpy.empty((rows.shape[0], size), dtype="f")
    cdef float[:, ::1] out = windows
    for i in range(rows.shape[0]):
        memcpy(&out[i, 0], &spaced[rows[i] - window, 0], size * sizeof(float))
    return windows


def add_windows(float[:, ::1] spaced, const float[:, ::1] windows, const int[::1] rows,
                int window):
    """Add each window to the rows that it was gathered from."""
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        add_to(&spaced[rows[i] - window, 0], &windows[i, 0], <int>windows.shape[1])
