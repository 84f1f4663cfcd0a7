"""The configurations of many sentences, which take their transitions in lock-step."""

import numpy

from cymem.cymem cimport Pool

from ..machine.configuration cimport NONE, TOP, ConfigurationC, block_size, initialise, is_root_node
from ..machine.rules cimport WordRules
from ..machine.system cimport TransitionSystem
from ..machine.transitions.arc cimport RIGHT
from ..machine.transitions.declarations cimport is_arc
from ..machine.transitions.dispatch cimport (
    apply_transition, first_anchor, is_legal, is_terminal, legal_transitions, n_anchors,
)
from ..machine.transitions.shift cimport SHIFT
from ..machine.valid cimport is_valid
from ..oracles.gold cimport GoldTrees
from .anchors cimport (
    AnchorsC, anchors_size, apply_at_anchor, find_reach, start_anchors, unscored_anchors,
)
from .blocks import check_lengths
from .classes cimport best_class
from .forbidden cimport ForbiddenC, remembered_label
from ..network.scorer cimport Scorer


cdef class LockStep:
    """The configurations of a batch of sentences.

    Args:
        lengths: words of each sentence.
        boundaries: (n_words,), as for `greedy.parse`.
    """

    def __cinit__(self, TransitionSystem system not None, int[::1] lengths not None,
                  Scorer scorer not None, int[::1] boundaries not None):
        cdef int i, n_words = 0
        check_lengths(lengths, boundaries.shape[0])
        self.system = system
        self.n_sentences = lengths.shape[0]
        if system.c.anchored:
            find_reach(system, scorer, &self.reach_left, &self.reach_right)
        self._allocate(lengths)
        for i in range(self.n_sentences):
            self.first_word[i] = n_words
            self.active[i] = i
            n_words += lengths[i]
        self.first_word[self.n_sentences] = n_words
        self._initialise(lengths)
        self._set_boundaries(boundaries)
        self.n_active = self.n_sentences

    def _allocate(self, int[::1] lengths):
        cdef bint anchored = self.system.c.anchored
        cdef size_t total = 0, anchor_bytes = 0, n_nodes = 0
        cdef int i
        for i in range(self.n_sentences):
            total += block_size(&self.system.c.shape, lengths[i])
            anchor_bytes += anchors_size(&self.system.c, lengths[i] + 1)
            n_nodes += lengths[i] + 1
        cdef size_t n_rows = n_nodes if anchored else self.n_sentences
        self.memory = Pool()
        self.states = <ConfigurationC*>self.memory.alloc(
            self.n_sentences + 1, sizeof(ConfigurationC))
        self.blocks = <int*>self.memory.alloc(total + 1, sizeof(int))
        self.first_word = <int*>self.memory.alloc(self.n_sentences + 1, sizeof(int))
        self.active = <int*>self.memory.alloc(self.n_sentences + 1, sizeof(int))
        self.refused = <int*>self.memory.alloc(self.n_sentences + 1, sizeof(int))
        self.rows = <UnscoredC*>self.memory.alloc(n_rows + 1, sizeof(UnscoredC))
        self.nodes = <int*>self.memory.alloc(n_nodes + 1, sizeof(int))
        self.legal = <int*>self.memory.alloc(
            self.n_sentences * <size_t>self.system.c.n_transitions + 1, sizeof(int))
        self.anchors = <AnchorsC*>self.memory.alloc(self.n_sentences + 1, sizeof(AnchorsC))
        self.anchor_memory = <char*>self.memory.alloc(anchor_bytes + 1 if anchored else 1, 1)

    def _initialise(self, int[::1] lengths):
        cdef size_t total = 0, anchor_bytes = 0
        cdef int i
        for i in range(self.n_sentences):
            initialise(&self.states[i], &self.system.c.shape, self.blocks + total, lengths[i])
            total += block_size(&self.system.c.shape, lengths[i])
            if self.system.c.anchored:
                start_anchors(&self.anchors[i], &self.system.c,
                              self.anchor_memory + anchor_bytes, lengths[i] + 1)
                anchor_bytes += anchors_size(&self.system.c, lengths[i] + 1)

    def _set_boundaries(self, int[::1] boundaries):
        cdef int i, word
        for i in range(self.n_sentences):
            for word in range(1, self.states[i].n_words):
                self.states[i].is_start[word] = start_flag(
                    boundaries[self.first_word[i] + word])

    cdef int restrict(self, WordRules restriction, bint stop) except -1:
        cdef int i
        if restriction is None:
            return 0
        self.stops_at_rules = stop
        restriction.check(self.system.labels, self.first_word[self.n_sentences])
        self.restriction = restriction
        for i in range(self.n_sentences):
            self.states[i].rules = restriction.of_unit(self.first_word[i])
            self.states[i].kinds = restriction.c_kinds + self.first_word[i]
        return 0

    cdef int keep_choices(self) except -1:
        self.keeps = True
        self.choices.resize(self.n_sentences)
        return 0

    def choices_of(self, int sentence) -> NDArray[numpy.int32]:
        """Class, anchor and label of each choice of a sentence: (n_choices, 3) int32."""
        return numpy.asarray(
            [(choice.index, choice.anchor, choice.label) for choice in self.choices[sentence]],
            dtype="i").reshape(-1, 3)

    cdef void settle(self) noexcept nogil:
        cdef int i, s, n = 0
        cdef int n_transitions = self.system.c.n_transitions
        self.n_rows = 0
        for i in range(self.n_active):
            s = self.active[i]
            if self.refused[s]:
                continue
            if advance(self.system, &self.states[s], &self.anchors[s], self.reach_left,
                       self.reach_right, self.legal + n * n_transitions):
                self.active[n] = s
                self._add_rows(s)
                n += 1
        self.n_active = n

    cdef void _add_rows(self, int s) noexcept nogil:
        cdef int k, n = 1
        if self.system.c.anchored:
            n = unscored_anchors(&self.anchors[s], &self.system.c, &self.states[s], self.nodes)
        else:
            self.nodes[0] = TOP
        for k in range(n):
            self.rows[self.n_rows].sentence = s
            self.rows[self.n_rows].anchor = self.nodes[k]
            self.n_rows += 1

    cdef int take(self, int i, int anchor, int index, const float* scores) except -1 nogil:
        cdef int s = self.active[i]
        cdef int t = self.system.class_transition[index]
        cdef int label = self.system.class_label[index]
        if self.states[s].rules != NULL and self.stops_at_rules and not is_valid(
                &self.system.c, &self.states[s], &self.system.c.transitions[t], anchor, label):
            self.refused[s] = 1
            return 0
        if not self.system.c.anchored:
            label = label_of(self.system, &self.states[s], index, scores, NULL)
        if self.keeps:
            self.choices[s].push_back(ChoiceC(index, anchor, label))
        if self.system.c.anchored:
            apply_at_anchor(&self.anchors[s], &self.system.c, &self.states[s],
                            &self.system.c.transitions[t], anchor, label, self.reach_left,
                            self.reach_right)
        else:
            apply_transition(&self.system.c, &self.states[s], &self.system.c.transitions[t],
                             TOP, label)
        return 0

    cdef void results(self, int* heads, int* labels, int* starts) noexcept nogil:
        cdef int i, first
        for i in range(self.n_sentences):
            first = self.first_word[i]
            read_parse(&self.states[i], heads + first, labels + first, starts + first)

    cdef int n_arcs(self) noexcept nogil:
        cdef int i, n = 0
        for i in range(self.n_sentences):
            n += self.states[i].n_arcs
        return n

    cdef void arcs(self, int* results) noexcept nogil:
        cdef ConfigurationC* c
        cdef int i, word, arc
        for i in range(self.n_sentences):
            c = &self.states[i]
            for word in range(c.n_words):
                arc = c.first_arc[word]
                while arc != NONE:
                    results[0] = self.first_word[i] + word
                    results[1] = self.first_word[i] + c.arc_head[arc]
                    results[2] = c.arc_label[arc]
                    results += 3
                    arc = c.next_arc[arc]


