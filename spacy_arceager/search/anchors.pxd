"""The anchors of one sentence in a system with several: the best transition in O(log n) time.

For each anchor, which is a token of O, and each transition, the best class and its score are kept
until something that the model sees from the anchor changes. A winner tree (Knuth 1998, section
5.4.1) over the tokens has the score of the best legal transition at its root.
"""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport SystemC, TransitionC
from ..network.scorer cimport Scorer

cdef struct AnchorsC:
    int n_leaves         # a power of two, at least n_nodes
    int n_transitions
    float* score         # (n_nodes, n_transitions), of the best class
    int* best_class      # (n_nodes, n_transitions); NONE in the first column of unscored anchors
    float* winners       # (2 * n_leaves,), the winner tree
    int dirty_from       # the rightmost anchor whose scores or legal transitions may have changed
    int dirty_to         # the leftmost one

# How many tokens left and right of an anchor a change can matter to its features and arcs.
cdef void find_reach(TransitionSystem system, Scorer scorer, int* left, int* right)

# The bytes that the arrays of a sentence need.
cdef size_t anchors_size(const SystemC* system, int n_nodes) noexcept nogil

# Lays the arrays into `memory`, of `anchors_size` bytes; no anchor is scored.
cdef void start_anchors(AnchorsC* a, const SystemC* system, char* memory,
                        int n_nodes) noexcept nogil

# Fills `nodes`, which has room for n_nodes, with the anchors to be scored before the next choice.
# Returns how many there are.
cdef int unscored_anchors(AnchorsC* a, const SystemC* system, const ConfigurationC* c,
                          int* nodes) noexcept nogil

# Keeps the best class of each transition at an anchor.
cdef void keep_scores(AnchorsC* a, TransitionSystem system, int node,
                      const float* scores) noexcept nogil

# Marks an anchor as scored without keeping anything.
cdef inline void mark_scored(AnchorsC* a, int node) noexcept nogil:
    a.best_class[node * a.n_transitions] = 0

# Brings the winner tree up to date after new scores.
cdef void refresh_anchors(AnchorsC* a, const SystemC* system,
                          const ConfigurationC* c) noexcept nogil

# The best class of all anchors; its anchor is written to `anchor`.
cdef int best_of_anchors(AnchorsC* a, const SystemC* system, const ConfigurationC* c,
                         int* anchor) noexcept nogil

# Applies a transition and marks the anchors that it changes. An anchor sees a changed token from
# reach_left tokens to its left to reach_right tokens to its right.
cdef void apply_at_anchor(AnchorsC* a, const SystemC* system, ConfigurationC* c,
                          const TransitionC* t, int anchor, int label, int reach_left,
                          int reach_right) noexcept nogil

# The anchors whose features a transition will change: those of O from `right` leftwards to `left`,
# or to its left end if `left` is NONE; no anchor if `right` is NONE. A SHIFT moves a token from U
# to O, which changes none: features that look to the right go on from O into U.
cdef void changed_tokens(const ConfigurationC* c, const TransitionC* t, int anchor,
                         int reach_left, int reach_right, int* right,
                         int* left) noexcept nogil
