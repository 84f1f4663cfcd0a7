"""The classes of a transition among the scores of all classes."""

from ..machine.configuration cimport NONE
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport is_arc
from ..kernels.kernels cimport find_highest

cdef inline int n_classes_of(TransitionSystem system, int transition) noexcept nogil:
    return system.n_labels if is_arc(&system.c.transitions[transition]) else 1

# The best-scored of a class found so far (or NONE) and those of a transition.
cdef inline int best_class(TransitionSystem system, int transition, const float* scores,
                           int best) noexcept nogil:
    cdef int first = system.first_class[transition]
    cdef int found = first + find_highest(scores + first, n_classes_of(system, transition))
    return found if best == NONE or scores[found] > scores[best] else best
