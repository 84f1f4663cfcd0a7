"""An oracle made ready for one system: what training and the search ask."""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from .costs cimport CheapestC, CostFunction, OracleC
from .gold cimport GoldC

cdef class CompiledOracle:
    cdef OracleC c
    cdef readonly TransitionSystem system
    cdef int[::1] scratch
    cdef object callback     # the PythonCosts of an oracle in Python, or None

    # Raises what an oracle in Python raised in the meantime; ask it after each `nogil` block.
    cdef int check(self) except -1

# An oracle for sentences of up to n_words words. prefers_monotonic: among
# the cheapest transitions it prefers those of the monotonic system, see monotonic.pyx.
cdef CompiledOracle compiled(CostFunction costs, TransitionSystem system, int n_words,
                             bint prefers_monotonic)

# The costs of the transitions at an anchor, at `position` in O: ILLEGAL where they are not
# legal.
cdef void oracle_costs(const OracleC* oracle, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, int* costs) noexcept nogil

# The first of the cheapest transitions.
cdef CheapestC cheapest(const OracleC* oracle, const ConfigurationC* c,
                        const GoldC* gold) noexcept nogil
