"""Questions about the place of a word in a tree."""

from ..machine.configuration cimport NONE, ConfigurationC, is_root_node
from .gold cimport ROOT_HEAD

# Whether `head` is the gold head of a root. `c` says which node is the artificial root.
cdef inline bint is_root_head(const ConfigurationC* c, int head) noexcept nogil:
    return head == ROOT_HEAD or is_root_node(c, head)

# Whether a word is `ancestor` itself or descends from it. `heads`, (n_words,), are the heads of the
# parse or the gold heads. Gold heads may have a cycle, so that the steps must be limited.
cdef inline bint is_below(const ConfigurationC* c, const int* heads, int word,
                          int ancestor) noexcept nogil:
    cdef int steps = 0
    while word >= 0 and word != ancestor and steps <= c.n_words:
        word = NONE if is_root_node(c, word) else heads[word]
        steps += 1
    return word == ancestor
