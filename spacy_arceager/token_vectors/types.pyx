"""Word types: tokens are of one type if an embedding reads the same of them."""

from threading import Lock

import numpy

from cpython.unicode cimport PyUnicode_READ_CHAR
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy, memset
from murmurhash.mrmr cimport hash64
from spacy.attrs cimport attr_id_t
from spacy.tokens.doc cimport Doc, get_token_attr

from ..kernels.kernels cimport add_to


cdef enum:
    FIRST_SIZE = 64    # a new table has room for as many types
    BEGIN = 2          # marks of a word's two ends: control characters, which no word has
    END = 3


def read_keys(
    docs: Sequence[Doc | Span], const int[::1] attributes,
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int32]]:
    """Read the attributes of each token.

    Args:
        docs: Docs or Spans.
        attributes: (n_attributes,), spaCy's numbers of the attributes.

    Returns:
        (n_tokens, n_attributes) uint64, and how many tokens each Doc has, (n_docs,) int32.
    """
    cdef Py_ssize_t n_attributes = attributes.shape[0], d, i, a, start, place = 0
    cdef int[::1] lengths = numpy.array([len(tokens) for tokens in docs], dtype="i")
    cdef uint64_t[:, ::1] keys = numpy.empty(
        (numpy.sum(lengths, dtype="i8"), n_attributes), dtype="u8")
    cdef Doc doc
    for d in range(lengths.shape[0]):
        tokens = docs[d]
        start = 0
        if isinstance(tokens, Doc):
            doc = tokens
        else:
            doc, start = tokens.doc, tokens.start
        for i in range(start, start + lengths[d]):
            for a in range(n_attributes):
                keys[place, a] = get_token_attr(&doc.c[i], <attr_id_t>attributes[a])
            place += 1
    return keys.base, lengths.base


cdef class TypeIndex:
    """A hash table with open addressing that numbers types in the order in which they come."""

    cdef int n_attributes, n_types
    cdef uint64_t[:, ::1] keys
    cdef int[::1] slots    # a type's number or -1; there are twice as many slots as rows of keys

    def __init__(self, int n_attributes):
        self.n_attributes = n_attributes
        self.n_types = 0
        self.keys = numpy.empty((FIRST_SIZE, n_attributes), dtype="u8")
        self.slots = numpy.full((2 * FIRST_SIZE,), -1, dtype="i")

    cdef Py_ssize_t find_slot(self, const uint64_t* key) noexcept:
        """The slot of a type, or the free slot for it."""
        cdef int size = self.n_attributes * sizeof(uint64_t)
        cdef Py_ssize_t mask = self.slots.shape[0] - 1
        cdef Py_ssize_t slot = hash64(<void*>key, size, 0) & mask
        while (self.slots[slot] >= 0
               and memcmp(&self.keys[self.slots[slot], 0], key, size) != 0):
            slot = (slot + 1) & mask
        return slot

    cdef int find(self, const uint64_t* key) noexcept:
        """The number of a type, or -1 for a new one."""
        return self.slots[self.find_slot(key)]

    cdef int add(self, const uint64_t* key) except -1:
        """The number of a type; a new type gets the next number."""
        cdef Py_ssize_t slot = self.find_slot(key)
        if self.slots[slot] < 0:
            if self.n_types == self.keys.shape[0]:
                self.grow()
                slot = self.find_slot(key)
            memcpy(&self.keys[self.n_types, 0], key, self.n_attributes * sizeof(uint64_t))
            self.slots[slot] = self.n_types
            self.n_types += 1
        return self.slots[slot]

    cdef int grow(self) except -1:
        cdef int i
        self.keys = numpy.concatenate((self.keys.base, numpy.empty_like(self.keys)))
        self.slots = numpy.full((2 * self.keys.shape[0],), -1, dtype="i")
        for i in range(self.n_types):
            self.slots[self.find_slot(&self.keys[i, 0])] = i
        return 0


