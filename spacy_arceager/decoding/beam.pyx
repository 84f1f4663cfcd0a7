"""Beam search; see beam.pxd."""

import numpy

cimport cython
from libc.math cimport INFINITY, log
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy

from ..machine.configuration cimport (
    NONE,
    TOP,
    ConfigurationC,
    block_size,
    copy_configuration,
    initialise,
    lay_out,
)
from ..machine.system cimport TransitionSystem
from ..machine.transitions cimport (
    apply_transition,
    first_anchor,
    is_terminal,
    legal_transitions,
    n_anchors,
)
from ..oracles.gold cimport GoldC, GoldTrees
from ..oracles.oracle cimport Oracle, OracleC, scratch_size
from .anchors cimport changed_tokens, find_reach
from .classes cimport n_classes_of
from .greedy import split_into_blocks
from .kernels cimport exp_scores, find_highest
from .lockstep cimport (
    check_classes,
    label_of,
    only_transition,
    read_parse,
    start_flag,
)
from .loss cimport (
    OPTIMAL,
    CandidateC,
    allocate_state,
    find_targets,
    list_candidates,
    release_state,
)
from .lower_layer cimport LowerC, LowerLayer
from .record cimport record_features, record_scores, release, reserve
from .scorer cimport Scorer


@cython.final
cdef class BeamSearch:
    """The beams of a batch of sentences, which take their steps together.

    lengths: words of each sentence. forbidden_starts: as for LockStep.
    """

    def __cinit__(self, TransitionSystem system, int[::1] lengths, Scorer scorer, int width,
                  int[::1] forbidden_starts):
        cdef int i, k, n_words = 0
        self.system = system
        self.n_sentences = lengths.shape[0]
        find_reach(system, scorer, &self.reach_left, &self.reach_right)
        self.beams = <BeamC*>calloc(self.n_sentences + 1, sizeof(BeamC))
        self._allocate_scratch(scorer, max(lengths) if self.n_sentences else 0)
        for i in range(self.n_sentences):
            self._start(&self.beams[i], lengths[i], width)
            self.beams[i].first_word = n_words
            for k in range(1, lengths[i]):
                self.beams[i].now[0].c.is_start[k] = start_flag(forbidden_starts[n_words + k])
            self._begin(&self.beams[i].now[0])
            n_words += lengths[i]

    def _allocate_scratch(self, Scorer scorer, int longest):
        cdef int n = longest + 1 if self.system.c.anchored else 1
        cdef bint has_state = allocate_state(&self.state, &self.system.c, n, scorer.c.width)
        self.legal = <int*>malloc(n * self.system.c.n_transitions * sizeof(int))
        if not (has_state and self.beams and self.legal):
            raise MemoryError()

    cdef int _start(self, BeamC* beam, int n_words, int width) except -1:
        cdef int i
        cdef HypothesisC* h
        beam.width = width
        beam.n = 1
        beam.now = <HypothesisC*>calloc(width + 1, sizeof(HypothesisC))
        beam.then = <HypothesisC*>calloc(width + 1, sizeof(HypothesisC))
        beam.successors = <SuccessorC*>calloc(width + 1, sizeof(SuccessorC))
        if not (beam.now and beam.then and beam.successors):
            raise MemoryError()
        for i in range(2 * (width + 1)):
            h = &beam.now[i] if i <= width else &beam.then[i - width - 1]
            h.row_of = <int*>malloc((n_words + 1) * sizeof(int))
            h.c.below = <int*>malloc(block_size(&self.system.c.shape, n_words) * sizeof(int))
            if not (h.row_of and h.c.below):
                raise MemoryError()
            lay_out(&h.c, &self.system.c.shape, h.c.below, n_words)
        h = &beam.now[0]
        initialise(&h.c, &self.system.c.shape, h.c.below, n_words)
        h.last_step = NONE
        h.correct = True
        for i in range(n_words + 1):
            h.row_of[i] = NONE
        return 0

    def __dealloc__(self):
        cdef int i, k
        cdef BeamC* beam
        for i in range(self.n_sentences if self.beams else 0):
            beam = &self.beams[i]
            for k in range(beam.width + 1):
                if beam.now:
                    free(beam.now[k].c.below)
                    free(beam.now[k].row_of)
                if beam.then:
                    free(beam.then[k].c.below)
                    free(beam.then[k].row_of)
            free(beam.now)
            free(beam.then)
            free(beam.successors)
            free(beam.steps)
        free(self.beams)
        release(&self.record)
        free(self.legal)
        release_state(&self.state)

    def _results(self, int i, fixed_heads=None, fixed_labels=None):
        """The distinct parses of a sentence: (score, heads, labels, starts).

        fixed_heads, fixed_labels: (n_words,) those that a parse must have, -1 where free.
        """
        cdef BeamC* beam = &self.beams[i]
        cdef int k
        found = {}
        for k in range(beam.n):
            heads, labels, starts = self._parse_of(i, k)
            if fixed_heads is not None:
                if ((fixed_heads != NONE) & (fixed_heads != heads)).any():
                    continue
                # A non-monotonic REDUCE gives a label that SHIFT remembered from the model.
                is_fixed = (fixed_labels != NONE) & (labels != NONE)
                labels = numpy.where(is_fixed, fixed_labels, labels).astype("i")
            key = (heads.tobytes(), labels.tobytes(), starts.tobytes())
            found.setdefault(key, (beam.now[k].score, heads, labels, starts))
        return list(found.values())

    def _parse_of(self, int i, int k):
        cdef const ConfigurationC* c = &self.beams[i].now[k].c
        results = numpy.empty((3, c.n_words), dtype="i")
        cdef int[:, ::1] c_results = results
        if c.n_words:
            read_parse(c, &c_results[0, 0], &c_results[1, 0], &c_results[2, 0])
        return results[0], results[1], results[2].astype(bool)

    cdef void _begin(self, HypothesisC* h) noexcept nogil:
        # Takes the transitions that nothing has to be decided about.
        cdef int only
        while not is_terminal(&self.system.c, &h.c):
            only = only_transition(self.system, &h.c, self.legal)
            if only == NONE:
                return
            apply_transition(&self.system.c, &h.c, &self.system.c.transitions[only],
                             first_anchor(&self.system.c, &h.c), NONE)
        h.finished = True

    cdef bint score_new(self, const ScorerC* scorer, LowerC* lower, float dropout,
                        uint64_t* random) noexcept nogil:
        # Scores all anchors that have no row. False where memory is short.
        cdef BeamC* beam
        cdef HypothesisC* h
        cdef int i, k, position, anchor, cell, n = 0
        for i in range(self.n_sentences):
            for k in range(self.beams[i].n):
                n += n_anchors(&self.system.c, &self.beams[i].now[k].c)
        if not reserve(&self.record, scorer, n):
            return False
        n = 0
        for i in range(self.n_sentences):
            beam = &self.beams[i]
            for k in range(0 if beam.done else beam.n):
                h = &beam.now[k]
                anchor = first_anchor(&self.system.c, &h.c)
                for position in range(0 if h.finished else n_anchors(&self.system.c, &h.c)):
                    cell = 0 if anchor == TOP else anchor
                    if h.row_of[cell] == NONE:
                        h.row_of[cell] = <int>self.record.rows + n
                        record_features(&self.record, scorer, lower, &h.c, anchor,
                                        beam.first_word, n)
                        n += 1
                    if anchor != TOP:
                        anchor = h.c.below[anchor]
        record_scores(&self.record, scorer, lower, n, dropout, random)
        return True

    cdef void expand(self, BeamC* beam, const SearchC* search, const GoldC* gold,
                     int* scratch) noexcept nogil:
        # Fills successors with the best ways to continue.
        cdef int k
        cdef double worst
        beam.n_successors = 0
        beam.has_correct = False
        for k in range(beam.n):
            self._expand_one(beam, k, search, gold, scratch)
        if beam.n_successors:
            worst = beam.successors[0].score + search.threshold
            while beam.successors[beam.n_successors - 1].score < worst:
                beam.n_successors -= 1

    cdef void _list_candidates(self, HypothesisC* h) noexcept nogil:
        # With the legal transitions of each.
        cdef const CandidateC* candidate
        cdef int i
        list_candidates(&self.state, &self.system.c, &h.c, h.row_of, &self.record)
        for i in range(self.state.n_candidates):
            candidate = &self.state.candidates[i]
            legal_transitions(&self.system.c, &h.c, candidate.anchor, candidate.position,
                              self.legal + i * self.system.c.n_transitions)

    cdef int _n_legal(self, int i, int t) noexcept nogil:
        # The classes of a transition of the i-th candidate; none where it is not legal.
        if not self.legal[i * self.system.c.n_transitions + t]:
            return 0
        return n_classes_of(self.system, t)

    cdef float _highest(self, int i, int t) noexcept nogil:
        # The best score of a legal transition of the i-th candidate.
        cdef const float* scores = (self.state.candidates[i].scores
                                    + self.system.first_class[t])
        return scores[find_highest(scores, n_classes_of(self.system, t))]

    cdef void _expand_one(self, BeamC* beam, int source, const SearchC* search,
                          const GoldC* gold, int* scratch) noexcept nogil:
        cdef HypothesisC* h = &beam.now[source]
        cdef bint judged = search.constrained or (search.learning and h.correct)
        cdef SuccessorC successor
        cdef double base = h.score
        cdef int i, t
        successor.source = source
        if h.finished:
            successor.score, successor.index, successor.correct = h.score, NONE, h.correct
            keep(beam, &successor, h.outside)
            return
        self._list_candidates(h)
        if judged:
            find_targets(&self.state, self.system, &h.c, gold, search.oracle, scratch)
        if search.normalised:
            base -= self._log_total()
        for i in range(self.state.n_candidates):
            for t in range(self.system.c.n_transitions):
                if self._n_legal(i, t) and (
                        judged or not is_hopeless(beam, base + self._highest(i, t))):
                    self._add_successors(beam, &successor, i, t, base, judged, search)

    cdef void _add_successors(self, BeamC* beam, SuccessorC* successor, int i, int t,
                              double base, bint judged, const SearchC* search) noexcept nogil:
        # The classes of a transition of the i-th candidate.
        cdef const HypothesisC* h = &beam.now[successor.source]
        cdef const CandidateC* candidate = &self.state.candidates[i]
        cdef int first = self.system.first_class[t]
        cdef bint optimal = h.correct
        cdef int k
        for k in range(first, first + n_classes_of(self.system, t)):
            if judged:
                optimal = self.state.targets[i * self.state.width + k] == OPTIMAL
            if search.constrained and not optimal:
                continue
            successor.score = base + candidate.scores[k]
            successor.anchor = candidate.anchor
            successor.row = candidate.row
            successor.index = k
            successor.correct = h.correct and optimal
            keep(beam, successor, h.outside)

    cdef double _log_total(self) noexcept nogil:
        # The log of the sum of the exponentials of all legal scores.
        cdef double total = 0
        cdef float highest = -INFINITY
        cdef int i, t
        for i in range(self.state.n_candidates):
            for t in range(self.system.c.n_transitions):
                if self._n_legal(i, t):
                    highest = max(highest, self._highest(i, t))
        for i in range(self.state.n_candidates):
            for t in range(self.system.c.n_transitions):
                if self._n_legal(i, t):
                    total += exp_scores(
                        self.state.exps,
                        self.state.candidates[i].scores + self.system.first_class[t],
                        n_classes_of(self.system, t), highest)
        return highest + log(total)

    cdef bint step(self, BeamC* beam) noexcept nogil:
        # The successors become the hypotheses. False where memory is short.
        cdef int i
        cdef HypothesisC* swapped
        beam.done = True
        for i in range(beam.n_successors):
            if not self._follow(beam, &beam.successors[i], &beam.then[i]):
                return False
            beam.done = beam.done and beam.then[i].finished
        beam.n = beam.n_successors
        swapped = beam.now
        beam.now = beam.then
        beam.then = swapped
        return True

    cdef bint _follow(self, BeamC* beam, const SuccessorC* successor,
                      HypothesisC* target) noexcept nogil:
        cdef const HypothesisC* source = &beam.now[successor.source]
        copy_configuration(&target.c, &source.c, &self.system.c.shape)
        memcpy(target.row_of, source.row_of, (source.c.n_words + 1) * sizeof(int))
        target.score = successor.score
        target.finished = source.finished
        target.correct = successor.correct
        target.outside = False
        target.last_step = source.last_step
        if successor.index == NONE:
            return True
        if not add_step(beam, source.last_step, successor.row, successor.index):
            return False
        target.last_step = beam.n_steps - 1
        self._apply(target, successor)
        self._begin(target)
        return True

    cdef void _apply(self, HypothesisC* h, const SuccessorC* successor) noexcept nogil:
        cdef int t = self.system.class_transition[successor.index]
        cdef const float* scores = (self.record.scores
                                    + <size_t>successor.row * self.state.width)
        cdef int right, left
        if self.system.c.anchored:
            changed_tokens(&h.c, &self.system.c.transitions[t], successor.anchor,
                           self.reach_left, self.reach_right, &right, &left)
            while right != NONE:
                h.row_of[right] = NONE
                right = NONE if right == left else h.c.below[right]
        else:
            h.row_of[0] = NONE
        apply_transition(&self.system.c, &h.c, &self.system.c.transitions[t],
                         successor.anchor, label_of(self.system, successor.index, scores))


