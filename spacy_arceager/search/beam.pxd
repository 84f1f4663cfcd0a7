"""Beam search: the best derivations of a sentence, step by step.

Scores of a derivation add up. A model trained greedily is searched with the logarithms of
its probabilities, normalised in each configuration; one trained with a beam with its scores
as they are (global normalisation, Andor et al. 2016).
"""

cimport cython
from libc.stdint cimport uint64_t

from ..network.lower_layer cimport LowerC
from ..network.scorer cimport ScorerC
from ..oracles.gold cimport GoldC
from ..oracles.costs cimport OracleC
from .beam_state cimport BeamC, BeamState, HypothesisC, SuccessorC
from .loss cimport StateC
from .record cimport Record

# How to search.
cdef struct SearchOptionsC:
    bint normalised      # log probabilities instead of scores
    bint learning        # keep track of the correct derivations
    bint constrained     # leave the others out
    double threshold     # successors so much below the best are dropped
    const OracleC* oracle
    float dropout
    uint64_t random


@cython.final
cdef class BeamSearch(BeamState):
    cdef Record record
    cdef StateC state

    # Scores all anchors that have no row.
    cdef int score_new(self, const ScorerC* scorer, LowerC* lower,
                       SearchOptionsC* how) except -1 nogil
    # Fills successors with the best ways to continue.
    cdef void expand(self, BeamC* beam, const SearchOptionsC* how, const GoldC* gold) noexcept nogil
    cdef int step(self, BeamC* beam) except -1 nogil
    cdef int _n_legal(self, int i, int t) noexcept nogil
    cdef float _highest(self, int i, int t) noexcept nogil
    cdef void _add_successors(self, BeamC* beam, SuccessorC* successor, int i, int t,
                              double base, bint judged, const SearchOptionsC* how) noexcept nogil
    cdef double _log_total(self) noexcept nogil
    cdef void _expand_one(self, BeamC* beam, int source, const SearchOptionsC* how,
                          const GoldC* gold) noexcept nogil
    cdef void _list_candidates(self, HypothesisC* h) noexcept nogil
