"""Costs by trial: each transition is taken, and what it leads to is judged."""

from ..machine.configuration cimport ConfigurationC
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

# What is lost in a configuration, up to a constant; the configuration may be changed.
ctypedef int (*loss_function)(const SystemC* system, ConfigurationC* c, const GoldC* gold,
                              int* scratch) noexcept nogil

# The loss after each legal transition at an anchor, ILLEGAL for the others. `scratch` has room
# for a configuration and what `loss` needs.
cdef void losses_after(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, loss_function loss, int* scratch,
                       int* losses) noexcept nogil

# Losses to costs, where there is one anchor: the best transition loses nothing.
cdef void subtract_least(const SystemC* system, int* losses) noexcept nogil