cdef inline bint is_hopeless(const BeamC* beam, double score) noexcept nogil:
    return beam.n_successors == beam.width and score <= beam.successors[beam.width - 1].score


cdef void keep(BeamC* beam, const SuccessorC* successor, bint outside) noexcept nogil:
    # Sorts a successor in, if it is among the best; of equal ones the first stays ahead.
    cdef int i
    if successor.correct and (not beam.has_correct
                              or successor.score > beam.best_correct.score):
        beam.best_correct = successor[0]
        beam.has_correct = True
    if outside:
        return
    if is_hopeless(beam, successor.score):
        return
    beam.n_successors -= beam.n_successors == beam.width
    i = beam.n_successors
    while i > 0 and beam.successors[i - 1].score < successor.score:
        beam.successors[i] = beam.successors[i - 1]
        i -= 1
    beam.successors[i] = successor[0]
    beam.n_successors += 1


cdef bint add_step(BeamC* beam, int before, int row, int index) noexcept nogil:
    if beam.n_steps == beam.steps_capacity:
        beam.steps_capacity = 2 * beam.steps_capacity + 64
        beam.steps = <StepC*>realloc(beam.steps, beam.steps_capacity * sizeof(StepC))
        if beam.steps == NULL:
            return False
    beam.steps[beam.n_steps].before = before
    beam.steps[beam.n_steps].row = row
    beam.steps[beam.n_steps].index = index
    beam.n_steps += 1
    return True