def find_types(const uint64_t[:, ::1] keys) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32]]:
    """Find the types of tokens.

    Args:
        keys: (n_tokens, n_attributes), one row for each token.

    Returns:
        The first token of each type, (n_types,) int32, and the number of each token's type,
        (n_tokens,) int32.
    """
    cdef TypeIndex index = TypeIndex(keys.shape[1])
    cdef Py_ssize_t n = keys.shape[0], i
    cdef int n_types = 0
    cdef int[::1] firsts = numpy.empty((n,), dtype="i"), types = numpy.empty((n,), dtype="i")
    for i in range(n):
        types[i] = index.add(&keys[i, 0])
        if index.n_types > n_types:
            firsts[n_types] = i
            n_types = index.n_types
    return firsts.base[:n_types], types.base


cdef class TypeVectors:
    """Vectors of types, kept from batch to batch; several threads may use it.

    Args:
        limit: how many types are kept; one type more makes it forget all others.
    """

    cdef int limit
    cdef TypeIndex index
    cdef float[:, ::1] vectors
    cdef object lock

    def __init__(self, int n_attributes, int width, int limit):
        self.limit = limit
        self.index = TypeIndex(n_attributes)
        self.vectors = numpy.empty((FIRST_SIZE, width), dtype="f")
        self.lock = Lock()

    def __len__(self) -> int:
        return self.index.n_types

    def find(self, const uint64_t[:, ::1] keys, float[:, ::1] out) -> NDArray[numpy.int32]:
        """Copy the vectors of the tokens whose types are known.

        Args:
            keys: (n_tokens, n_attributes).
            out: (n_tokens, width), of which rows of unknown types are not changed.

        Returns:
            The tokens of unknown types, (n_unknown,) int32.
        """
        cdef Py_ssize_t n_unknown = 0, i, size = out.shape[1] * sizeof(float)
        cdef int number
        cdef int[::1] unknown = numpy.empty((keys.shape[0],), dtype="i")
        with self.lock:
            for i in range(keys.shape[0]):
                number = self.index.find(&keys[i, 0])
                if number >= 0:
                    memcpy(&out[i, 0], &self.vectors[number, 0], size)
                else:
                    unknown[n_unknown] = i
                    n_unknown += 1
        return unknown.base[:n_unknown]

    def add(self, const uint64_t[:, ::1] keys, const float[:, ::1] vectors) -> None:
        """Keep the vectors of types.

        Args:
            keys: (n_types, n_attributes).
            vectors: (n_types, width).
        """
        cdef Py_ssize_t i, size = vectors.shape[1] * sizeof(float)
        cdef int number
        with self.lock:
            for i in range(keys.shape[0]):
                if self.index.n_types >= self.limit:
                    self.index = TypeIndex(self.index.n_attributes)
                number = self.index.add(&keys[i, 0])
                if number >= self.vectors.shape[0]:
                    self.vectors = numpy.concatenate(
                        (self.vectors.base, numpy.empty_like(self.vectors)))
                memcpy(&self.vectors[number, 0], &vectors[i, 0], size)


cdef Py_UCS4[::1] room_for_word(words):
    """An array for the characters of the longest word and the marks of its ends."""
    return numpy.empty((max(map(len, words), default=0) + 2,), dtype="u4")


cdef Py_ssize_t mark_ends(str word, Py_UCS4[::1] characters):
    """Write the characters of a word between the marks; return how many there are."""
    cdef Py_ssize_t i
    characters[0] = BEGIN
    for i in range(len(word)):
        characters[i + 1] = PyUnicode_READ_CHAR(word, i)
    characters[len(word) + 1] = END
    return len(word) + 2


cdef uint64_t hash_characters(Py_UCS4* characters, Py_ssize_t n, uint64_t seed) noexcept:
    return hash64(characters, n * sizeof(Py_UCS4), seed)


