"""Which transitions the rules about dependents allow; see rules.pxd.

A check looks at the arcs that a configuration has already. So whichever of two arcs comes second is
refused if both together break a rule, and an arc that is replaced takes nothing with it. The rules
never ask for an arc that is still to come, except that a nominal which has an `obl` must be a
predicate already, so that every legal derivation has a valid way on: see docs/valid_ud.md.
"""

from .configuration cimport ConfigurationC
from .transitions.declarations cimport SystemC, TransitionC

# Whether a transition makes an arc, and between which words. Arcs are made by arc transitions and
# by a non-monotonic REDUCE of a word without a head.
cdef bint find_arc(const SystemC* system, const ConfigurationC* c, const TransitionC* t, int anchor,
                   int* head, int* dependent) noexcept nogil

# Whether an arc that a configuration does not have yet would break no rule.
cdef bint allows_arc(const ConfigurationC* c, int head, int dependent, int label) noexcept nogil

# Whether a word may have a label at all, whatever the tree.
cdef bint allows_label(const ConfigurationC* c, int word, int label) noexcept nogil

# Whether a word with the label `head_label` may have a dependent with a label.
cdef bint may_be_under(const ConfigurationC* c, int head, int head_label, int dependent,
                       int label) noexcept nogil

# Whether a legal transition with the label of its class breaks no rule. The configuration must have
# rules.
cdef bint is_valid(const SystemC* system, const ConfigurationC* c, const TransitionC* t, int anchor,
                   int label) noexcept nogil
