"""Gold trees as C structs."""

cdef enum:
    ROOT_HEAD = -3   # gold head of the root where there is no artificial root

# head: a node, ROOT_HEAD, or NONE where it is missing. label: NONE where missing.
cdef struct GoldC:
    int n_words
    int* head            # (n_words,)
    int* label           # (n_words,)
    int* first_child     # (n_words + 1,) gold dependents of a node, as a linked list
    int* next_child      # (n_words + 1,)

cdef class GoldTrees:
    cdef readonly int n_trees
    cdef readonly int n_words
    cdef readonly int longest
    cdef readonly int highest_label
    cdef int[::1] lengths
    cdef int[::1] block
    cdef GoldC* c

    cdef void _lay_out(self, int tree, int n_words, int* block, const int* heads,
                       const int* labels, bint root_right) noexcept nogil
