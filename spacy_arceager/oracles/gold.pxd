"""Gold trees and graphs as C structs."""

from libcpp.vector cimport vector

from ..machine.configuration cimport NONE
from ..machine.system cimport TransitionSystem

cdef enum:
    ROOT_HEAD = -3   # gold head of the root where there is no artificial root

# An arc of a gold graph.
cdef struct GoldArcC:
    int head
    int dependent
    int label            # NONE where missing
    int next_in          # the next arc to the same dependent
    int next_out         # the next arc from the same head

# head: a node, ROOT_HEAD, or NONE where it is missing. label: NONE where missing.
cdef struct GoldC:
    int n_words
    int* head            # (n_words,)
    int* label           # (n_words,)
    int* first_child     # (n_words + 1,) gold dependents of a node, as a linked list
    int* next_child      # (n_words + 1,)
    int* order           # (n_words + 1,) place of a node in the projective order
    int* earliest        # (n_words + 1,) least such place of this and all later words
    int* component       # (n_words,) root of the maximal projective component of a word
    int* sentence_end    # (n_words,) first word behind the gold sentence of a word
    GoldArcC* arcs       # of a graph
    int* first_in        # (n_words,) the first arc to a word, and from it
    int* first_out       # (n_words,)

cdef class GoldTrees:
    cdef readonly int n_trees
    cdef readonly int n_words
    cdef readonly int longest
    cdef readonly int highest_label
    cdef readonly bint is_graph
    cdef readonly bint root_node
    cdef int[::1] lengths
    cdef int[::1] block
    cdef int[:, ::1] arcs    # the GoldArcC of all graphs
    cdef vector[GoldC] trees
    cdef GoldC* c

    # Raises ValueError where the gold annotation is not laid out for a system.
    cdef int check(self, TransitionSystem system) except -1

# The gold arc from a head to a dependent of a graph, or NULL.
cdef inline const GoldArcC* find_gold_arc(const GoldC* gold, int head,
                                          int dependent) noexcept nogil:
    cdef int arc = gold.first_in[dependent]
    while arc != NONE:
        if gold.arcs[arc].head == head:
            return &gold.arcs[arc]
        arc = gold.arcs[arc].next_in
    return NULL
