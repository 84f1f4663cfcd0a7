"""Where a word is, as oracles ask it."""

from ..machine.configuration cimport (
    NONE,
    OPERATIVE,
    ConfigurationC,
    is_ahead,
    is_root_node,
    operative,
)
from .gold cimport ROOT_HEAD

# In front systems: O without the front, and the front with what has not been seen.
cdef inline bint on_stack(const ConfigurationC* c, int node) noexcept nogil:
    return node >= 0 and c.place[node] == OPERATIVE and node != operative(c, 1)

cdef inline bint in_buffer(const ConfigurationC* c, int node) noexcept nogil:
    return is_ahead(c, node) or (node >= 0 and node == operative(c, 1))

# Whether a gold head says that its word is the root.
cdef inline bint is_root_head(const ConfigurationC* c, int head) noexcept nogil:
    return head == ROOT_HEAD or is_root_node(c, head)

# Whether a word is another or lies below it in a tree of heads: (n_words,), of the parse, or
# gold, which may have a cycle.
cdef inline bint is_below(const ConfigurationC* c, const int* heads, int word,
                          int ancestor) noexcept nogil:
    cdef int steps = 0
    while word >= 0 and word != ancestor and steps <= c.n_words:
        word = NONE if is_root_node(c, word) else heads[word]
        steps += 1
    return word == ancestor
