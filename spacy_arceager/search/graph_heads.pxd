"""Greedy decoding of graphs with a root from which all words are reached.

In a system that builds graphs, every word may get a head, and arcs may close cycles that no arc
leads into. Words that no root reaches are nearly unknown to enhanced UD graphs. Two steps prevent
them. While parsing, the last word without a head gets none. After parsing, the root is the word
without a head from which most words are reached; arcs that were possible but not made lead to the
others. The most probable of these arcs are added first (Prim 1957). A word to which no such arc
leads stays as it is.
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

    # The best class of the most probable legal transition in the configuration of a sentence. The
    # probability of a transition is that of all its classes together.
    cdef int choose(self, int sentence, const ConfigurationC* c, const int* legal,
                    const float* scores) except -1 nogil

    # exp(score - highest), summed over the classes of each legal transition; returns the total.
    cdef float _find_shares(self, const int* legal, const float* scores,
                            float* shares) noexcept nogil

    # Whether a transition gives a head to the only word that has none.
    cdef bint _takes_last_root(self, int sentence, const ConfigurationC* c, int t) noexcept nogil

    # Adds arcs to a finished parse until every word is reached or no kept arc helps.
    cdef int reach_all(self, int sentence, ConfigurationC* c) except -1 nogil
