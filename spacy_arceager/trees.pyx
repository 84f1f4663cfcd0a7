"""Properties of head sequences. A root is its own head; -1 is a missing head."""


def is_tree(const int[:] heads):
    """Whether heads are complete, with one root and no cycle."""
    cdef Py_ssize_t n = heads.shape[0], word
    cdef int roots = 0
    for word in range(n):
        roots += heads[word] == word
        if heads[word] < 0 or not ends(heads, word):
            return False
    return roots == 1


def crossing_arcs(const int[:] heads):
    """Dependents of the non-projective arcs, as a list.

    An arc is non-projective if some word between its ends does not descend from its
    head (Havelka 2007). Missing heads and cycles are allowed; they descend from nothing.
    """
    cdef Py_ssize_t n = heads.shape[0], word
    return [word for word in range(n)
            if heads[word] >= 0 and heads[word] != word and not covers(heads, word)]


cdef bint ends(const int[:] heads, int word) noexcept nogil:
    # Whether the path upwards ends, in a root or a missing head.
    cdef Py_ssize_t steps = 0
    while word >= 0 and heads[word] != word:
        word = heads[word]
        steps += 1
        if steps > heads.shape[0]:
            return False
    return True


cdef bint covers(const int[:] heads, int dependent) noexcept nogil:
    cdef int head = heads[dependent]
    cdef int word, ancestor
    cdef Py_ssize_t steps
    for word in range(min(head, dependent) + 1, max(head, dependent)):
        ancestor = word
        steps = 0
        while ancestor != head:
            if ancestor < 0 or heads[ancestor] == ancestor or steps > heads.shape[0]:
                return False
            ancestor = heads[ancestor]
            steps += 1
    return True
