"""Costs by trial: each transition is taken, and what it leads to is judged."""

from ..machine.configuration cimport ConfigurationC
from .costs cimport QuestionC

# What is lost in a configuration after a transition, up to a constant; the configuration may
# be changed. The scratch memory of `q` is that behind one configuration.
ctypedef int (*loss_function)(const QuestionC* q, ConfigurationC* c) noexcept nogil

# The loss after each legal transition; takes scratch memory for a configuration.
cdef void losses_after(const QuestionC* q, loss_function loss, int* losses) noexcept nogil

# Losses to costs, where there is one anchor: the best transition loses nothing.
cdef void subtract_least(const QuestionC* q, int* losses) noexcept nogil
