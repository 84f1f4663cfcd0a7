"""Costs by trial; see trial.pxd."""

from ..machine.configuration cimport (
    NONE,
    ConfigurationC,
    block_size,
    copy_configuration,
    lay_out,
)
from ..machine.transitions cimport SystemC, apply_transition, legal_transitions
from .gold cimport GoldC
from .oracle cimport ILLEGAL


cdef void losses_after(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, loss_function loss, int* scratch,
                       int* losses) noexcept nogil:
    cdef ConfigurationC after
    cdef int* rest = scratch + block_size(&system.shape, c.n_words)
    cdef int i
    legal_transitions(system, c, anchor, position, losses)
    lay_out(&after, &system.shape, scratch, c.n_words)
    for i in range(system.n_transitions):
        if losses[i]:
            copy_configuration(&after, c, &system.shape)
            apply_transition(system, &after, &system.transitions[i], anchor, NONE)
            losses[i] = loss(system, &after, gold, rest)
        else:
            losses[i] = ILLEGAL


cdef void subtract_least(const SystemC* system, int* losses) noexcept nogil:
    cdef int least = ILLEGAL
    cdef int i
    for i in range(system.n_transitions):
        least = min(least, losses[i])
    for i in range(system.n_transitions):
        if losses[i] != ILLEGAL:
            losses[i] -= least
