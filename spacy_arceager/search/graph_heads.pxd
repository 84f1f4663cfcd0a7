"""One root for each graph, from which its words are reached: what greedy decoding sees to.

A system that builds graphs may take out any word without a head, and its arcs may close cycles that
nothing leads to. An enhanced UD graph has next to no such words. So the last word without a head
gets none, and the arcs that were not made are kept with their probabilities. Where words of a
finished parse are not reached from its root, which is the word without a head that reaches most,
the most probable of them are added, best first (Prim 1957). Words that no such arc leads to stay
as they are.
"""

from libcpp.vector cimport vector

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem

# An arc that was possible and not made; words are numbered in their sentence.
cdef struct LikelyArcC:
    float probability
    int head
    int dependent
    int label

cdef class GraphHeads:
    cdef TransitionSystem system
    cdef vector[int] n_headless                     # of each sentence
    cdef vector[vector[LikelyArcC]] likely
    cdef vector[float] exps                         # scratch

    # The best class of the legal transition with the highest probability, which is that of all
    # its classes together, in the configuration of a sentence.
    cdef int choose(self, int sentence, const ConfigurationC* c, const int* legal,
                    const float* scores) except -1 nogil

    # exp(score - highest), summed over the classes of each legal transition; returns the total.
    cdef float _find_shares(self, const int* legal, const float* scores,
                            float* shares) noexcept nogil

    # Whether a transition gives a head to the only word that has none.
    cdef bint _takes_last_root(self, int sentence, const ConfigurationC* c, int t) noexcept nogil

    # Adds arcs to a finished parse until every word is reached, or none that was kept helps.
    cdef int reach_all(self, int sentence, ConfigurationC* c) except -1 nogil

    # Whether an arc is not there yet and may be added.
    cdef bint _is_possible(self, const ConfigurationC* c, const LikelyArcC* arc) noexcept nogil
