"""A transition system that was compiled from its control parameters, and its configurations.

The model scores classes. A class is a transition, together with a label if it makes an arc.
"""

from libcpp.vector cimport vector

from .configuration cimport ConfigurationC
from .transitions.declarations cimport SystemC

cdef class TransitionSystem:
    cdef SystemC c
    cdef readonly object parameters     # SystemParameters
    cdef readonly tuple labels          # tuple[str, ...]
    cdef readonly tuple transitions     # tuple[Transition, ...]
    cdef readonly int n_classes
    cdef readonly int n_labels
    cdef vector[int] class_transition   # (n_classes,) index of the transition
    cdef vector[int] class_label        # (n_classes,) index of the label; NONE: no arc
    cdef vector[int] first_class        # (n_transitions,) first class of a transition
    cdef dict index_of                  # from the name of a transition to its index
    cdef dict label_index               # from a label to its index

    # The index of a label; NONE for None. Raises ValueError if the system has no such label.
    cdef int find_label(self, label) except? -1

cdef class Configuration:
    cdef ConfigurationC c
    cdef readonly TransitionSystem system
    cdef vector[int] memory             # holds the arrays of `c`
    cdef object kept                    # keeps the rules alive

    # The anchor at a position of O; NONE if no anchor is there. An empty O has the first one.
    cdef int anchor_at(self, int position)

    # The (head, label) of each arc to a word, in a system that builds graphs.
    cdef list arcs_of(self, int word)
