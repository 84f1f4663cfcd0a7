"""Gold trees as C structs, many sentences in one block of memory."""

import numpy

from libc.stdlib cimport calloc, free

from ..machine.configuration cimport NONE


cdef class GoldTrees:
    """The gold trees of a batch of sentences.

    lengths: words in each sentence.
    heads: (n_words,) int32, all sentences one after the other. A head is a word of its
        sentence, counted from 0; the root is its own head; -1 is missing.
    labels: (n_words,) int32, index of the label; -1 is missing.
    root_right: the system has an artificial root.

    Raises ValueError for a head outside its sentence, and where lengths do not fit.
    """

    def __cinit__(self, lengths, heads, labels, bint root_right=False):
        cdef int[::1] c_lengths = numpy.ascontiguousarray(lengths, dtype="i")
        cdef int[::1] c_heads = numpy.ascontiguousarray(heads, dtype="i")
        cdef int[::1] c_labels = numpy.ascontiguousarray(labels, dtype="i")
        cdef int tree, start = 0
        self.n_trees = c_lengths.shape[0]
        self.n_words = c_heads.shape[0]
        self.lengths = c_lengths
        self.longest = max(lengths) if self.n_trees else 0
        self.highest_label = max(labels) if self.n_words else NONE
        self._check(c_lengths, c_heads, c_labels)
        self.c = <GoldC*>calloc(max(self.n_trees, 1), sizeof(GoldC))
        if self.c == NULL:
            raise MemoryError()
        self.block = numpy.full((4 * (self.n_words + self.n_trees) + 1,), NONE, dtype="i")
        for tree in range(self.n_trees):
            if c_lengths[tree]:
                self._lay_out(
                    tree, c_lengths[tree], &self.block[4 * (start + tree)],
                    &c_heads[start], &c_labels[start], root_right
                )
            start += c_lengths[tree]

    def __dealloc__(self):
        free(self.c)

    def _check(self, lengths, heads, labels):
        heads = numpy.asarray(heads)
        limit = numpy.repeat(numpy.asarray(lengths), numpy.asarray(lengths))
        if limit.shape != heads.shape:
            raise ValueError(f"{heads.size} gold heads for {limit.size} words")
        if len(labels) != heads.size:
            raise ValueError(f"{len(labels)} gold labels for {heads.size} gold heads")
        wrong = numpy.flatnonzero((heads < NONE) | (heads >= limit))
        if wrong.size:
            raise ValueError(
                f"Gold head {heads[wrong[0]]} of word {wrong[0]} lies outside its sentence"
            )

    cdef void _lay_out(self, int tree, int n_words, int* block, const int* heads,
                       const int* labels, bint root_right) noexcept nogil:
        cdef GoldC* gold = &self.c[tree]
        cdef int row = n_words + 1
        cdef int word, head
        gold.n_words = n_words
        gold.head = block
        gold.label = block + row
        gold.first_child = block + 2 * row
        gold.next_child = block + 3 * row
        for word in range(n_words - 1, -1, -1):
            head = heads[word]
            if head == word:
                head = n_words if root_right else ROOT_HEAD
            gold.head[word] = head
            gold.label[word] = labels[word]
            if head >= 0:
                gold.next_child[word] = gold.first_child[head]
                gold.first_child[head] = word
