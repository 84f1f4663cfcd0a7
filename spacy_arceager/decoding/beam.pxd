"""Beam search: the best derivations of a sentence, step by step.

Scores of a derivation add up. A model trained greedily is searched with the logarithms of
its probabilities, normalised in each configuration; one trained with a beam with its scores
as they are (global normalisation, Andor et al. 2016).
"""

cimport cython
from libc.stdint cimport uint64_t

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from ..oracles.gold cimport GoldC
from ..oracles.oracle cimport OracleC
from .loss cimport StateC
from .lower_layer cimport LowerC
from .record cimport RecordC
from .scorer cimport ScorerC

# One derivation so far.
cdef struct HypothesisC:
    ConfigurationC c
    int* row_of          # the row that scored each anchor, NONE where there is none yet
    double score
    int last_step        # index into the beam's steps, NONE at the start
    bint finished
    bint correct         # every transition so far was optimal
    bint outside         # in training: the best correct one, fallen out of the beam

# A transition of some derivation.
cdef struct StepC:
    int before           # the step before it, or NONE
    int row
    int index            # class

# A way to continue; index NONE: a finished derivation stays as it is.
cdef struct SuccessorC:
    double score
    int source           # hypothesis
    int anchor
    int row
    int index
    bint correct

# The search of one sentence.
cdef struct BeamC:
    int first_word
    int width
    int n                     # hypotheses
    bint done
    HypothesisC* now          # (width + 1,)
    HypothesisC* then         # (width + 1,), of the next step
    int n_successors
    SuccessorC* successors    # (width + 1,), best first
    SuccessorC best_correct   # in training; index NONE where there is none
    bint has_correct
    int n_steps
    int steps_capacity
    StepC* steps

# How to search.
cdef struct SearchC:
    bint normalised      # log probabilities instead of scores
    bint learning        # keep track of the correct derivations
    bint constrained     # leave the others out
    double threshold     # successors so much below the best are dropped
    const OracleC* oracle

@cython.final
cdef class BeamSearch:
    cdef readonly TransitionSystem system
    cdef readonly int n_sentences
    cdef BeamC* beams
    cdef RecordC record
    cdef StateC state
    cdef int* legal           # (candidates, n_transitions)
    cdef int reach_left
    cdef int reach_right

    cdef bint score_new(self, const ScorerC* scorer, LowerC* lower, float dropout,
                        uint64_t* random) noexcept nogil
    cdef void expand(self, BeamC* beam, const SearchC* search, const GoldC* gold,
                     int* scratch) noexcept nogil
    cdef bint step(self, BeamC* beam) noexcept nogil
    cdef int _start(self, BeamC* beam, int n_words, int width) except -1
    cdef int _n_legal(self, int i, int t) noexcept nogil
    cdef float _highest(self, int i, int t) noexcept nogil
    cdef void _add_successors(self, BeamC* beam, SuccessorC* successor, int i, int t,
                              double base, bint judged, const SearchC* search) noexcept nogil
    cdef double _log_total(self) noexcept nogil
    cdef bint _follow(self, BeamC* beam, const SuccessorC* successor,
                      HypothesisC* target) noexcept nogil
    cdef void _expand_one(self, BeamC* beam, int source, const SearchC* search,
                          const GoldC* gold, int* scratch) noexcept nogil
    cdef void _list_candidates(self, HypothesisC* h) noexcept nogil
    cdef void _begin(self, HypothesisC* h) noexcept nogil
    cdef void _apply(self, HypothesisC* h, const SuccessorC* successor) noexcept nogil
