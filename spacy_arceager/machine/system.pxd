"""A transition system compiled from its parameters, and its classes."""

from libcpp.vector cimport vector

from .configuration cimport ConfigurationC
from .transitions.declarations cimport SystemC

# A class is what the model scores: a transition, with a label where it makes an arc.
cdef class TransitionSystem:
    cdef SystemC c
    cdef readonly object parameters     # SystemParameters
    cdef readonly tuple labels          # str
    cdef readonly tuple transitions     # Transition
    cdef readonly int n_classes
    cdef readonly int n_labels
    cdef vector[int] class_transition   # (n_classes,) index of the transition
    cdef vector[int] class_label        # (n_classes,) index of the label, or NONE
    cdef vector[int] first_class        # (n_transitions,) first class of a transition
    cdef dict index_of                  # index of a transition by its name
    cdef dict label_index               # index of a label

    # Index of a label, NONE for None. Raises ValueError where it is unknown.
    cdef int find_label(self, label) except? -1

cdef class Configuration:
    cdef ConfigurationC c
    cdef readonly TransitionSystem system
    cdef vector[int] memory             # of the arrays of `c`

    # The anchor at a position, NONE where there is none.
    cdef int anchor_at(self, int position)

    # All (head, label) of a word in a graph.
    cdef list arcs_of(self, int word)
