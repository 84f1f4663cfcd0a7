"""What every oracle provides: the cost of each transition in a configuration."""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport Configuration
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

cdef enum:
    ILLEGAL = 1000000   # the cost of a transition that is not legal

# Fills costs[0..n_transitions-1]: how many gold arcs that could still be built can no
# longer be built after the transition, labels left aside; ILLEGAL where it is not
# legal. The cheapest cost 0 if the oracle is exact. `scratch` has `scratch_size(n)` ints.
ctypedef void (*cost_function)(const SystemC* system, const ConfigurationC* c,
                               const GoldC* gold, int* scratch, int* costs) noexcept nogil

cdef size_t scratch_size(int n_words) noexcept nogil

# Adds one to the cost of those cheapest transitions that are not among the cheapest of
# the plain system, unless none is. `plain_costs` has room for n_transitions ints.
cdef void prefer_plain(const SystemC* system, const ConfigurationC* c, const GoldC* gold,
                       int* scratch, int* plain_costs, int* costs) noexcept nogil

cdef class Oracle:
    cdef cost_function compute
    cdef readonly str name
    cdef readonly bint prefer_plain  # see Oracle
    cdef readonly bint follow_only   # defined only on its own derivation

    cdef dict _costs(self, Configuration configuration, heads, bint prefer)
