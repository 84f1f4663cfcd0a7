"""Oracles in plain Python, as Oracle has it: an object with `costs(configuration, heads)`."""

from .oracle cimport Oracle

cdef class PythonOracle(Oracle):
    cdef readonly object cost_model     # what gives the costs
