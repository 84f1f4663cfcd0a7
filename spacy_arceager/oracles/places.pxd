"""Where a word is, as oracles of front systems ask it."""

from ..machine.configuration cimport (
    OPERATIVE,
    ConfigurationC,
    is_ahead,
    is_root_node,
    operative,
)
from .gold cimport ROOT_HEAD

cdef inline bint on_stack(const ConfigurationC* c, int node) noexcept nogil:
    return node >= 0 and c.place[node] == OPERATIVE and node != operative(c, 1)

cdef inline bint in_buffer(const ConfigurationC* c, int node) noexcept nogil:
    return is_ahead(c, node) or (node >= 0 and node == operative(c, 1))

# Whether a gold head says that its word is the root.
cdef inline bint is_root_head(const ConfigurationC* c, int head) noexcept nogil:
    return head == ROOT_HEAD or is_root_node(c, head)