def search(TransitionSystem system not None, Scorer scorer not None, vectors, lengths,
           settings, forbidden_starts=None, fixed=None, Oracle oracle=None):
    """Parse sentences with beam search.

    vectors, lengths, forbidden_starts: as for greedy.parse. settings: BeamSettings.
    fixed: heads and labels fixed in advance, two (n_words,) int32 arrays, -1 where free; only
        derivations that `oracle` takes to lose none of them are followed.
    Returns for each sentence a list of (score, heads, labels, starts), the best first; arrays
    as greedy.parse has them. Two derivations of one tree count once. The list is empty where
    no derivation has all fixed arcs.
    """
    check_classes(system, scorer)
    lengths = numpy.asarray(lengths, dtype="i")
    n_words = int(lengths.sum())
    if vectors.shape[0] != n_words:
        raise ValueError(f"{vectors.shape[0]} vectors for {n_words} words")
    if forbidden_starts is None:
        forbidden_starts = numpy.zeros((n_words,), dtype="i")
    first_words = numpy.concatenate([[0], numpy.cumsum(lengths)])
    results = [[] for _ in lengths]
    for block in split_into_blocks(range(len(lengths)), lengths):
        words = numpy.concatenate(
            [numpy.arange(first_words[i], first_words[i + 1]) for i in block]
        )
        parses = search_block(
            system, scorer, numpy.ascontiguousarray(vectors[words]), lengths[block], settings,
            numpy.ascontiguousarray(forbidden_starts[words], dtype="i"),
            None if fixed is None else (fixed[0][words], fixed[1][words]), oracle,
        )
        for i, found in zip(block, parses):
            results[i] = found
    return results


