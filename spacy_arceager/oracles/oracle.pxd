"""The Python face of the oracles."""

from ..machine.system cimport Configuration, TransitionSystem
from .compiled cimport CompiledOracle

cdef class Oracle:
    cdef readonly str name
    cdef readonly object options       # Mapping[str, bool | str]
    cdef readonly bint follow_only     # whether costs are meaningful on its own derivation only

    # The oracle made ready for sentences of up to n_words words. If `preferred` is true, the option
    # `prefer_monotonic` has its effect. Raises ValueError if the oracle is not made for the system.
    cdef CompiledOracle compile(self, TransitionSystem system, int n_words, bint preferred=*)

    # The same, but `prefers_monotonic` decides instead of the option `prefer_monotonic`.
    cdef CompiledOracle _compile(self, TransitionSystem system, int n_words, bint prefers_monotonic)
    cdef dict _costs(self, Configuration configuration, heads, starts,
                     CompiledOracle oracle, bint exact)
