"""The beam of each sentence; see beam_state.pxd."""

from cymem.cymem cimport Pool
from libc.string cimport memcpy

import numpy

from ..machine.configuration cimport (
    NONE, ConfigurationC, block_size, copy_configuration, initialise, lay_out,
)
from ..machine.rules cimport WordRules
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport SystemC, TransitionC
from ..machine.transitions.dispatch cimport (
    apply_transition, first_anchor, is_legal, is_terminal, n_anchors, next_anchor,
)
from ..network.scorer cimport Scorer
from .anchors cimport changed_tokens, find_reach
from .blocks import check_lengths
from .configuration_key cimport change_of_key
from .forbidden cimport Forbidden
from .lockstep cimport only_transition, read_parse, start_flag
from .beam_tree import BeamTree


cdef class BeamState:
    """The beams of a batch of sentences.

    Args:
        lengths: words of each sentence.
        width: hypotheses of each sentence.
        boundaries: as for LockStep.

    Raises:
        ValueError: For arguments that do not belong together.
    """

    def __cinit__(
        self, TransitionSystem system not None, int[::1] lengths not None, Scorer scorer not None,
        int width, int[::1] boundaries not None,
    ):
        cdef int i, k, n_words = 0
        check_lengths(lengths, boundaries.shape[0])
        if width < 1:
            raise ValueError(f"width={width}; use 1 or more")
        self.system = system
        self.n_sentences = lengths.shape[0]
        find_reach(system, scorer, &self.reach_left, &self.reach_right)
        self.memory = Pool()
        self.beams = <BeamC*>self.memory.alloc(self.n_sentences + 1, sizeof(BeamC))
        for i in range(self.n_sentences):
            self._start(&self.beams[i], lengths[i], width)
            self.beams[i].first_word = n_words
            for k in range(1, lengths[i]):
                self.beams[i].now[0].c.is_start[k] = start_flag(boundaries[n_words + k])
            self._settle(&self.beams[i].now[0])
            n_words += lengths[i]
        self.n_words = n_words

    cdef int _start(self, BeamC* beam, int n_words, int width) except -1:
        cdef size_t n = width + <size_t>1
        cdef size_t block = block_size(&self.system.c.shape, n_words)
        cdef size_t i
        beam.width = width
        beam.n = 1
        # One array has the hypotheses of this step and, behind them, the ones of the next step.
        beam.now = <HypothesisC*>self.memory.alloc(2 * n, sizeof(HypothesisC))
        beam.then = beam.now + n
        beam.successors = <SuccessorC*>self.memory.alloc(n, sizeof(SuccessorC))
        beam.n_cells = n_words + 1 if self.system.c.anchored else 1
        cdef int* rows = <int*>self.memory.alloc(2 * n * beam.n_cells, sizeof(int))
        cdef int* blocks = <int*>self.memory.alloc(2 * n * block, sizeof(int))
        cdef size_t n_legal = beam.n_cells * <size_t>self.system.c.n_transitions
        cdef int* legal = <int*>self.memory.alloc(2 * n * n_legal, sizeof(int))
        for i in range(2 * n):
            beam.now[i].row_of = rows + i * beam.n_cells
            beam.now[i].legal = legal + i * n_legal
            lay_out(&beam.now[i].c, &self.system.c.shape, blocks + i * block, n_words)
        initialise(&beam.now[0].c, &self.system.c.shape, blocks, n_words)
        beam.now[0].last_step = NONE
        beam.now[0].correct = True
        for i in range(beam.n_cells):
            rows[i] = NONE
        return 0

    cdef int forbid(self, forbidden) except -1:
        # Makes the search leave out all forbidden arcs. forbidden: a Forbidden or None for each
        # sentence.
        cdef int i
        cdef Forbidden of_sentence
        self.forbidden = forbidden      # so that their arrays stay alive
        for i in range(self.n_sentences):
            if forbidden[i] is not None:
                of_sentence = forbidden[i]
                self.beams[i].forbidden = &of_sentence.c
        return 0

    cdef int restrict(self, WordRules restriction) except -1:
        cdef int i
        if restriction is None:
            return 0
        restriction.check(self.system.labels, self.n_words)
        self.restriction = restriction
        for i in range(self.n_sentences):
            self.beams[i].now[0].c.rules = restriction.of_unit(self.beams[i].first_word)
            self.beams[i].now[0].c.kinds = restriction.c_kinds + self.beams[i].first_word
        return 0

    cdef int begin(self, int i, const int[:, ::1] choices) except -1:
        cdef HypothesisC* h = &self.beams[i].now[0]
        cdef int k
        if choices.shape[1] != 3:
            raise ValueError(f"A choice has a class, an anchor and a label, not "
                             f"{choices.shape[1]} numbers")
        for k in range(choices.shape[0]):
            self._check_choice(h, choices[k, 0], choices[k, 1], choices[k, 2])
            self._add_step(h, choices[k, 0], choices[k, 1], 0)
            self._apply(h, self.system.class_transition[choices[k, 0]], choices[k, 1],
                        choices[k, 2])
            self._settle(h)
        return 0

    cdef int _check_choice(self, HypothesisC* h, int index, int anchor, int label) except -1:
        cdef const SystemC* system = &self.system.c
        cdef int here = first_anchor(system, &h.c)
        cdef int position
        if 0 <= index < self.system.n_classes and NONE <= label < len(self.system.labels):
            for position in range(1, n_anchors(system, &h.c) + 1):
                if here == anchor:
                    if is_legal(system, &h.c,
                                &system.transitions[self.system.class_transition[index]],
                                anchor, position):
                        return 0
                    break
                here = next_anchor(&h.c, here)
        raise ValueError(f"Class {index} with label {label} is not legal at anchor {anchor}")

    def _results(self, int i, int most, bint with_choices=False, fixed_heads=None,
                 fixed_labels=None):
        """The distinct trees of a sentence.

        Args:
            most: how many trees are returned at most, of the best ones.
            with_choices: whether they have their choices.
            fixed_heads: (n_words,) heads that a parse must have, -1 where the parser decides.
            fixed_labels: (n_words,) labels that a parse must have, -1 where the parser decides.
        """
        cdef BeamC* beam = &self.beams[i]
        cdef int k
        parses = {}
        for k in range(beam.n):
            if len(parses) == most:
                break
            heads, labels, starts = self._parse_of(i, k)
            if fixed_heads is not None:
                if ((fixed_heads != NONE) & (fixed_heads != heads)).any():
                    continue
                # A non-monotonic REDUCE makes an arc with the model's label, not the fixed one.
                is_fixed = (fixed_labels != NONE) & (labels != NONE)
                labels = numpy.where(is_fixed, fixed_labels, labels).astype("i")
            key = (heads.tobytes(), labels.tobytes(), starts.tobytes())
            if key not in parses:
                choices = self._choices_of(i, k) if with_choices else None
                parses[key] = BeamTree(beam.now[k].score, heads, labels, starts, choices)
        return list(parses.values())

    def _choices_of(self, int i, int k):
        """The class and the anchor of each choice of a hypothesis: (n_choices, 2) int32."""
        cdef int step = self.beams[i].now[k].last_step
        choices = []
        while step != NONE:
            choices.append((self.steps[step].index, self.steps[step].anchor))
            step = self.steps[step].before
        return numpy.asarray(choices[::-1], dtype="i").reshape(-1, 2)

    def _parse_of(self, int i, int k):
        cdef const ConfigurationC* c = &self.beams[i].now[k].c
        results = numpy.empty((3, c.n_words), dtype="i")
        cdef int[:, ::1] c_results = results
        if c.n_words:
            read_parse(c, &c_results[0, 0], &c_results[1, 0], &c_results[2, 0])
        return results[0], results[1], results[2].astype(bool)

    cdef void _settle(self, HypothesisC* h) noexcept nogil:
        # Takes transitions as long as there is nothing to decide.
        cdef int only, anchor
        while not is_terminal(&self.system.c, &h.c):
            only = only_transition(self.system, &h.c, h.legal)
            if only == NONE:
                return
            anchor = first_anchor(&self.system.c, &h.c)
            self._apply(h, only, anchor, NONE)
        h.finished = True

    cdef void _apply(self, HypothesisC* h, int t, int anchor, int label) noexcept nogil:
        cdef const TransitionC* transition = &self.system.c.transitions[t]
        h.key += change_of_key(&self.system.c, &h.c, transition, anchor, label)
        self._forget(h, t, anchor)
        apply_transition(&self.system.c, &h.c, transition, anchor, label)

    cdef void _forget(self, HypothesisC* h, int t, int anchor) noexcept nogil:
        # Forgets the rows of anchors whose features a transition will change.
        cdef int right, left
        if not self.system.c.anchored:
            h.row_of[0] = NONE
            return
        changed_tokens(&h.c, &self.system.c.transitions[t], anchor, self.reach_left,
                       self.reach_right, &right, &left)
        while right != NONE:
            h.row_of[right] = NONE
            right = NONE if right == left else h.c.below[right]

    cdef int advance(self, BeamC* beam) except -1 nogil:
        cdef int i
        cdef HypothesisC* swapped
        beam.done = True
        for i in range(beam.n):
            beam.now[i].n_uses = 0
        for i in range(beam.n_successors):
            beam.now[beam.successors[i].source].n_uses += 1
        for i in range(beam.n_successors):
            self._follow(beam, &beam.successors[i], &beam.then[i])
            beam.done = beam.done and beam.then[i].finished
        beam.n = beam.n_successors
        swapped = beam.now
        beam.now = beam.then
        beam.then = swapped
        return 0

    cdef int _follow(self, BeamC* beam, const SuccessorC* successor,
                     HypothesisC* target) except -1 nogil:
        self._inherit(beam, &beam.now[successor.source], target)
        target.score = successor.score
        target.correct = successor.correct
        target.outside = False
        if successor.index == NONE:
            return 0
        self._add_step(target, successor.index, successor.anchor, successor.row)
        self._apply(target, self.system.class_transition[successor.index], successor.anchor,
                    successor.label)
        self._settle(target)
        return 0

    cdef void _inherit(self, const BeamC* beam, HypothesisC* source,
                       HypothesisC* target) noexcept nogil:
        # Makes `target` equal to `source`, whose arrays its last successor takes over.
        cdef HypothesisC unused
        source.n_uses -= 1
        if source.n_uses == 0:
            unused = target[0]
            target[0] = source[0]
            source[0] = unused
            return
        copy_configuration(&target.c, &source.c, &self.system.c.shape)
        memcpy(target.row_of, source.row_of, beam.n_cells * sizeof(int))
        target.key = source.key
        target.finished = source.finished
        target.last_step = source.last_step

    cdef int _add_step(self, HypothesisC* h, int index, int anchor, int row) except -1 nogil:
        self.steps.push_back(StepC(h.last_step, row, index, anchor))
        h.last_step = <int>self.steps.size() - 1
        return 0


