"""Beam search: the best derivations of a sentence, step by step.

The score of a derivation is the sum of the scores of its transitions. If a model was trained
greedily, these are the logarithms of its probabilities in each configuration. If it was trained
with a beam, they are its scores as they are (global normalisation, Andor et al. 2016).
"""

cimport cython
from libc.stdint cimport uint64_t

from ..machine.configuration cimport ConfigurationC
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
    bint constrained     # follow only correct derivations
    double threshold     # successors are dropped below the best score plus this, which is negative
    const OracleC* oracle
    float dropout
    uint64_t random


@cython.final
cdef class BeamSearch(BeamState):
    cdef Record record
    cdef StateC state

    # Scores all anchors that have no recorded row.
    cdef int score_new(self, const ScorerC* scorer, LowerC* lower,
                       SearchOptionsC* options) except -1 nogil
    # Fills the successors of a beam with the best ways to continue.
    cdef void expand(self, BeamC* beam, const SearchOptionsC* options,
                     const GoldC* gold) noexcept nogil
    cdef int step(self, BeamC* beam) except -1 nogil
    cdef int _n_legal(self, int i, int t) noexcept nogil
    cdef float _highest(self, int i, int t) noexcept nogil
    cdef bint _add_all(self, BeamC* beam, SuccessorC* successor, double base, bint judged,
                       bint ruled, const SearchOptionsC* options) noexcept nogil
    cdef bint _has_valid(self, const ConfigurationC* c, int t, int anchor) noexcept nogil
    cdef bint _add_successors(self, BeamC* beam, SuccessorC* successor, int i, int t,
                              double base, bint judged, bint ruled,
                              const SearchOptionsC* options) noexcept nogil
    cdef double _log_total(self) noexcept nogil
    cdef void _expand_one(self, BeamC* beam, int source, const SearchOptionsC* options,
                          const GoldC* gold) noexcept nogil
    cdef void _list_candidates(self, HypothesisC* h) noexcept nogil
