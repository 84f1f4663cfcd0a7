"""A transition system compiled from its parameters, and its classes."""

from .configuration cimport ConfigurationC
from .transitions cimport SystemC

# A class is what the model scores: a transition, with a label where it makes an arc.
cdef class TransitionSystem:
    cdef SystemC c
    cdef readonly object parameters     # SystemParameters
    cdef readonly tuple labels          # str
    cdef readonly tuple transitions     # Transition
    cdef readonly int n_classes
    cdef readonly int n_labels
    cdef int[::1] class_transition      # (n_classes,) index of the transition
    cdef int[::1] class_label           # (n_classes,) index of the label, or NONE
    cdef int[::1] first_class           # (n_transitions,) first class of a transition

cdef class Configuration:
    cdef ConfigurationC c
    cdef readonly TransitionSystem system
    cdef int[::1] block

    # The anchor at a position, NONE where there is none.
    cdef int anchor_at(self, int position)
