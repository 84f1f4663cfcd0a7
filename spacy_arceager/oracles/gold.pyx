# cython: boundscheck=True, wraparound=True
"""Gold trees and graphs as C structs, many sentences in one block of memory."""

import numpy

from ..kernels.memory cimport BlockC, n_ints, take_ints
from ..machine.configuration cimport NO_ROOT, NONE
from ..machine.system cimport TransitionSystem

cdef enum:
    LOWEST = -2147483648
    HIGHEST = 2147483647


cdef class GoldTrees:
    """The gold trees of a batch of sentences, or of documents of several sentences.

    Args:
        lengths: words in each sentence or document.
        heads: (n_words,) int32, all sentences one after the other. A head is a word of its
            sentence, counted from 0; the root is its own head; -1 is missing.
        labels: (n_words,) int32, index of the label; -1 is missing.
        root_node: the system has an artificial root.
        starts: (n_words,) bool, where sentences start; for systems that find boundaries.
        arcs: (n_arcs, 3) int32, for systems that build graphs: dependent, head and label of each
            arc, words numbered through all sentences. Self-loops, and all but the first of several
            arcs from one head to one dependent, are left out.

    Attributes:
        n_trees: how many sentences there are.
        n_words: the words of all sentences.
        longest: words of the longest sentence.
        highest_label: the largest index of a label; -1 where all are missing.
        is_graph: arcs of graphs were given.
        root_node: as above.

    Raises:
        ValueError: Where lengths do not fit, for a head outside its sentence and for a label below
            -1.
        TypeError: Where numbers are not whole.
    """

    def __cinit__(self, lengths, heads, labels, bint root_node=False, starts=None,
                  arcs=None):
        cdef int[::1] c_lengths = whole_numbers(lengths, "Lengths of sentences")
        cdef int[::1] c_heads = whole_numbers(heads, "Gold heads")
        cdef int[::1] c_labels = whole_numbers(labels, "Gold labels")
        cdef int[::1] c_starts
        cdef int tree, start = 0
        cdef size_t size = 0
        self.n_trees = c_lengths.shape[0]
        self.n_words = c_heads.shape[0]
        self.root_node = root_node
        self.lengths = c_lengths
        self.longest = numpy.max(c_lengths, initial=0)
        self.highest_label = numpy.max(c_labels, initial=NONE)
        check_annotation(numpy.asarray(c_lengths), numpy.asarray(c_heads), numpy.asarray(c_labels))
        c_starts = numpy.zeros((self.n_words,), dtype="i")
        if starts is not None:
            c_starts = whole_numbers(starts, "Sentence starts")
        if c_starts.shape[0] != self.n_words:
            raise ValueError(f"{c_starts.shape[0]} sentence starts for {self.n_words} words")
        self.trees.resize(self.n_trees)
        self.c = self.trees.data()
        for tree in range(self.n_trees):
            size += lay_out(&self.c[tree], c_lengths[tree], NULL)
        self.block = numpy.full((size + 1,), NONE, dtype="i")
        size = 0
        for tree in range(self.n_trees):
            if c_lengths[tree]:
                size += lay_out(&self.c[tree], c_lengths[tree], &self.block[size])
                fill(&self.c[tree], &c_heads[start], &c_labels[start], &c_starts[start],
                     root_node)
            start += c_lengths[tree]
        self.is_graph = arcs is not None
        if self.is_graph:
            self._add_arcs(whole_numbers(arcs, "Gold arcs", (-1, 3)))

    cdef int check(self, TransitionSystem system) except -1:
        name = system.parameters.name
        if system.c.shape.graph and not self.is_graph:
            raise ValueError(f"System '{name}' builds graphs, not trees")
        if self.root_node != (system.c.shape.root != NO_ROOT):
            raise ValueError(
                f"The gold trees and system '{name}' do not agree about an artificial root")
        return 0

    def _add_arcs(self, arcs):
        # Sorted by dependent, so that each sentence has a slice of its own.
        arcs = arcs[arcs[:, 0] != arcs[:, 1]]
        arcs = arcs[numpy.unique(arcs[:, :2], axis=0, return_index=True)[1]]
        lengths = numpy.asarray(self.lengths)
        sentence = numpy.repeat(numpy.arange(self.n_trees), lengths)
        if arcs.size and (arcs[:, :2].min() < 0 or arcs[:, :2].max() >= self.n_words
                          or (sentence[arcs[:, 0]] != sentence[arcs[:, 1]]).any()):
            raise ValueError("A gold arc leads out of its sentence")
        if arcs[:, 2].min(initial=NONE) < NONE:
            raise ValueError("A gold arc has a label below -1")
        self.highest_label = max(self.highest_label, arcs[:, 2].max(initial=NONE))
        starts = numpy.cumsum(lengths) - lengths
        first = numpy.searchsorted(arcs[:, 0], numpy.append(starts, self.n_words))
        self.arcs = numpy.full(
            (len(arcs) + 1, sizeof(GoldArcC) // sizeof(int)), NONE, dtype="i")
        cdef int[:, ::1] c_arcs = numpy.ascontiguousarray(arcs[:, [1, 0, 2]])
        cdef int tree, i
        for tree in range(self.n_trees):
            self.c[tree].arcs = <GoldArcC*>&self.arcs[<int>first[tree], 0]
            for i in range(<int>first[tree], <int>first[tree + 1]):
                link(&self.c[tree], i - <int>first[tree], &c_arcs[i, 0], <int>starts[tree])


def whole_numbers(values, name, shape=(-1,)):
    """An int32 array of some shape; TypeError or ValueError where it cannot be one."""
    if not isinstance(values, numpy.ndarray):
        values = list(values)
    array = numpy.asarray(values)
    if array.size and array.dtype.kind not in "iub":
        raise TypeError(f"{name} are not whole numbers")
    if array.size == 0:
        return numpy.zeros((0, *shape[1:]), dtype="i")
    if array.ndim != len(shape) or shape[-1] not in (-1, array.shape[-1]):
        raise ValueError(f"{name} have the shape {array.shape}")
    if (array.min() < LOWEST or array.max() > HIGHEST):
        raise ValueError(f"{name} are too large")
    return numpy.ascontiguousarray(array, dtype="i")


def check_annotation(lengths, heads, labels):
    """Raise ValueError where heads and labels of sentences do not belong together."""
    if lengths.min(initial=0) < 0:
        raise ValueError("A sentence cannot have less than no words")
    n_words = lengths.sum(dtype="int64")
    if n_words != heads.size:
        raise ValueError(f"{heads.size} gold heads for {n_words} words")
    if labels.size != heads.size:
        raise ValueError(f"{labels.size} gold labels for {heads.size} gold heads")
    limit = numpy.repeat(lengths, lengths)
    wrong = numpy.flatnonzero((heads < NONE) | (heads >= limit))
    if wrong.size:
        raise ValueError(
            f"Gold head {heads[wrong[0]]} of word {wrong[0]} lies outside its sentence"
        )
    if labels.min(initial=NONE) < NONE:
        raise ValueError(f"Gold label {labels.min()} is below -1")


cdef void link(GoldC* gold, int i, const int* arc, int first_word) noexcept nogil:
    # arc: head, dependent and label.
    cdef GoldArcC* new = &gold.arcs[i]
    new.head = arc[0] - first_word
    new.dependent = arc[1] - first_word
    new.label = arc[2]
    new.next_in = gold.first_in[new.dependent]
    gold.first_in[new.dependent] = i
    new.next_out = gold.first_out[new.head]
    gold.first_out[new.head] = i


cdef size_t lay_out(GoldC* gold, int n_words, int* block) noexcept nogil:
    # All arrays of a gold tree; returns how many ints they take.
    cdef size_t row = <size_t>n_words + 1
    cdef BlockC arrays = BlockC(<char*>block, 0)
    gold.n_words = n_words
    gold.head = take_ints(&arrays, row)
    gold.label = take_ints(&arrays, row)
    gold.first_child = take_ints(&arrays, row)
    gold.next_child = take_ints(&arrays, row)
    gold.order = take_ints(&arrays, row)
    gold.sentence_end = take_ints(&arrays, row)
    gold.component = take_ints(&arrays, row)
    gold.earliest = take_ints(&arrays, row)
    gold.first_in = take_ints(&arrays, row)
    gold.first_out = take_ints(&arrays, row)
    return n_ints(&arrays)


cdef void fill(GoldC* gold, const int* heads, const int* labels, const int* starts,
               bint root_node) noexcept nogil:
    cdef int n = gold.n_words
    cdef int end = n
    cdef int word, head
    for word in range(n - 1, -1, -1):
        head = heads[word]
        if head == word:
            head = n if root_node else ROOT_HEAD
        gold.head[word] = head
        gold.label[word] = labels[word]
        gold.sentence_end[word] = end
        if starts[word]:
            end = word
        if head >= 0:
            gold.next_child[word] = gold.first_child[head]
            gold.first_child[head] = word
    set_projective_order(gold)
    set_components(gold, gold.earliest)
    set_earliest(gold)


# The projective order (Nivre 2009, section 3): an in-order walk through the tree, every
# word between its left and its right dependents. The artificial root comes last.

cdef void set_projective_order(GoldC* gold) noexcept nogil:
    # `earliest` is not set yet; here it is the first child of each word that may not be numbered.
    cdef int word, n = 0
    for word in range(gold.n_words + 1):
        gold.earliest[word] = gold.first_child[word]
    for word in range(gold.n_words):
        if gold.head[word] < 0 or gold.head[word] == gold.n_words:
            n = number_subtree(gold, word, n)
    for word in range(gold.n_words + 1):
        if gold.order[word] == NONE:     # on a cycle, or the root
            gold.order[word] = n
            n += 1


cdef int number_subtree(GoldC* gold, int root, int n) noexcept nogil:
    # Walks without a stack: from a word to its next dependent not yet numbered, to itself,
    # or back to its head. Children are listed from left to right.
    cdef int word = root
    cdef int child
    while True:
        child = next_unnumbered(gold, word)
        if child != NONE:
            word = child
            continue
        if gold.order[word] == NONE:
            gold.order[word] = n
            n += 1
            continue
        if word == root:
            return n
        word = gold.head[word]


cdef int next_unnumbered(GoldC* gold, int word) noexcept nogil:
    # The next dependent to walk to; NONE where the word itself comes first, or all are done.
    cdef int child = gold.earliest[word]
    while child != NONE and gold.order[child] != NONE:
        child = gold.next_child[child]
    gold.earliest[word] = child
    if child > word and gold.order[word] == NONE:
        return NONE
    return child


cdef void set_earliest(GoldC* gold) noexcept nogil:
    cdef int word
    gold.earliest[gold.n_words] = gold.order[gold.n_words]
    for word in range(gold.n_words - 1, -1, -1):
        gold.earliest[word] = min(gold.order[word], gold.earliest[word + 1])


# Maximal projective components (Nivre, Kuhlmann and Hall 2009, section 3): the trees that
# arc-standard without SWAP leaves when it makes gold arcs only.

cdef void set_components(GoldC* gold, int* stack) noexcept nogil:
    # At first `component` is the gold head of a word that has been reduced, and `first_in`, which
    # only graphs have, is how many dependents of a word have not been reduced.
    cdef int* n_left = gold.first_in
    cdef int word, root, above, n = 0
    for word in range(gold.n_words + 1):
        n_left[word] = 0
    for word in range(gold.n_words):
        if gold.head[word] >= 0:
            n_left[gold.head[word]] += 1
    for word in range(gold.n_words):
        gold.component[word] = word
        stack[n] = word
        n += 1
        while n > 1:
            # A gold dependent that has all its own is reduced.
            if gold.head[stack[n - 2]] == stack[n - 1] and n_left[stack[n - 2]] == 0:
                gold.component[stack[n - 2]] = stack[n - 1]
                stack[n - 2] = stack[n - 1]
            elif gold.head[stack[n - 1]] == stack[n - 2] and n_left[stack[n - 1]] == 0:
                gold.component[stack[n - 1]] = stack[n - 2]
            else:
                break
            n -= 1
            n_left[stack[n - 1]] -= 1
    for word in range(gold.n_words):
        root = word
        while gold.component[root] != root:
            root = gold.component[root]
        # All on the way up are told at once, so that a long chain is not walked again.
        above = word
        while gold.component[above] != root:
            n = gold.component[above]
            gold.component[above] = root
            above = n
    for word in range(gold.n_words + 1):
        n_left[word] = NONE
