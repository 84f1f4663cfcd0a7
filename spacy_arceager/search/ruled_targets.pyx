"""What rules about dependents add to the oracle's costs; see ruled_targets.pxd."""

from ..machine.configuration cimport NONE, REDUCED, ConfigurationC, is_root_node
from ..machine.rules cimport OBJECT, SUBJECT
from ..machine.transitions.declarations cimport TransitionC
from ..machine.valid cimport may_be_under
from ..oracles.gold cimport GoldC


cdef inline bint is_to_come(const ConfigurationC* c, const GoldC* gold, int word) noexcept nogil:
    return c.head[word] == NONE and c.place[word] != REDUCED and gold.label[word] != NONE


cdef int arcs_excluded(const ConfigurationC* c, const GoldC* gold, const TransitionC* t, int head,
                       int dependent, int label) noexcept nogil:
    cdef int single = c.rules.traits[label] & (SUBJECT | OBJECT)
    cdef int word, n = 0
    word = NONE if t.takes_out else gold.first_child[dependent]
    while word != NONE:
        n += is_to_come(c, gold, word) and not may_be_under(
            c, dependent, label, word, gold.label[word])
        word = gold.next_child[word]
    word = gold.first_child[head] if single and not is_root_node(c, head) else NONE
    while word != NONE:
        n += (word != dependent and is_to_come(c, gold, word)
              and c.rules.traits[gold.label[word]] & single != 0)
        word = gold.next_child[word]
    return n
