# cython: boundscheck=True, wraparound=True
"""Gold trees and graphs as C structs, many sentences in one block of memory."""

import numpy

from ..kernels.memory cimport BlockC, n_ints, take_ints
from ..machine.configuration cimport NO_ROOT, NONE
from ..machine.system cimport TransitionSystem


cdef class GoldTrees:
    """The gold trees or graphs of a batch of sentences, or of documents of several sentences.

    Each tree or graph belongs to one sentence or to one document, below called a text.

    Args:
        lengths: (n_trees,) the number of words of each text.
        heads: (n_words,) int32, the heads of all texts, one after the other. Words are counted
            from 0 within their text. A root is its own head, and -1 is a missing head.
        labels: (n_words,) int32, the index of the label of each word; -1 is a missing label.
        root_node: whether the system has an artificial root.
        starts: (n_words,) bool, where sentences start. Systems that find sentence boundaries need
            it.
        arcs: (n_arcs, 3) int32, the dependent, head and label of each arc, for systems that build
            graphs. Here words are counted through all texts. Self-loops are left out. If several
            arcs lead from one head to one dependent, all but the first are left out.

    Attributes:
        longest: the number of words of the longest text.
        highest_label: the largest index of a label; -1 where all labels are missing.

    Raises:
        ValueError: If the lengths of the arguments do not fit together, a head or an arc leads out
            of its text, a label is below -1, or a number does not fit into 32 bits.
        TypeError: If the numbers are not whole.
    """

    def __cinit__(
        self, lengths: Sequence[int] | NDArray[numpy.integer],
        heads: Sequence[int] | NDArray[numpy.integer],
        labels: Sequence[int] | NDArray[numpy.integer], bint root_node=False,
        starts: Sequence[bool] | NDArray[numpy.bool_] | None = None,
        arcs: Sequence[Sequence[int]] | NDArray[numpy.integer] | None = None,
    ):
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
        # `unique` sorts the arcs by dependent, so that the arcs of each sentence are adjacent.
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


def whole_numbers(
    values: Iterable[object] | NDArray, name: str, shape: tuple[int, ...] = (-1,),
) -> NDArray[numpy.int32]:
    """The values as an int32 array.

    Args:
        name: what the values are, for messages.
        shape: the shape of the array; -1 stands for any length.

    Raises:
        TypeError: If the values are not whole numbers.
        ValueError: If they have another shape, or do not fit into 32 bits.
    """
    if not isinstance(values, numpy.ndarray):
        values = list(values)
    array = numpy.asarray(values)
    if array.size and array.dtype.kind not in "iub":
        raise TypeError(f"{name} are not whole numbers")
    if array.size == 0:
        return numpy.zeros((0, *shape[1:]), dtype="i")
    if array.ndim != len(shape) or shape[-1] not in (-1, array.shape[-1]):
        raise ValueError(f"{name} have the shape {array.shape}")
    limits = numpy.iinfo("i")
    if array.min() < limits.min or array.max() > limits.max:
        raise ValueError(f"{name} are too large")
    return numpy.ascontiguousarray(array, dtype="i")


def check_annotation(lengths: NDArray, heads: NDArray, labels: NDArray) -> None:
    """Raise ValueError unless lengths, heads and labels fit together; see `GoldTrees`."""
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
    # Writes the arc with index `i` and puts it into both linked lists. `arc` points to its head,
    # dependent and label.
    cdef GoldArcC* new = &gold.arcs[i]
    new.head = arc[0] - first_word
    new.dependent = arc[1] - first_word
    new.label = arc[2]
    new.next_in = gold.first_in[new.dependent]
    gold.first_in[new.dependent] = i
    new.next_out = gold.first_out[new.head]
    gold.first_out[new.head] = i


cdef size_t lay_out(GoldC* gold, int n_words, int* block) noexcept nogil:
    # Points all arrays into `block` and returns how many ints they take. If `block` is NULL, it
    # only counts.
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


# The projective order (Nivre 2009, section 3) is the order of an in-order walk through the tree,
# which visits every word after its left and before its right dependents. The artificial root
# comes last.

cdef void set_projective_order(GoldC* gold) noexcept nogil:
    # The final values of `earliest` are not known yet. Until then its memory holds, for each node,
    # the first child that the walk may still have to visit.
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
    # Numbers the subtree of `root` from `n` on, and returns the next free number. The walk needs
    # no stack: each step goes on to a dependent without a number, numbers the word itself, or
    # goes back to the head.
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
    # The next dependent to visit; NONE if the word itself must be numbered first, or if all
    # dependents have been visited.
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


# The maximal projective components (Nivre, Kuhlmann and Hall 2009, section 3) are the trees that
# are left at the end of the input if arc-standard makes all the gold arcs that it can without SWAP.

cdef void set_components(GoldC* gold, int* stack) noexcept nogil:
    # At first, component[word] is the gold head of a word that has been reduced, or the word
    # itself. The memory of `first_in`, which only graphs need later, counts the dependents of each
    # node that have not been reduced yet; at the end it is reset to NONE.
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
            # A word is reduced as soon as it stands beside its gold head and all its dependents
            # have been reduced.
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
        # All words on the way up to the root are set at once, so that no long chain is walked
        # twice.
        above = word
        while gold.component[above] != root:
            n = gold.component[above]
            gold.component[above] = root
            above = n
    for word in range(gold.n_words + 1):
        n_left[word] = NONE
