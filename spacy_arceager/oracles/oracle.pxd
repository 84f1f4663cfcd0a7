"""The Python face of the oracles."""

from ..machine.system cimport Configuration, TransitionSystem
from .compiled cimport CompiledOracle

cdef class Oracle:
    cdef readonly str name
    cdef readonly object options       # mapping
    cdef readonly bint follow_only     # defined only on its own derivation

    # The oracle made ready for sentences of up to n_words words. preferred: as in training.
    # Raises ValueError where it is not made for the system.
    cdef CompiledOracle compile(self, TransitionSystem system, int n_words, bint preferred=*)
    cdef CompiledOracle _compile(self, TransitionSystem system, int n_words, bint prefers_monotonic)
    cdef dict _costs(self, Configuration configuration, heads, starts, CompiledOracle oracle)