cdef inline bint is_better(const SuccessorC* successor, const SuccessorC* other) noexcept nogil:
    # Sums may be equal, also by rounding. As in greedy decoding, the class with the best score is
    # then better, and of equally good classes the one at the last word.
    if successor.score != other.score:
        return successor.score > other.score
    if successor.source != other.source:
        return False
    if successor.class_score != other.class_score:
        return successor.class_score > other.class_score
    return successor.anchor > other.anchor


cdef inline int find_equal(const BeamC* beam, const SuccessorC* successor) noexcept nogil:
    # The place of the successor with the same configuration; behind all if there is none.
    cdef int i
    for i in range(beam.n_successors):
        if beam.successors[i].key == successor.key:
            return i
    return beam.n_successors


cdef void note_correct(BeamC* beam, const SuccessorC* successor) noexcept nogil:
    if not beam.has_correct or successor.score > beam.best_correct.score:
        beam.best_correct = successor[0]
        beam.has_correct = True


cdef void keep(BeamC* beam, const SuccessorC* successor, bint outside) noexcept nogil:
    cdef int i
    cdef int last = beam.width - 1
    cdef bint correct = successor.correct
    if outside:
        return
    i = find_equal(beam, successor)
    if i < beam.n_successors:
        correct |= beam.successors[i].correct
        if not is_better(successor, &beam.successors[i]):
            beam.successors[i].correct = correct
            return
    elif i == beam.width:
        if not is_better(successor, &beam.successors[last]):
            return
        i = last
    else:
        beam.n_successors += 1
    while i > 0 and is_better(successor, &beam.successors[i - 1]):
        beam.successors[i] = beam.successors[i - 1]
        i -= 1
    beam.successors[i] = successor[0]
    beam.successors[i].correct = correct
    if beam.n_successors == beam.width:
        beam.least = max(beam.least, beam.successors[last].score)
