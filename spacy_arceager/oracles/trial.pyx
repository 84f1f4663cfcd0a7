"""Costs from the configurations that transitions lead to; see trial.pxd."""

from ..machine.configuration cimport (
    NONE,
    ConfigurationC,
    block_size,
    copy_configuration,
    lay_out,
)
from ..machine.transitions.dispatch cimport apply_transition
from .costs cimport ILLEGAL, QuestionC


cdef void losses_after(const QuestionC* q, loss_function loss, int* losses) noexcept nogil:
    cdef ConfigurationC after
    cdef QuestionC rest = q[0]
    cdef int i
    rest.scratch += block_size(&q.system.shape, q.c.n_words)
    lay_out(&after, &q.system.shape, q.scratch, q.c.n_words)
    for i in range(q.system.n_transitions):
        if losses[i] != ILLEGAL:
            copy_configuration(&after, q.c, &q.system.shape)
            apply_transition(q.system, &after, &q.system.transitions[i], q.anchor, NONE)
            losses[i] = loss(&rest, &after)


cdef void subtract_least(const QuestionC* q, int* losses) noexcept nogil:
    cdef int least = ILLEGAL
    cdef int i
    for i in range(q.system.n_transitions):
        least = min(least, losses[i])
    for i in range(q.system.n_transitions):
        if losses[i] != ILLEGAL:
            losses[i] -= least
