"""The anchors of one sentence: what was scored stays, the best is found in O(log n).

For each anchor (a token of O) and each transition, the best class and its score are kept
until something that the model sees from there changes. A winner tree (Knuth 1998, section
5.4.1) over the tokens has the best legal transition of all anchors at its root.
"""

from ..machine.configuration cimport ConfigurationC
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport SystemC, TransitionC
from ..network.scorer cimport Scorer

cdef struct AnchorsC:
    int n_leaves         # a power of two, at least n_nodes
    int n_transitions
    float* score         # (n_nodes, n_transitions) of the best class
    int* best_class      # (n_nodes, n_transitions); NONE in the first column: not scored
    float* winners       # (2 * n_leaves,)
    int dirty_from       # rightmost and leftmost token of those to be looked at again
    int dirty_to

# How far left and right of an anchor a change can matter to its features and arcs; EVERYWHERE or
# more where a feature follows a hop that is not over arcs.
cdef void find_reach(TransitionSystem system, Scorer scorer, int* left, int* right)

cdef size_t anchors_size(const SystemC* system, int n_nodes) noexcept nogil

# Lays the arrays into `memory`, of `anchors_size` bytes, with nothing scored.
cdef void start_anchors(AnchorsC* a, const SystemC* system, char* memory,
                        int n_nodes) noexcept nogil

# Fills `nodes`, with room for n_nodes, with the anchors that are to be scored before a choice.
# Returns how many.
cdef int unscored_anchors(AnchorsC* a, const SystemC* system, const ConfigurationC* c,
                          int* nodes) noexcept nogil

# Keeps the best classes of an anchor.
cdef void keep_scores(AnchorsC* a, TransitionSystem system, int node,
                      const float* scores) noexcept nogil

# Marks an anchor as scored without keeping anything.
cdef inline void mark_scored(AnchorsC* a, int node) noexcept nogil:
    a.best_class[node * a.n_transitions] = 0

# After new scores: bring the winner tree up to date.
cdef void refresh_anchors(AnchorsC* a, const SystemC* system,
                          const ConfigurationC* c) noexcept nogil

# The best class of all; its anchor in `anchor`.
cdef int best_of_anchors(AnchorsC* a, const SystemC* system, const ConfigurationC* c,
                         int* anchor) noexcept nogil

# Applies a transition and marks the anchors that it changes: those that see a changed token
# within reach_left tokens to their left or reach_right tokens to their right.
cdef void apply_at_anchor(AnchorsC* a, const SystemC* system, ConfigurationC* c,
                          const TransitionC* t, int anchor, int label, int reach_left,
                          int reach_right) noexcept nogil

# The anchors whose features a transition will change: those from `right` leftwards to `left`
# in O, to its end where `left` is NONE; none where `right` is NONE. A SHIFT changes what is right
# of all anchors. Only features that reach EVERYWHERE see that: other features that look to the
# right go on from O into U.
cdef void changed_tokens(const ConfigurationC* c, const TransitionC* t, int anchor,
                         int reach_left, int reach_right, int* right,
                         int* left) noexcept nogil
