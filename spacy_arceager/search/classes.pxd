"""The classes of a transition among the scores of all classes."""

from ..machine.configuration cimport NONE
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport is_arc
from ..kernels.kernels cimport find_highest

cdef inline int n_classes_of(TransitionSystem system, int transition) noexcept nogil:
    return system.n_labels if is_arc(&system.c.transitions[transition]) else 1

# The best-scored class of a transition, or `best` if that is not NONE and has a score as high.
cdef inline int best_class(TransitionSystem system, int transition, const float* scores,
                           int best) noexcept nogil:
    cdef int first = system.first_class[transition]
    cdef int other = first + find_highest(scores + first, n_classes_of(system, transition))
    return other if best == NONE or scores[other] > scores[best] else best
