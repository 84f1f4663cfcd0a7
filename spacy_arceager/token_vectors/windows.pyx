"""Windows of words in an array that holds all Docs of a batch.

Gaps lie before the first Doc, between two Docs and after the last one. A gap has as many rows as
all layers together reach to one side. Each window is then one stretch of memory that holds words of
one Doc only.
"""

import numpy

from libc.string cimport memcpy

from ..kernels.kernels cimport add_to


def space_out(const int[::1] lengths, int gap, int halo) -> tuple[NDArray[numpy.int32], int]:
    """Lay out Docs with gaps, and list the rows of their words and of places around them.

    Args:
        lengths: (n_docs,), words of each Doc; an empty Doc has no gap.
        gap: rows between two Docs.
        halo: how many rows before and after each Doc are listed too, at most `gap`.

    Returns:
        The listed rows, (n_places,) int32 in ascending order, and the number of all rows.
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


def fill_gaps(float[:, ::1] spaced, const int[::1] rows, const float[::1] vector) -> None:
    """Fill all rows with a vector, but for the listed ones.

    Args:
        spaced: (n_rows, width).
        rows: (n_places,) in ascending order, the rows that are not filled.
        vector: (width,).
    """
    cdef Py_ssize_t i, row = 0, size = spaced.shape[1] * sizeof(float)
    for i in range(rows.shape[0]):
        for row in range(row, rows[i]):
            memcpy(&spaced[row, 0], &vector[0], size)
        row = rows[i] + 1
    for row in range(row, spaced.shape[0]):
        memcpy(&spaced[row, 0], &vector[0], size)


def spread(const float[:, ::1] vectors, const int[::1] rows, int n_rows) -> NDArray[numpy.float32]:
    """Put each vector, (n_words, width), into its row of an array of zeros, (n_rows, width)."""
    cdef Py_ssize_t i, width = vectors.shape[1]
    spaced = numpy.zeros((n_rows, width), dtype="f")
    cdef float[:, ::1] out = spaced
    for i in range(rows.shape[0]):
        memcpy(&out[rows[i], 0], &vectors[i, 0], width * sizeof(float))
    return spaced


def gather_windows(
    const float[:, ::1] spaced, const int[::1] rows, int window,
) -> NDArray[numpy.float32]:
    """Copy the window around each row: (n_words, (2 * window + 1) * width)."""
    cdef Py_ssize_t i, size = (2 * window + 1) * spaced.shape[1]
    windows = numpy.empty((rows.shape[0], size), dtype="f")
    cdef float[:, ::1] out = windows
    for i in range(rows.shape[0]):
        memcpy(&out[i, 0], &spaced[rows[i] - window, 0], size * sizeof(float))
    return windows


def add_windows(
    float[:, ::1] spaced, const float[:, ::1] windows, const int[::1] rows, int window,
) -> None:
    """Add each window, as of `gather_windows`, to the rows around its own row."""
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        add_to(&spaced[rows[i] - window, 0], &windows[i, 0], <int>windows.shape[1])
