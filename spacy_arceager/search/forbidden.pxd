"""What the tree of a sentence must not have."""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport SystemC, TransitionC

# See Forbidden.
cdef struct ForbiddenC:
    int n_words
    int n_labels
    int n_labelled
    int n_subtrees
    const unsigned char* arcs
    const unsigned char* labels
    const int* labelled
    const int* subtrees

cdef class Forbidden:
    cdef readonly object arcs
    cdef readonly object labels
    cdef readonly object labelled
    cdef readonly object subtrees
    cdef const unsigned char[:, ::1] _arcs
    cdef const unsigned char[:, ::1] _labels
    cdef const int[:, ::1] _labelled
    cdef const int[:, ::1] _subtrees
    cdef ForbiddenC c

# Whether a transition makes an arc, and which one: an arc transition, or a non-monotonic REDUCE of
# a headless word.
cdef bint find_arc(const SystemC* system, const ConfigurationC* c, const TransitionC* t, int anchor,
                   int* head, int* dependent) noexcept nogil

# Whether no tree may have an arc, given those that a configuration has.
cdef bint forbids_arc(const ForbiddenC* f, const ConfigurationC* c, int head,
                      int dependent) noexcept nogil

# Whether an arc may not have a label.
cdef bint forbids_label(const ForbiddenC* f, int head, int dependent, int label) noexcept nogil

# The best label of RIGHT that a word may have with some head, which it remembers when it is shifted
# for a non-monotonic REDUCE; NONE where there is none.
cdef int remembered_label(const ForbiddenC* f, TransitionSystem system, int word,
                          const float* scores) noexcept nogil
