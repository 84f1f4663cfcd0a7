"""The key of a configuration, by which a beam finds equal ones.

It is the sum of the hashes of the transitions that have led there. If two derivations have taken
the same transitions of the same words in different orders, and the same ones of them before the end
of the input, they have the same configuration; tests show this for small sentences.
"""

from libc.stdint cimport uint64_t

from ..machine.configuration cimport ConfigurationC, is_root_node, n_remaining, operative_from
from ..machine.transitions.declarations cimport SystemC, TransitionC, next_word
from ..machine.transitions.swap cimport SWAP
from ..machine.valid cimport find_arc


# What a transition adds to the key. label: of the arc, or the one that SHIFT remembers. Trees have
# no labels of arcs from the artificial root, so that of the last transition does not count.
cdef inline uint64_t change_of_key(const SystemC* system, const ConfigurationC* c,
                                   const TransitionC* t, int anchor, int label) noexcept nogil:
    cdef uint64_t key = mixed(8 * t.move + 4 * c.ended + 2 * t.shifts + t.reduces)
    cdef int head, word
    if find_arc(system, c, t, anchor, &head, &word):
        key = mixed(mixed(key + head) + word)
        return key if is_root_node(c, head) and n_remaining(c) == 2 else mixed(key + label)
    word = operative_from(c, anchor, t.takes_out) if t.takes_out else next_word(system, c)
    key = mixed(mixed(key + word) + label)
    return mixed(key + c.top) if t.move == SWAP else key


# The number with its bits well mixed (Steele, Lea and Flood 2014).
cdef inline uint64_t mixed(uint64_t number) noexcept nogil:
    number += <uint64_t>0x9E3779B97F4A7C15
    number = (number ^ (number >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    number = (number ^ (number >> 27)) * <uint64_t>0x94D049BB133111EB
    return number ^ (number >> 31)
