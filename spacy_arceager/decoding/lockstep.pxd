"""The configurations of many sentences, which take their transitions in lock-step."""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from ..machine.transitions cimport SystemC
from .scorer cimport Scorer

cdef class LockStep:
    cdef readonly TransitionSystem system
    cdef readonly int n_sentences
    cdef ConfigurationC* states
    cdef int* memory
    cdef int* first_row        # of each sentence in the precomputed table
    cdef int* active           # sentences that are not finished, in order
    cdef int n_active
    cdef int* legal            # (n_sentences, n_transitions), of the active ones
    cdef const float** rows    # scratch of the lower layer

    # Takes every transition that nothing has to be decided about, drops the sentences
    # that are finished, and fills `legal` for the others.
    cdef void settle(self) noexcept nogil

    cdef void results(self, int* heads, int* labels) noexcept nogil

# Raises ValueError where a model does not score the classes of a system, or there are none.
cdef int check_classes(TransitionSystem system, Scorer scorer) except -1

# The best-scored class among those of the legal transitions.
cdef int best_legal(TransitionSystem system, const int* legal, const float* scores) noexcept nogil

# Takes the transition of a class.
cdef void take(TransitionSystem system, ConfigurationC* c, int index,
               const float* scores) noexcept nogil