cdef void read_parse(const ConfigurationC* c, int* heads, int* labels,
                     int* starts) noexcept nogil:
    cdef int word
    for word in range(c.n_words):
        starts[word] = c.is_start[word] == 1
        if c.head[word] == NONE or is_root_node(c, c.head[word]):
            heads[word] = word
            labels[word] = NONE
        else:
            heads[word] = c.head[word]
            labels[word] = c.label[word]


cdef int check_classes(TransitionSystem system, Scorer scorer) except -1:
    if system.n_labels == 0:
        raise ValueError("A system without labels makes no arcs; give it at least one label")
    if scorer.n_classes != system.n_classes:
        raise ValueError(
            f"The model scores {scorer.n_classes} classes, but the system with its labels "
            f"has {system.n_classes}; they do not belong together"
        )
    # With more labels, features would be read from behind the model's tables.
    if scorer.n_labels != system.n_labels:
        raise ValueError(
            f"The model knows {scorer.n_labels} labels, but the system has {system.n_labels}; "
            "they do not belong together"
        )
    return 0


cdef int check_gold(TransitionSystem system, GoldTrees gold, int n_words) except -1:
    if n_words != gold.n_words:
        raise ValueError(f"{n_words} words for {gold.n_words} gold heads")
    if gold.highest_label >= system.n_labels:
        raise ValueError(
            f"Gold label {gold.highest_label}, but the system has {system.n_labels} labels"
        )
    return gold.check(system)


