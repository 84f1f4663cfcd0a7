"""An oracle made ready for one system, so that training and search can ask it without the GIL."""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from .costs cimport CheapestC, CostFunction, OracleC
from .gold cimport GoldC

cdef class CompiledOracle:
    cdef OracleC c
    cdef readonly TransitionSystem system
    cdef int[::1] scratch
    cdef object callback     # the PythonCosts of an oracle in Python, or None

    # Raises the error that an oracle in Python has met since the last check. A caller checks after
    # each `nogil` block, because no error can leave the block.
    cdef int check(self) except -1

# An oracle made ready for a system and for sentences of up to n_words words. With
# prefers_monotonic, it prefers some of the cheapest transitions, see compiled.pyx.
cdef CompiledOracle compiled(CostFunction costs, TransitionSystem system, int n_words,
                             bint prefers_monotonic)

# Fills `costs` with the costs of the transitions at an anchor, which stands at `position` in O. The
# cost is ILLEGAL for a transition that is not legal. A cost above `bound`, or above another one at
# the anchor, need not be exact but stays above it; all are exact if `bound` is ILLEGAL.
cdef void oracle_costs(const OracleC* oracle, const ConfigurationC* c, const GoldC* gold,
                       int anchor, int position, int bound, int* costs) noexcept nogil

# The cheapest transition of all anchors; see `first_cheapest`.
cdef CheapestC cheapest(const OracleC* oracle, const ConfigurationC* c,
                        const GoldC* gold) noexcept nogil
