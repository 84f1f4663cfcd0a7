"""Costs by trial: each transition is applied to a copy, and the new configuration is judged."""

from ..machine.configuration cimport ConfigurationC
from .costs cimport QuestionC

# How many gold arcs are lost in the configuration `c` after a transition. The same constant may be
# added to all losses at a question. The function may change `c`. q.scratch is the part of the
# scratch memory that `losses_after` leaves over.
ctypedef int (*loss_function)(const QuestionC* q, ConfigurationC* c) noexcept nogil

# Fills in the loss after each legal transition. The scratch memory of `q` begins with the block of
# a configuration, and the memory of `loss` follows.
cdef void losses_after(const QuestionC* q, loss_function loss, int* losses) noexcept nogil

# Turns losses into costs: the best transition costs nothing. This is right only if the system has a
# single anchor, because losses at other anchors are not known here.
cdef void subtract_least(const QuestionC* q, int* losses) noexcept nogil
