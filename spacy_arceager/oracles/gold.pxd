"""Gold trees and graphs as C structs."""

from libcpp.vector cimport vector

from ..machine.configuration cimport NONE, ConfigurationC, is_root_node
from ..machine.system cimport TransitionSystem

cdef enum:
    ROOT_HEAD = -3   # gold head of the root where there is no artificial root

# An arc of a gold graph.
cdef struct GoldArcC:
    int head
    int dependent
    int label            # NONE where missing
    int next_in          # index of the next arc to the same dependent, or NONE
    int next_out         # index of the next arc from the same head, or NONE

# The gold tree of a sentence or document, or its gold graph. Only graphs have `arcs`, `first_in`
# and `first_out`. In a tree, a node has its dependents as a linked list, from left to right.
cdef struct GoldC:
    int n_words
    int* head            # (n_words,) a node, ROOT_HEAD, or NONE where missing
    int* label           # (n_words,) NONE where missing
    int* first_child     # (n_words + 1,) the leftmost gold dependent of a node, or NONE
    int* next_child      # (n_words + 1,) the next dependent of the same head, or NONE
    int* order           # (n_words + 1,) place of a node in the projective order
    int* earliest        # (n_words + 1,) least place in that order of this and all later nodes
    int* component       # (n_words,) root of the maximal projective component of a word
    int* sentence_end    # (n_words,) first word after the gold sentence of a word
    GoldArcC* arcs       # the arcs of a graph
    int* first_in        # (n_words,) index of the first arc to a word, or NONE
    int* first_out       # (n_words,) index of the first arc from a word, or NONE

cdef class GoldTrees:
    cdef readonly int n_trees
    cdef readonly int n_words
    cdef readonly int longest
    cdef readonly int highest_label
    cdef readonly bint is_graph
    cdef readonly bint root_node
    cdef int[::1] lengths
    cdef int[::1] block
    cdef int[:, ::1] arcs    # the memory of the GoldArcC of all graphs, one a row
    cdef vector[GoldC] trees
    cdef GoldC* c

    # Raises ValueError if the gold annotation is not made for a system: it has no graphs where the
    # system builds graphs, or only one of them has an artificial root.
    cdef int check(self, TransitionSystem system) except -1

# The arc of a gold graph from `head` to `dependent`, or NULL if there is none.
cdef inline const GoldArcC* find_gold_arc(const GoldC* gold, int head,
                                          int dependent) noexcept nogil:
    cdef int arc = gold.first_in[dependent]
    while arc != NONE:
        if gold.arcs[arc].head == head:
            return &gold.arcs[arc]
        arc = gold.arcs[arc].next_in
    return NULL

# Whether `head` is the gold head of a root. `c` says which node is the artificial root.
cdef inline bint is_root_head(const ConfigurationC* c, int head) noexcept nogil:
    return head == ROOT_HEAD or is_root_node(c, head)

# Whether a word is `ancestor` itself or descends from it. `heads`, (n_words,), are the heads of the
# parse or the gold heads. Gold heads may have a cycle, so that the steps must be limited.
cdef inline bint is_below(const ConfigurationC* c, const int* heads, int word,
                          int ancestor) noexcept nogil:
    cdef int steps = 0
    while word >= 0 and word != ancestor and steps <= c.n_words:
        word = NONE if is_root_node(c, word) else heads[word]
        steps += 1
    return word == ancestor
