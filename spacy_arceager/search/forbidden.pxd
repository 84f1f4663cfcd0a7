"""What the tree of a sentence must not have."""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem

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
    cdef readonly object arcs          # NDArray[numpy.uint8]
    cdef readonly object labels        # NDArray[numpy.uint8]
    cdef readonly object labelled      # NDArray[numpy.int32]
    cdef readonly object subtrees      # NDArray[numpy.int32]
    cdef const unsigned char[:, ::1] _arcs
    cdef const unsigned char[:, ::1] _labels
    cdef const int[:, ::1] _labelled
    cdef const int[:, ::1] _subtrees
    cdef ForbiddenC c

# Whether an arc may not be added to those of a configuration.
cdef bint forbids_arc(const ForbiddenC* f, const ConfigurationC* c, int head,
                      int dependent) noexcept nogil

# Whether an arc may not have a label.
cdef bint forbids_label(const ForbiddenC* f, int head, int dependent, int label) noexcept nogil

# The best-scored label of RIGHT that a word may have, or NONE. A word remembers it when it is
# shifted, in case a non-monotonic REDUCE attaches it. f: NULL if nothing is forbidden.
cdef int remembered_label(const ForbiddenC* f, TransitionSystem system, const ConfigurationC* c,
                          int word, const float* scores) noexcept nogil
