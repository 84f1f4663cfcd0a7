"""The rows of floret vectors whose mean is a word's vector.

They are those of the word and of its character n-grams (Boyd & Warmerdam 2022, "floret:
lightweight, robust word vectors"). spaCy's Vectors find them as well, in Python.
"""

import numpy

from libc.stdint cimport uint32_t, uint64_t
from murmurhash.mrmr cimport hash128_x64


cdef enum:
    N_HASHES = 4    # that one call of the hash function gives


def floret_rows(
    words: Sequence[str], vectors: Vectors,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32]]:
    """Find the rows of words.

    Args:
        words: strings; an empty one has no rows.
        vectors: in the mode "floret".

    Returns:
        The rows, (n_rows,) int32, and where those of each word begin, (n_words + 1,) int32.
    """
    cdef uint32_t seed = vectors.hash_seed, table_size = vectors.shape[0]
    cdef int n_hashes = min(vectors.hash_count, N_HASHES)
    cdef Py_ssize_t min_n = vectors.minn, max_n = vectors.maxn
    cdef Py_ssize_t w, n, i, length, place = 0
    keys = [vectors.bow + word + vectors.eow if word else "" for word in words]
    cdef int[::1] starts = numpy.zeros((len(keys) + 1,), dtype="i")
    cdef int[::1] rows = numpy.empty(
        (n_hashes * sum(1 + (max_n - min_n + 1) * (len(key) + 1) for key in keys),), dtype="i")
    cdef Py_ssize_t[::1] ends = numpy.empty((max(map(len, keys), default=0) + 1,), dtype=numpy.intp)
    cdef bytes encoded
    cdef const unsigned char* text
    for w in range(len(keys)):
        encoded = keys[w].encode("utf8")
        text = encoded
        length = find_characters(text, len(encoded), ends)
        if length:
            hash_to_rows(text, len(encoded), seed, n_hashes, table_size, &rows[place])
            place += n_hashes
        for n in range(min_n, max_n + 1 if length else 0):
            for i in range(length - n + 1):
                hash_to_rows(
                    &text[ends[i]], ends[i + n] - ends[i], seed, n_hashes, table_size, &rows[place])
                place += n_hashes
        starts[w + 1] = place
    return rows.base[:place], starts.base


cdef Py_ssize_t find_characters(
    const unsigned char* text, Py_ssize_t size, Py_ssize_t[::1] ends,
) noexcept:
    """Write where each character of UTF-8 begins, and the last ends; returns how many there are."""
    cdef Py_ssize_t i, n = 0
    for i in range(size):
        if text[i] & 0xC0 != 0x80:
            ends[n] = i
            n += 1
    ends[n] = size
    return n


cdef void hash_to_rows(
    const unsigned char* text, Py_ssize_t size, uint32_t seed, int n_hashes, uint32_t table_size,
    int* rows,
) noexcept:
    """Write the rows of a word or an n-gram."""
    cdef uint64_t[2] hashes
    cdef int h
    hash128_x64(text, <int>size, seed, &hashes)
    for h in range(n_hashes):
        rows[h] = <uint32_t>(hashes[h // 2] >> 32 * (h % 2)) % table_size