cdef bint advance(TransitionSystem system, ConfigurationC* c, AnchorsC* anchors,
                  int reach_left, int reach_right, int* legal) noexcept nogil:
    cdef int only
    while not is_terminal(&system.c, c):
        only = only_transition(system, c, legal)
        if only == NONE:
            return True
        if system.c.anchored:
            apply_at_anchor(anchors, &system.c, c, &system.c.transitions[only], c.top, NONE,
                            reach_left, reach_right)
        else:
            apply_transition(&system.c, c, &system.c.transitions[only], TOP, NONE)
    return False


cdef int only_transition(TransitionSystem system, const ConfigurationC* c,
                         int* legal) noexcept nogil:
    cdef int i, n, only = NONE
    if system.c.anchored:
        return forced_shift(system, c)
    n = legal_transitions(&system.c, c, TOP, 1, legal)
    if n != 1:
        return NONE
    for i in range(system.c.n_transitions):
        if legal[i] and not is_arc(&system.c.transitions[i]):
            only = i
    return only


cdef int forced_shift(TransitionSystem system, const ConfigurationC* c) noexcept nogil:
    # In a system with several anchors, only a SHIFT that fills O leaves nothing to decide.
    cdef int i, only = NONE
    if n_anchors(&system.c, c) > 1:
        return system_shift(system, c)
    for i in range(system.c.n_transitions):
        if is_legal(&system.c, c, &system.c.transitions[i], first_anchor(&system.c, c), 1):
            if only != NONE or system.c.transitions[i].move != SHIFT:
                return NONE
            only = i
    return only


cdef int system_shift(TransitionSystem system, const ConfigurationC* c) noexcept nogil:
    # SHIFT if O does not yet hold as many tokens as the system wants, otherwise NONE.
    cdef int i = system.c.i_shift
    if c.n_operative >= system.c.fill or i == NONE:
        return NONE
    return i if is_legal(&system.c, c, &system.c.transitions[i], c.top, 1) else NONE


cdef int best_legal(TransitionSystem system, const int* legal,
                    const float* scores) noexcept nogil:
    cdef int t, best = NONE
    for t in range(system.c.n_transitions):
        if legal[t]:
            best = best_class(system, t, scores, best)
    return best


cdef int label_of(TransitionSystem system, const ConfigurationC* c, int index,
                  const float* scores, const ForbiddenC* forbidden) noexcept nogil:
    cdef int t, label, best = NONE
    if not (system.c.reduce_attaches
            and system.c.transitions[system.class_transition[index]].move == SHIFT):
        return system.class_label[index]
    if forbidden != NULL or c.rules != NULL:
        label = remembered_label(forbidden, system, c, c.top, scores)
        if label != NONE or forbidden != NULL:
            return label
    for t in range(system.c.n_transitions):
        if system.c.transitions[t].move == RIGHT:
            best = best_class(system, t, scores, best)
    return NONE if best == NONE else system.class_label[best]
