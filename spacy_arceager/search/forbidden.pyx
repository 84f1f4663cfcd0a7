"""What the tree of a sentence must not have; see forbidden.pxd."""

import numpy

from ..machine.configuration cimport NONE, ConfigurationC, is_root_node
from ..machine.system cimport TransitionSystem
from ..machine.transitions.arc cimport RIGHT
from ..machine.valid cimport allows_label


cdef class Forbidden:
    """What the tree of a sentence must not have.

    Args:
        arcs: (n_words, n_words) bool, by dependent and head; a root is its own head.
        labels: (n_words, n_labels) bool, labels that a word may not have under any head.
        labelled: (n, 3) dependent, head and label of forbidden labelled arcs.
        subtrees: (n, 2) first and last word of spans that must be whole subtrees. One word of such
            a span has its head outside or is a root, and no word outside has its head inside. The
            caller must put the arcs from heads inside to words outside into `arcs`.

    Raises:
        ValueError: For arrays of other shapes, and for numbers of no word or label.
    """

    def __init__(
        self, arcs: NDArray[numpy.bool_] | NDArray[numpy.uint8],
        labels: NDArray[numpy.bool_] | NDArray[numpy.uint8],
        labelled: ArrayLike = (), subtrees: ArrayLike = (),
    ):
        self.arcs = numpy.ascontiguousarray(arcs, dtype="uint8")
        self.labels = numpy.ascontiguousarray(labels, dtype="uint8")
        self.labelled = numpy.asarray(labelled, dtype="i").reshape(-1, 3)
        self.subtrees = numpy.asarray(subtrees, dtype="i").reshape(-1, 2)
        n = len(self.arcs)
        if self.arcs.shape != (n, n) or self.labels.ndim != 2 or len(self.labels) != n:
            raise ValueError("Forbidden arcs are (n_words, n_words), labels (n_words, n_labels)")
        if (self.labelled < 0).any() or (
                self.labelled >= [n, n, self.labels.shape[1]]).any():
            raise ValueError("Forbidden labels of arcs are of words and labels")
        first, last = self.subtrees.T
        if ((first < 0) | (first > last) | (last >= n)).any():
            raise ValueError(f"Subtrees are spans of {n} words")
        self._arcs, self._labels = self.arcs, self.labels
        self._labelled, self._subtrees = self.labelled, self.subtrees
        self.c.n_words, self.c.n_labels = n, self.labels.shape[1]
        self.c.n_labelled, self.c.n_subtrees = len(self.labelled), len(self.subtrees)
        self.c.arcs = &self._arcs[0, 0] if self.arcs.size else NULL
        self.c.labels = &self._labels[0, 0] if self.labels.size else NULL
        self.c.labelled = &self._labelled[0, 0] if self.labelled.size else NULL
        self.c.subtrees = &self._subtrees[0, 0] if self.subtrees.size else NULL

    def allows(self, heads: NDArray[numpy.integer], labels: NDArray[numpy.integer]) -> bool:
        """Whether a tree has nothing forbidden.

        Args:
            heads: (n_words,), where a root is its own head.
            labels: (n_words,), where the labels of roots do not matter.
        """
        words = numpy.arange(len(self.arcs))
        if self.arcs[words, heads].any():
            return False
        dependents = words[heads != words]
        if self.c.n_labels and self.labels[dependents, labels[dependents]].any():
            return False
        for dependent, head, label in self.labelled.tolist():
            if heads[dependent] == head != dependent and labels[dependent] == label:
                return False
        for first, last in self.subtrees.tolist():
            inside, heads_inside = ((first <= nodes) & (nodes <= last) for nodes in (words, heads))
            tops = inside & (~heads_inside | (heads == words))
            if tops.sum() != 1 or (heads_inside & ~inside).any():
                return False
        return True


cdef inline bint is_inside(const int* subtree, int node) noexcept nogil:
    return subtree[0] <= node <= subtree[1]


cdef bint leads_in_twice(const int* subtree, const ConfigurationC* c, int dependent) noexcept nogil:
    # Whether another word of the span has its head outside.
    cdef int word
    for word in range(subtree[0], subtree[1] + 1):
        if word != dependent and c.head[word] != NONE and not is_inside(subtree, c.head[word]):
            return True
    return False


cdef bint forbids_arc(const ForbiddenC* f, const ConfigurationC* c, int head,
                      int dependent) noexcept nogil:
    cdef const int* subtree
    cdef int i
    cdef int column = dependent if is_root_node(c, head) else head
    if f.arcs[<size_t>dependent * f.n_words + column]:
        return True
    for i in range(f.n_subtrees):
        subtree = f.subtrees + 2 * i
        if (is_inside(subtree, dependent) and not is_inside(subtree, head)
                and leads_in_twice(subtree, c, dependent)):
            return True
    return False


cdef bint forbids_label(const ForbiddenC* f, int head, int dependent, int label) noexcept nogil:
    cdef const int* arc
    cdef int i
    if head == f.n_words:       # an arc from the artificial root has no label
        return False
    if label == NONE:
        return f.n_labels > 0
    if f.labels[<size_t>dependent * f.n_labels + label]:
        return True
    for i in range(f.n_labelled):
        arc = f.labelled + 3 * i
        if arc[0] == dependent and arc[1] == head and arc[2] == label:
            return True
    return False


cdef int remembered_label(const ForbiddenC* f, TransitionSystem system, const ConfigurationC* c,
                          int word, const float* scores) noexcept nogil:
    cdef int t, k, label, best = NONE
    for t in range(system.c.n_transitions):
        if system.c.transitions[t].move != RIGHT:
            continue
        for k in range(system.first_class[t], system.first_class[t] + system.n_labels):
            label = system.class_label[k]
            if f != NULL and f.labels[<size_t>word * f.n_labels + label]:
                continue
            if c.rules != NULL and not allows_label(c, word, label):
                continue
            if best == NONE or scores[k] > scores[best]:
                best = k
    return NONE if best == NONE else system.class_label[best]
