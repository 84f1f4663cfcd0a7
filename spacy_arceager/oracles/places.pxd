"""Questions about the place of a word in a tree."""

from ..machine.configuration cimport NONE, ConfigurationC, is_root_node
from .gold cimport ROOT_HEAD

# Whether a gold head says that its word is the root.
cdef inline bint is_root_head(const ConfigurationC* c, int head) noexcept nogil:
    return head == ROOT_HEAD or is_root_node(c, head)

# Whether a word is `ancestor` itself or lies below it. heads: (n_words,), the heads of the parse,
# or gold heads, which may have a cycle.
cdef inline bint is_below(const ConfigurationC* c, const int* heads, int word,
                          int ancestor) noexcept nogil:
    cdef int steps = 0
    while word >= 0 and word != ancestor and steps <= c.n_words:
        word = NONE if is_root_node(c, word) else heads[word]
        steps += 1
    return word == ancestor
