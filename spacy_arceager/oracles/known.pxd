"""Configurations that were parsed to the end before, in a table that forgets.

The key of a configuration has all that decides how it is parsed on; two of them share a key once in
2^64 times. Without SWAP, O and U are in the order of the words. Each word then adds a part to the
key, so that a transition changes few parts. With SWAP, the order of O and U is in the key.
"""

from libc.stdint cimport uint64_t

from ..machine.configuration cimport NONE, ConfigurationC, operative, operative_from, unprocessed
from ..machine.transitions.declarations cimport SystemC, TransitionC
from ..machine.transitions.dispatch cimport apply_transition
from .costs cimport CheapestC, QuestionC

cdef enum:
    N_KNOWN = 1 << 14    # places of the table
    N_TOUCHED = 5        # more words no transition changes

cdef struct KeyC:
    unsigned int low
    unsigned int high

cdef struct KnownC:
    KeyC key
    int loss             # plus one; 0: a place without configuration


# The table lies at the end of the scratch memory of an oracle, so that all calls share it.

cdef inline size_t table_size() noexcept nogil:
    return N_KNOWN * sizeof(KnownC) // sizeof(int)      # in ints


cdef inline KnownC* known_table(const QuestionC* q) noexcept nogil:
    return <KnownC*>q.oracle.scratch_end - N_KNOWN


cdef inline int find_known(const KnownC* table, KeyC key) noexcept nogil:
    # What a parse from a configuration comes to, or NONE.
    cdef const KnownC* known = &table[key.low % N_KNOWN]
    if known.key.low == key.low and known.key.high == key.high:
        return known.loss - 1
    return NONE


cdef inline void remember(KnownC* table, KeyC key, int loss) noexcept nogil:
    table[key.low % N_KNOWN] = KnownC(key, loss + 1)


cdef inline uint64_t mixed(uint64_t key, uint64_t value) noexcept nogil:
    key = (key ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 29)


cdef inline uint64_t part_of(const ConfigurationC* c, int word) noexcept nogil:
    return mixed(mixed(mixed(word + 1, 0), 4 * (c.head[word] + 1) + c.place[word]), 0)


cdef inline uint64_t parts_of_all(const ConfigurationC* c) noexcept nogil:
    cdef uint64_t parts = 0
    cdef int word
    for word in range(c.start, c.limit):
        parts ^= part_of(c, word)
    return parts


cdef inline uint64_t parts_of(const ConfigurationC* c, const int* words, int n) noexcept nogil:
    cdef uint64_t parts = 0
    cdef int i
    for i in range(n):
        parts ^= part_of(c, words[i])
    return parts


cdef inline uint64_t order_of(const ConfigurationC* c) noexcept nogil:
    # What O and U hold, in which order. Words after the furthest are in the order of the words.
    cdef uint64_t order = mixed(0, c.furthest + 1)
    cdef int node = c.top
    cdef int i = 1
    while node >= 0:
        order = mixed(order, node + 1)
        node = c.below[node]
    order = mixed(order, 0)
    node = unprocessed(c, i)
    while 0 <= node <= c.furthest:
        order = mixed(order, node + 1)
        i += 1
        node = unprocessed(c, i)
    return order


cdef inline KeyC key_of(const QuestionC* q, uint64_t parts) noexcept nogil:
    cdef uint64_t key = mixed(<uint64_t>q.gold, q.c.start)
    cdef KeyC halves
    key = mixed(mixed(key, parts), 4 * q.c.limit + 2 * q.c.ended + q.c.end_on_top)
    key = mixed(key, q.c.n_unprocessed)     # an artificial root may be unprocessed
    halves.low, halves.high = <unsigned int>key, <unsigned int>(key >> 32)
    return halves


cdef inline int words_touched(const ConfigurationC* c, const TransitionC* t, int anchor,
                              int* words) noexcept nogil:
    # The words whose head or place a transition may change, each once.
    cdef int[N_TOUCHED] found
    cdef int i, j, n = 0
    found[0], found[1] = operative_from(c, anchor, t.left), operative_from(c, anchor, t.right)
    found[2], found[3], found[4] = operative(c, 1), operative(c, 2), unprocessed(c, 1)
    for i in range(N_TOUCHED):
        j = 0
        while j < n and words[j] != found[i]:
            j += 1
        if j == n and 0 <= found[i] < c.n_words:
            words[n] = found[i]
            n += 1
    return n


cdef inline uint64_t change(const SystemC* system, ConfigurationC* c,
                            CheapestC best) noexcept nogil:
    # Applies a transition and returns how the parts change.
    cdef const TransitionC* t = &system.transitions[best.transition]
    cdef int[N_TOUCHED] words
    cdef int n = words_touched(c, t, best.anchor, words)
    cdef uint64_t before = parts_of(c, words, n)
    apply_transition(system, c, t, best.anchor, NONE)
    return before ^ parts_of(c, words, n)