def search_block(TransitionSystem system, Scorer scorer, vectors, int[::1] lengths, settings,
                 int[::1] forbidden_starts, fixed, Oracle oracle):
    """Search one block of sentences; as `search`."""
    cdef BeamSearch beams = BeamSearch(
        system, lengths, scorer, settings.width, forbidden_starts
    )
    cdef LowerLayer lower = LowerLayer(scorer, vectors.shape[0])
    lower.start(vectors)
    cdef int[::1] scratch = numpy.empty(
        (scratch_size(&system.c, max(lengths)) + 1,), dtype="i")
    cdef SearchC how
    cdef OracleC compiled
    cdef const GoldC* gold = NULL
    how.normalised = settings.is_normalised
    how.learning = False
    how.threshold = log(settings.density) if settings.density > 0 else -INFINITY
    how.constrained = fixed is not None
    if how.constrained:
        trees = GoldTrees(lengths, *fixed, system.parameters.root != "none")
        gold = (<GoldTrees>trees).c
        compiled = oracle.compiled_for(system)
        compiled.plain = NULL
        compiled.breaks_freely = True
        how.oracle = &compiled
    cdef bint done
    with nogil:
        done = run(beams, &scorer.c, &lower.c, &how, gold, &scratch[0])
    if not done:
        raise MemoryError()
    if fixed is None:
        return [beams._results(i) for i in range(beams.n_sentences)]
    ends = numpy.cumsum(lengths)[: beams.n_sentences - 1]
    return [beams._results(i, *arcs)
            for i, arcs in enumerate(zip(*(numpy.split(values, ends) for values in fixed)))]


cdef bint run(BeamSearch beams, const ScorerC* scorer, LowerC* lower, const SearchC* how,
              const GoldC* gold, int* scratch) noexcept nogil:
    cdef uint64_t random = 1
    cdef int i, n_active = 1
    while n_active:
        n_active = 0
        if not beams.score_new(scorer, lower, 0, &random):
            return False
        for i in range(beams.n_sentences):
            if beams.beams[i].done:
                continue
            beams.expand(&beams.beams[i], how, &gold[i] if gold else NULL, scratch)
            if not beams.step(&beams.beams[i]):
                return False
            n_active += not beams.beams[i].done
    return True
