"""The beam of each sentence: its hypotheses, and how a step replaces them by their successors.

Several derivations may lead to the same configuration, most of all where arcs can be made in any
order, as in easy-first. They can go on alike, so the beam has only the best of them. Huang and
Sagae (2010) merge more: configurations that have the same features.
"""

from cymem.cymem cimport Pool
from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from ..machine.configuration cimport ConfigurationC
from ..machine.rules cimport WordRules
from ..machine.system cimport TransitionSystem
from .forbidden cimport ForbiddenC

# One derivation so far.
cdef struct HypothesisC:
    ConfigurationC c
    int* row_of          # (n_cells,) the recorded row that scored each anchor, or NONE
    int* legal           # (n_cells, n_transitions) of each anchor, from the right end of O
    double score
    double base          # what the scores of its classes are added to
    uint64_t key         # of the configuration
    int n_uses           # in `advance`: successors that are still to be made of it
    int last_step        # index into `steps`, NONE at the start
    bint finished
    bint correct         # every transition so far was optimal
    bint outside         # in training: it is the best correct one, but not among the best ones

# A transition of some derivation.
cdef struct StepC:
    int before           # the step before it, or NONE
    int row
    int index            # class
    int anchor

# A way to continue a hypothesis; a finished hypothesis stays as it is, and `index` is NONE.
cdef struct SuccessorC:
    double score
    uint64_t key
    int source           # the hypothesis
    float class_score    # of the class alone
    int label            # of the arc, or the one that SHIFT remembers
    int anchor
    int row
    int index
    bint correct

# The search of one sentence.
cdef struct BeamC:
    int first_word
    int width
    int n                     # hypotheses
    int n_cells               # of `row_of`: one for each node if the system has several anchors
    bint done
    HypothesisC* now          # (width + 1,)
    HypothesisC* then         # (width + 1,), of the next step
    int n_successors
    SuccessorC* successors    # (width + 1,), best first
    double least              # a successor with a lower score may be left out
    SuccessorC best_correct   # in training; valid where has_correct
    bint has_correct
    const ForbiddenC* forbidden    # NULL if nothing is forbidden

cdef class BeamState:
    cdef readonly TransitionSystem system
    cdef readonly int n_sentences
    cdef int n_words
    cdef Pool memory
    cdef BeamC* beams
    cdef vector[StepC] steps  # of all derivations
    cdef int reach_left
    cdef int reach_right
    cdef object forbidden     # for each sentence a Forbidden or None
    cdef object restriction   # keeps the rules about dependents alive

    cdef int _start(self, BeamC* beam, int n_words, int width) except -1
    cdef void _forget(self, HypothesisC* h, int t, int anchor) noexcept nogil
    cdef void _settle(self, HypothesisC* h) noexcept nogil
    # The successors become the hypotheses.
    cdef int advance(self, BeamC* beam) except -1 nogil
    cdef int _follow(self, BeamC* beam, const SuccessorC* successor,
                     HypothesisC* target) except -1 nogil
    cdef void _inherit(self, const BeamC* beam, HypothesisC* source,
                       HypothesisC* target) noexcept nogil
    cdef int forbid(self, forbidden) except -1
    # Lets all hypotheses know the rules about dependents, unless it is None.
    cdef int restrict(self, WordRules restriction) except -1
    # Lets the search of a sentence begin behind choices: class, anchor and label of each.
    cdef int begin(self, int i, const int[:, ::1] choices) except -1
    cdef int _check_choice(self, HypothesisC* h, int index, int anchor, int label) except -1
    cdef int _add_step(self, HypothesisC* h, int index, int anchor, int row) except -1 nogil
    cdef void _apply(self, HypothesisC* h, int t, int anchor, int label) noexcept nogil

# Remembers a correct successor if it is the best one so far.
cdef void note_correct(BeamC* beam, const SuccessorC* successor) noexcept nogil

# Sorts a successor in if it is among the best. Of equal successors the first stays ahead; but of
# equal ones of the same hypothesis, the one that greedy decoding would take is ahead. A successor
# of a hypothesis that is `outside` takes no place. Of successors with the same key only the best
# has one.
cdef void keep(BeamC* beam, const SuccessorC* successor, bint outside) noexcept nogil
