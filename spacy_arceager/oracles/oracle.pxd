"""What every oracle provides: the cost of each transition in a configuration."""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions cimport SystemC
from .gold cimport GoldC

cdef enum:
    ILLEGAL = 1000000   # the cost of a transition that is not legal

# Fills costs[0..n_transitions-1] at an anchor: how many gold arcs that could still be built
# can no longer be built after the transition, labels left aside; ILLEGAL where it is not
# legal. The cheapest of all anchors cost 0 if the oracle is exact. position: of the anchor
# in O. `scratch` has `scratch_size` ints.
ctypedef void (*cost_function)(const SystemC* system, const ConfigurationC* c,
                               const GoldC* gold, int anchor, int position, int* scratch,
                               int* costs) noexcept nogil

cdef size_t scratch_size(const SystemC* system, int n_words) noexcept nogil

# An oracle for one system.
cdef struct OracleC:
    cost_function compute
    cost_function plain   # says which of the cheapest are preferred; NULL: no matter
    bint breaks_freely    # no gold boundaries are known: a BREAK costs nothing

# The costs of one anchor's transitions, each sentence for itself where a document is parsed
# with BREAK. `costs` has room for 2 * n_transitions ints.
cdef void oracle_costs(const OracleC* oracle, const SystemC* system, const ConfigurationC* c,
                       const GoldC* gold, int anchor, int position, int* scratch,
                       int* costs) noexcept nogil

cdef class Oracle:
    cdef readonly str name
    cdef readonly bint prefer_plain  # see Oracle
    cdef readonly str swap_order
    cdef readonly bint projective_ties
    cdef readonly bint follow_only   # defined only on its own derivation

    # Raises ValueError where the oracle is not made for a system.
    cdef OracleC compiled_for(self, TransitionSystem system) except *
    cdef cost_function function_for(self, TransitionSystem system) except NULL
    cdef cost_function static_function(self) except NULL
    cdef cost_function swap_function(self, parameters) except NULL
    cdef dict _costs(self, Configuration configuration, heads, starts, bint prefer)
