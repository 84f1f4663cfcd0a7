"""Windows of words in an array that holds all Docs of a batch.

Gaps lie before the first Doc, between two Docs and after the last one. A gap has as many rows as
all layers together reach to one side. Each window is then one stretch of memory that holds words of
one Doc only.
"""

import numpy

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


def add_windows(
    float[:, ::1] spaced, const float[:, ::1] windows, const int[::1] rows, int window,
) -> None:
    """Add each window to the rows around its own row.

    Args:
        spaced: (n_rows, width).
        windows: (n_words, (2 * window + 1) * width).
        rows: (n_words,), the middle row of each window.
    """
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        add_to(&spaced[rows[i] - window, 0], &windows[i, 0], <int>windows.shape[1])
