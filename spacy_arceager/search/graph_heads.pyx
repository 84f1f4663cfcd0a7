"""Greedy decoding of graphs with a root that reaches all words; see graph_heads.pxd."""

from libcpp.queue cimport priority_queue
from libcpp.utility cimport pair
from libcpp.vector cimport vector

from ..machine.configuration cimport NONE, TOP, ConfigurationC, add_graph_arc
from ..machine.system cimport TransitionSystem
from ..machine.transitions.arc cimport arc_dependent, arc_head, graph_takes
from ..machine.transitions.declarations cimport MAX_TRANSITIONS, is_arc
from ..kernels.kernels cimport exp_scores
from .classes cimport best_class, n_classes_of
from .lockstep cimport best_legal

ctypedef pair[float, int] RankedC      # a probability, and the index of an arc that has it


cdef class GraphHeads:
    """For each sentence of a block: how many words have no head yet, and arcs that were not made.

    Args:
        lengths: words of each sentence.
    """

    def __cinit__(self, TransitionSystem system not None, int[::1] lengths not None):
        self.system = system
        for length in lengths:
            self.n_headless.push_back(length)
        self.likely.resize(lengths.shape[0])
        self.exps.resize(max(1, system.n_labels))

    cdef int choose(self, int sentence, const ConfigurationC* c, const int* legal,
                    const float* scores) except -1 nogil:
        cdef float shares[MAX_TRANSITIONS]
        cdef float total = self._find_shares(legal, scores, shares)
        cdef float share, most = -1
        cdef int t, chosen = NONE
        for t in range(self.system.c.n_transitions):
            if not legal[t]:
                continue
            share = 0 if self._takes_last_root(sentence, c, t) else shares[t]
            if share > most:
                most = share
                chosen = t
        for t in range(self.system.c.n_transitions):
            if not legal[t] or not is_arc(&self.system.c.transitions[t]):
                continue
            if t == chosen:
                self.n_headless[sentence] -= is_headless(self.system, c, t)
            else:
                self.likely[sentence].push_back(
                    arc_of(self.system, c, t, scores, shares[t] / total))
        return best_class(self.system, chosen, scores, NONE)

    cdef float _find_shares(self, const int* legal, const float* scores,
                            float* shares) noexcept nogil:
        cdef float highest = scores[best_legal(self.system, legal, scores)]
        cdef float total = 0
        cdef int t
        for t in range(self.system.c.n_transitions):
            if legal[t]:
                shares[t] = exp_scores(
                    self.exps.data(), scores + self.system.first_class[t],
                    n_classes_of(self.system, t), highest)
                total += shares[t]
        return total

    cdef bint _takes_last_root(self, int sentence, const ConfigurationC* c, int t) noexcept nogil:
        return (self.n_headless[sentence] == 1 and is_arc(&self.system.c.transitions[t])
                and is_headless(self.system, c, t))

    cdef int reach_all(self, int sentence, ConfigurationC* c) except -1 nogil:
        cdef vector[LikelyArcC]* likely = &self.likely[sentence]
        cdef vector[vector[int]] children, useful
        cdef vector[int] reached, new
        cdef priority_queue[RankedC] queue
        cdef const LikelyArcC* arc
        cdef int i
        list_children(c, &children)
        useful.resize(c.n_words)
        for i in range(<int>likely.size()):
            useful[likely.at(i).head].push_back(i)
        reached.resize(c.n_words)
        i = find_root(c, &children)
        while i != NONE:
            new.clear()
            reach(i, True, &children, &reached, &new)
            queue_arcs(new, likely, &useful, &reached, &queue)
            i = NONE
            while i == NONE and not queue.empty():
                arc = &likely.at(queue.top().second)
                queue.pop()
                if not reached[arc.dependent] and graph_takes(
                        &self.system.c, c, arc.head, arc.dependent):
                    add_graph_arc(c, arc.head, arc.dependent, arc.label)
                    i = arc.dependent
        return 0


cdef inline bint is_headless(TransitionSystem system, const ConfigurationC* c,
                             int t) noexcept nogil:
    # Whether the dependent of an arc transition has no head yet.
    return c.head[arc_dependent(c, &system.c.transitions[t], TOP)] == NONE


cdef LikelyArcC arc_of(TransitionSystem system, const ConfigurationC* c, int t,
                       const float* scores, float probability) noexcept nogil:
    cdef LikelyArcC arc
    arc.probability = probability
    arc.head = arc_head(c, &system.c.transitions[t], TOP)
    arc.dependent = arc_dependent(c, &system.c.transitions[t], TOP)
    arc.label = system.class_label[best_class(system, t, scores, NONE)]
    return arc


cdef int list_children(const ConfigurationC* c, vector[vector[int]]* children) except -1 nogil:
    cdef int word, arc
    children.resize(c.n_words)
    for word in range(c.n_words):
        arc = c.first_arc[word]
        while arc != NONE:
            children.at(c.arc_head[arc]).push_back(word)
            arc = c.next_arc[arc]
    return 0


cdef int find_root(const ConfigurationC* c, vector[vector[int]]* children) except -2 nogil:
    # The word without a head from which most words are reached, the first of several; or NONE.
    # `reached` has for each word the last word that it was reached from, plus one.
    cdef vector[int] reached, new
    cdef size_t most = 0
    cdef int word, root = NONE
    reached.resize(c.n_words)
    for word in range(c.n_words):
        if c.head[word] == NONE:
            new.clear()
            reach(word, word + 1, children, &reached, &new)
            if new.size() > most:
                most = new.size()
                root = word
    return root


cdef int reach(int word, int mark, vector[vector[int]]* children, vector[int]* reached,
               vector[int]* new) except -1 nogil:
    # Puts a mark on a word and on all words below it, and lists the words that had another mark.
    cdef size_t done = 0
    cdef int child
    reached[0][word] = mark
    new.push_back(word)
    while done < new.size():
        for child in children.at(new.at(done)):
            if reached.at(child) != mark:
                reached[0][child] = mark
                new.push_back(child)
        done += 1
    return 0


cdef int queue_arcs(vector[int]& heads, vector[LikelyArcC]* likely,
                    vector[vector[int]]* useful, const vector[int]* reached,
                    priority_queue[RankedC]* queue) except -1 nogil:
    # Queues the kept arcs from some heads to words that are not reached yet.
    cdef int word, i
    for word in heads:
        for i in useful.at(word):
            if not reached.at(likely.at(i).dependent):
                queue.push(RankedC(likely.at(i).probability, i))
    return 0