def hash_ngrams(
    words: Sequence[str], int min_n, int max_n,
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int32]]:
    """Hash each word and its character n-grams (Bojanowski et al. 2017, section 3.2).

    Args:
        words: strings; a mark is put at each end of a word.
        min_n: the fewest characters of an n-gram, marks included.
        max_n: the most characters of an n-gram, marks included.

    Returns:
        The hashes, (n_hashes,) uint64, of each word and then of its n-grams; and where each word's
        hashes begin, (n_words + 1,) int32.
    """
    cdef Py_ssize_t w, i, n, length, place = 0
    cdef uint64_t[::1] hashes = numpy.empty(
        (sum(1 + (max_n - min_n + 1) * (len(word) + 2) for word in words),), dtype="u8")
    cdef int[::1] starts = numpy.zeros((len(words) + 1,), dtype="i")
    cdef Py_UCS4[::1] characters = room_for_word(words)
    for w in range(len(words)):
        length = mark_ends(words[w], characters)
        hashes[place] = hash_characters(&characters[0], length, 0)
        place += 1
        for n in range(min_n, min(max_n, length) + 1):
            for i in range(length - n + 1):
                hashes[place] = hash_characters(&characters[i], n, n)
                place += 1
        starts[w + 1] = place
    return hashes.base[:place], starts.base


def hash_affixes(
    words: Sequence[str], prefixes: Sequence[int], suffixes: Sequence[int],
) -> NDArray[numpy.uint64]:
    """Hash the prefixes and suffixes of words, with a mark at the end of the word.

    Args:
        prefixes: lengths of prefixes; a shorter word is hashed as a whole.
        suffixes: lengths of suffixes; a shorter word is hashed as a whole.

    Returns:
        (n_words, n_prefixes + n_suffixes) uint64.
    """
    cdef Py_ssize_t w, a, n, length
    cdef uint64_t[:, ::1] hashes = numpy.empty(
        (len(words), len(prefixes) + len(suffixes)), dtype="u8")
    cdef Py_UCS4[::1] characters = room_for_word(words)
    for w in range(len(words)):
        length = mark_ends(words[w], characters)
        for a, n in enumerate(prefixes):
            hashes[w, a] = hash_characters(&characters[0], min(n + 1, length), 0)
        for a, n in enumerate(suffixes, len(prefixes)):
            n = min(n + 1, length)
            hashes[w, a] = hash_characters(&characters[length - n], n, 0)
    return hashes.base


def sum_rows_at(
    const float[:, ::1] table, const int[::1] rows, const int[::1] starts, float[:, :] out,
    bint mean=False,
) -> None:
    """Sum rows of a table.

    Args:
        table: (.., width).
        rows: (n_rows,), indices into the table.
        starts: (n + 1,), where the rows of each sum begin.
        out: (n, width), where the sums are written; the numbers of a row must be contiguous.
        mean: whether a sum is divided by the number of its rows.
    """
    cdef Py_ssize_t i, r, h
    cdef int width = table.shape[1]
    cdef float scale
    for i in range(out.shape[0]):
        memset(&out[i, 0], 0, width * sizeof(float))
        for r in range(starts[i], starts[i + 1]):
            add_to(&out[i, 0], &table[rows[r], 0], width)
        if mean and starts[i + 1] > starts[i]:
            scale = 1.0 / (starts[i + 1] - starts[i])
            for h in range(width):
                out[i, h] *= scale


def backprop_sum_rows_at(
    float[:, ::1] d_table, const int[::1] rows, const int[::1] starts, float[:, :] d_out,
    bint mean=False,
) -> None:
    """Add to the gradient of a table by that of sums of its rows.

    Args:
        d_table: (.., width), to which is added.
        d_out: (n, width), the gradient of the sums; scaled in place if `mean`.
    """
    cdef Py_ssize_t i, r, h
    cdef int width = d_table.shape[1]
    cdef float scale
    for i in range(d_out.shape[0]):
        if mean and starts[i + 1] > starts[i]:
            scale = 1.0 / (starts[i + 1] - starts[i])
            for h in range(width):
                d_out[i, h] *= scale
        for r in range(starts[i], starts[i + 1]):
            add_to(&d_table[rows[r], 0], &d_out[i, 0], width)
