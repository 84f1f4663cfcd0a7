"""Beam search; see beam.pxd."""

import numpy

cimport cython
from libc.math cimport INFINITY, fabs, log

from ..machine.configuration cimport NONE, TOP, ConfigurationC
from ..machine.rules import WordRules
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport TransitionC, is_arc
from ..machine.transitions.dispatch cimport first_anchor, legal_transitions, n_anchors, next_anchor
from ..machine.valid cimport find_arc, is_valid
from ..kernels.kernels cimport exp_scores, find_at_least, find_highest_score
from ..network.lower_layer cimport LowerC, LowerLayer
from ..network.scorer cimport Scorer, ScorerC
from ..oracles.gold cimport GoldC, GoldTrees
from ..oracles.compiled cimport CompiledOracle
from ..oracles.oracle cimport Oracle
from .beam_state cimport BeamC, BeamState, HypothesisC, SuccessorC, is_hopeless, keep
from .blocks import Batch
from .classes cimport n_classes_of
from .forbidden cimport Forbidden, ForbiddenC, forbids_arc, forbids_label
from ..kernels.interrupt cimport WatchC, check_signals
from .lockstep cimport check_classes, check_gold
from .loss cimport OPTIMAL, CandidateC, allocate_state, find_targets, list_candidates
from .record cimport Record, record_features, record_scores
from .settings import BeamSettings

cdef double ROUNDING = 1e-9     # more than the error of a sum of scores, as a share of them


cdef inline int find_hopeful(const BeamC* beam, const float* scores, int first, int end,
                             double base) noexcept nogil:
    # The first class whose score may bring it into the beam; `end` if there is none. Sums are
    # rounded, so that it takes a score that is a little too low as well.
    cdef double worst
    if beam.n_successors < beam.width:
        return first
    worst = beam.successors[beam.width - 1].score
    return find_at_least(scores, first, end,
                         worst - base - ROUNDING * (1 + fabs(worst) + fabs(base)))


@cython.final
cdef class BeamSearch(BeamState):
    """The beams of a batch of sentences, which take their steps together."""

    def __cinit__(self, TransitionSystem system not None, int[::1] lengths not None,
                  Scorer scorer not None, int width, int[::1] boundaries not None):
        if system.c.shape.graph:
            raise ValueError(f"System '{system.parameters.name}' builds graphs, which are parsed "
                             "greedily, without a beam")
        self.record = Record(learns=False)
        longest = max(lengths) if self.n_sentences else 0
        cdef size_t n = longest + 1 if system.c.anchored else 1
        allocate_state(&self.state, self.memory, &system.c, n, scorer.c.width)
        self.highest = <float*>self.memory.alloc(n * system.c.n_transitions, sizeof(float))

    cdef int score_new(self, const ScorerC* scorer, LowerC* lower,
                       SearchOptionsC* options) except -1 nogil:
        cdef BeamC* beam
        cdef HypothesisC* h
        cdef int i, k, anchor, cell, n = 0
        if not self.record.learns:
            self.forget_rows(scorer)
        self.record.reserve(scorer, self._most_unscored())
        for i in range(self.n_sentences):
            beam = &self.beams[i]
            for k in range(0 if beam.done else beam.n):
                h = &beam.now[k]
                anchor = first_anchor(&self.system.c, &h.c)
                for _ in range(self._n_anchors(h)):
                    cell = 0 if anchor == TOP else anchor
                    if h.row_of[cell] == NONE:
                        record_features(self.record, scorer, lower, &h.c, anchor,
                                        beam.first_word, n)
                        h.row_of[cell] = self._find_row(scorer, beam, k, cell, n)
                        n += h.row_of[cell] == <int>self.record.rows + n
                    anchor = next_anchor(&h.c, anchor)
        record_scores(self.record, scorer, lower, n, options.dropout, &options.random)
        return 0

    cdef size_t _most_unscored(self) noexcept nogil:
        # At least as many as the anchors that have no recorded row.
        cdef int i, k
        cdef size_t n = 0
        for i in range(self.n_sentences):
            for k in range(0 if self.beams[i].done else self.beams[i].n):
                n += self._n_anchors(&self.beams[i].now[k])
        return n

    cdef int _n_anchors(self, const HypothesisC* h) noexcept nogil:
        return 0 if h.finished else n_anchors(&self.system.c, &h.c)

    cdef int _find_row(self, const ScorerC* scorer, const BeamC* beam, int k, int cell,
                       int ahead) noexcept nogil:
        # The row that scores an anchor of the k-th hypothesis, whose features have just been
        # recorded: the row of an earlier hypothesis if the model sees the same features there.
        cdef int i, row
        for i in range(k):
            row = beam.now[i].row_of[cell]
            if row != NONE and self.record.repeats(scorer, ahead, row):
                return row
        return <int>self.record.rows + ahead

    cdef int forget_rows(self, const ScorerC* scorer) except -1 nogil:
        cdef size_t row
        cdef int n = 0
        if self.record.rows < 2 * self.n_kept:
            return 0
        self.new_row.assign(self.record.rows, NONE)
        self._for_rows(True)
        for row in range(self.record.rows):
            if self.new_row[row] != NONE:
                self.record.move(scorer, row, n)
                self.new_row[row] = n
                n += 1
        self._for_rows(False)
        self.record.rows = self.n_kept = n
        return 0

    cdef void _for_rows(self, bint mark) noexcept nogil:
        # Marks the rows that hypotheses need, or gives hypotheses the new numbers of these rows.
        cdef HypothesisC* h
        cdef int i, k, cell
        for i in range(self.n_sentences):
            for k in range(0 if self.beams[i].done else self.beams[i].n):
                h = &self.beams[i].now[k]
                for cell in range(self.beams[i].n_cells):
                    if h.row_of[cell] == NONE:
                        continue
                    if mark:
                        self.new_row[h.row_of[cell]] = 0
                    else:
                        h.row_of[cell] = self.new_row[h.row_of[cell]]

    cdef void expand(self, BeamC* beam, const SearchOptionsC* options,
                     const GoldC* gold) noexcept nogil:
        cdef int k
        cdef double worst
        beam.n_successors = 0
        beam.has_correct = False
        for k in range(beam.n):
            self._expand_one(beam, k, options, gold)
        if beam.n_successors:
            worst = beam.successors[0].score + options.threshold
            while beam.successors[beam.n_successors - 1].score < worst:
                beam.n_successors -= 1

    cdef void _list_candidates(self, HypothesisC* h) noexcept nogil:
        # Lists the anchors of a hypothesis, with the legal transitions at each and the best score
        # among the classes of each.
        cdef const CandidateC* candidate
        cdef int i, t
        list_candidates(&self.state, &self.system.c, &h.c, h.row_of, self.record)
        for i in range(self.state.n_candidates):
            candidate = &self.state.candidates[i]
            legal_transitions(&self.system.c, &h.c, candidate.anchor, candidate.position,
                              self.legal + i * self.system.c.n_transitions)
            for t in range(self.system.c.n_transitions):
                self.highest[i * self.system.c.n_transitions + t] = self._find_highest(i, t)

    cdef int _n_legal(self, int i, int t) noexcept nogil:
        # How many classes a transition of the i-th candidate has; 0 if it is not legal.
        if not self.legal[i * self.system.c.n_transitions + t]:
            return 0
        return n_classes_of(self.system, t)

    cdef float _find_highest(self, int i, int t) noexcept nogil:
        # The best score among the classes of a transition of the i-th candidate, if it is legal.
        cdef int n = self._n_legal(i, t)
        cdef const float* scores = (self.state.candidates[i].scores
                                    + self.system.first_class[t])
        return find_highest_score(scores, n) if n else -INFINITY

    cdef float _highest(self, int i, int t) noexcept nogil:
        return self.highest[i * self.system.c.n_transitions + t]

    cdef void _expand_one(self, BeamC* beam, int source, const SearchOptionsC* options,
                          const GoldC* gold) noexcept nogil:
        cdef HypothesisC* h = &beam.now[source]
        cdef bint judged = options.constrained or (options.learning and h.correct)
        cdef SuccessorC successor
        cdef double base = h.score
        successor.source = source
        if h.finished:
            successor.score, successor.class_score, successor.correct = h.score, 0, h.correct
            successor.index, successor.row, successor.anchor = NONE, 0, TOP
            keep(beam, &successor, h.outside)
            return
        self._list_candidates(h)
        if judged:
            find_targets(&self.state, self.system, &h.c, gold, options.oracle)
        if options.normalised:
            base -= self._log_total()
        if not self._add_all(beam, &successor, base, judged, h.c.rules != NULL, options):
            # The rules about dependents yield where they leave nothing.
            self._add_all(beam, &successor, base, judged, False, options)

    cdef bint _add_all(self, BeamC* beam, SuccessorC* successor, double base, bint judged,
                       bint ruled, const SearchOptionsC* options) noexcept nogil:
        # Adds the classes of all candidates. Returns whether the rules leave some, or do not count.
        cdef const HypothesisC* h = &beam.now[successor.source]
        cdef bint has_valid = not ruled
        cdef int i, t
        for i in range(self.state.n_candidates):
            for t in range(self.system.c.n_transitions):
                if not self._n_legal(i, t):
                    continue
                if judged or not is_hopeless(beam, base + self._highest(i, t)):
                    has_valid |= self._add_successors(
                        beam, successor, i, t, base, judged, ruled, options)
                elif not has_valid:
                    has_valid = self._has_valid(&h.c, t, self.state.candidates[i].anchor)
        return has_valid

    cdef bint _has_valid(self, const ConfigurationC* c, int t, int anchor) noexcept nogil:
        # Whether the rules about dependents leave some class of a transition.
        cdef int k, first = self.system.first_class[t]
        for k in range(first, first + n_classes_of(self.system, t)):
            if is_valid(&self.system.c, c, &self.system.c.transitions[t], anchor,
                        self.system.class_label[k]):
                return True
        return False

    cdef bint _add_successors(self, BeamC* beam, SuccessorC* successor, int i, int t,
                              double base, bint judged, bint ruled,
                              const SearchOptionsC* options) noexcept nogil:
        # Adds the classes of a transition of the i-th candidate. Returns whether it has one that
        # may be taken.
        cdef const HypothesisC* h = &beam.now[successor.source]
        cdef const CandidateC* candidate = &self.state.candidates[i]
        cdef int first = self.system.first_class[t]
        cdef const TransitionC* transition = &self.system.c.transitions[t]
        cdef const ForbiddenC* forbidden = beam.forbidden
        cdef bint optimal = h.correct, has_valid = False
        cdef int k = first - 1, end = first + n_classes_of(self.system, t)
        cdef int head, dependent
        if forbidden != NULL and not find_arc(
                &self.system.c, &h.c, transition, candidate.anchor, &head, &dependent):
            forbidden = NULL
        if forbidden != NULL and forbids_arc(forbidden, &h.c, head, dependent):
            return False
        while True:
            k += 1
            # Most classes have no place in the beam, and to ask the rules takes longer than this.
            if not judged and (has_valid or not ruled):
                k = find_hopeful(beam, candidate.scores, k, end, base)
            if k >= end:
                return has_valid
            if judged:
                optimal = self.state.targets[i * self.state.width + k] == OPTIMAL
            if options.constrained and not optimal:
                continue
            if forbidden != NULL and forbids_label(
                    forbidden, head, dependent, self.system.class_label[k]
                    if is_arc(transition) else h.c.remembered[dependent]):
                continue
            if ruled and not is_valid(&self.system.c, &h.c, transition, candidate.anchor,
                                      self.system.class_label[k]):
                continue
            has_valid = True
            successor.score = base + candidate.scores[k]
            successor.class_score = candidate.scores[k]
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
                highest = max(highest, self._highest(i, t))
        for i in range(self.state.n_candidates):
            for t in range(self.system.c.n_transitions):
                if self._n_legal(i, t):
                    total += exp_scores(
                        self.state.exps,
                        self.state.candidates[i].scores + self.system.first_class[t],
                        n_classes_of(self.system, t), highest)
        return highest + log(total)

    cdef int step(self, BeamC* beam) except -1 nogil:
        return self.advance(beam, self.record.scores.data(), self.state.width)


def search(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], settings: BeamSettings,
    boundaries: NDArray[numpy.int32] | None = None, fixed: tuple[NDArray, NDArray] | None = None,
    Oracle oracle=None, int threads=1, forbidden: Sequence[Forbidden | None] | None = None,
    rules: WordRules | None = None, begun: Sequence[NDArray[numpy.int32]] | None = None,
    most: int | None = None,
) -> list[list[tuple[float, NDArray, NDArray, NDArray]]]:
    """Parse sentences with beam search.

    Args:
        vectors: as for greedy.parse.
        lengths: as for greedy.parse.
        boundaries: as for greedy.parse.
        threads: as for greedy.parse.
        settings: BeamSettings.
        fixed: heads and labels that are fixed in advance, two (n_words,) int32 arrays, with -1
            where the parser decides.
        oracle: says which transitions lose a fixed arc; they are not taken.
        forbidden: for each sentence a Forbidden or None. No transition makes a forbidden arc, but a
            tree may still have a forbidden root or break a subtree, which `Forbidden.allows` finds.
        rules: as for greedy.parse. What is fixed or forbidden comes before them.
        begun: for each sentence the choices of a greedy search that this one begins behind, as
            `greedy.parse_by_rules` returns them; None to begin at the first words.
        most: how many trees of a sentence are returned at most; None for all in its beam.

    Returns:
        For each sentence a list of (score, heads, labels, starts), the best first, with arrays as
        of greedy.parse. A tree with several derivations is listed once. The list is empty if no
        derivation has all fixed arcs. A sentence without words has one empty tree.

    Raises:
        ValueError: For arguments that do not belong together.
        TypeError: For arguments that do not belong together.
    """
    nothing = numpy.zeros((0,), dtype="i")
    results = [[(0.0, nothing, nothing, nothing.astype(bool))] for _ in lengths]
    _search_batch(results, system, scorer, vectors, lengths, settings, boundaries, fixed, oracle,
                  threads, forbidden, rules, begun, most, False)
    return results


def derive(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer], settings: BeamSettings,
    boundaries: NDArray[numpy.int32] | None = None, fixed: tuple[NDArray, NDArray] | None = None,
    Oracle oracle=None, int threads=1, forbidden: Sequence[Forbidden | None] | None = None,
    rules: WordRules | None = None, begun: Sequence[NDArray[numpy.int32]] | None = None,
    most: int | None = None,
) -> list[list[tuple[float, NDArray[numpy.int32]]]]:
    """The choices that lead to the trees of `search`. Arguments and errors are those of `search`.

    Returns:
        For each sentence a list of (score, choices), one for each tree; choices as of
        `greedy.derive`.
    """
    results = [[(0.0, numpy.zeros((0, 2), dtype="i"))] for _ in lengths]
    _search_batch(results, system, scorer, vectors, lengths, settings, boundaries, fixed, oracle,
                  threads, forbidden, rules, begun, most, True)
    return results


def _search_batch(results, TransitionSystem system, Scorer scorer, vectors, lengths, settings,
                  boundaries, fixed, Oracle oracle, int threads, forbidden, rules,
                  begun, most, bint as_choices):
    # Puts the trees, or the choices, of each sentence that has words into its place in `results`.
    check_classes(system, scorer)
    if not isinstance(settings, BeamSettings):
        raise TypeError(f"Settings of a beam are BeamSettings, not {type(settings).__name__}")
    if fixed is not None:
        fixed = _check_fixed(fixed, len(vectors), oracle)
    _check_forbidden(forbidden, system.n_labels, lengths)
    batch = Batch(scorer, vectors, lengths, boundaries, rules)
    for sentences, parses in batch.parse(
            lambda blocks: _search_blocks(
                system, scorer, blocks, settings, fixed, oracle, forbidden, begun,
                settings.width if most is None else most, as_choices),
            False, threads):
        for i, trees in zip(sentences, parses):
            results[i] = trees


def _search_blocks(TransitionSystem system, Scorer scorer, blocks, settings, fixed, Oracle oracle,
                   forbidden, begun, int most, bint as_choices):
    for block in blocks:
        arcs = None if fixed is None else [values[block.words] for values in fixed]
        bans = None if forbidden is None else [forbidden[i] for i in block.sentences]
        choices = () if begun is None else [begun[i] for i in block.sentences]
        yield block.sentences, _search_block(
            system, scorer, block, settings, arcs, oracle, bans, choices, most, as_choices)


def _check_fixed(fixed, n_words, oracle):
    # Fixed heads and labels as two (n_words,) int32 arrays. Raises ValueError or TypeError.
    if oracle is None:
        raise TypeError("Fixed arcs need an oracle that says what loses them")
    heads, labels = (numpy.asarray(values) for values in fixed)
    for values in (heads, labels):
        if values.shape != (n_words,) or (n_words and values.dtype.kind not in "iu"):
            raise ValueError(f"Fixed heads and labels must be whole numbers, one for each of "
                             f"{n_words} words")
    return heads.astype("i"), labels.astype("i")


def _check_forbidden(forbidden, int n_labels, lengths):
    # Raises ValueError or TypeError unless each sentence has None or a Forbidden that fits.
    cdef Forbidden checked
    if forbidden is None:
        return
    if len(forbidden) != len(lengths):
        raise ValueError(f"{len(forbidden)} Forbidden for {len(lengths)} sentences")
    for of_sentence, n_words in zip(forbidden, lengths):
        if of_sentence is not None:
            checked = of_sentence
            if (checked.c.n_words, checked.c.n_labels) != (n_words, n_labels):
                raise ValueError(f"A Forbidden of {checked.c.n_words} words and "
                                 f"{checked.c.n_labels} labels for {n_words} words and "
                                 f"{n_labels} labels")


def _search_block(TransitionSystem system, Scorer scorer, block, settings, fixed, Oracle oracle,
                  forbidden, begun, int most, bint as_choices):
    lengths = block.lengths
    cdef BeamSearch beams = BeamSearch(system, lengths, scorer, settings.width,
                                       block.boundaries)
    if forbidden is not None:
        beams.forbid(forbidden)
    beams.restrict(block.rules)
    for i, choices in enumerate(begun):
        beams.begin(i, choices)
    cdef LowerLayer lower = LowerLayer(scorer, len(block.vectors))
    lower.start(block.vectors)
    cdef SearchOptionsC options
    cdef CompiledOracle ready
    cdef GoldTrees trees
    cdef const GoldC* gold = NULL
    options.normalised = settings.is_normalised
    options.learning = False
    options.threshold = log(settings.density) if settings.density > 0 else -INFINITY
    options.constrained = fixed is not None
    options.dropout = 0
    options.random = 1
    if options.constrained:
        trees = GoldTrees(lengths, *fixed, system.parameters.root != "none")
        check_gold(system, trees, trees.n_words)
        gold = trees.c
        ready = oracle.compile(system, trees.longest)
        ready.c.constrained = True
        options.oracle = &ready.c
    with nogil:
        search_all(beams, &scorer.c, &lower.c, &options, gold)
    if fixed is None:
        return [beams._results(i, most, as_choices) for i in range(beams.n_sentences)]
    ends = numpy.cumsum(lengths)[: beams.n_sentences - 1]
    return [beams._results(i, most, as_choices, *arcs)
            for i, arcs in enumerate(zip(*(numpy.split(values, ends) for values in fixed)))]


cdef int search_all(BeamSearch beams, const ScorerC* scorer, LowerC* lower, SearchOptionsC* options,
                    const GoldC* gold) except -1 nogil:
    # Takes all steps of a block. gold: the fixed arcs of each sentence, or NULL.
    cdef WatchC watch = WatchC(0, 0)
    cdef int i, n_active = 1
    while n_active:
        n_active = 0
        beams.score_new(scorer, lower, options)
        for i in range(beams.n_sentences):
            if beams.beams[i].done:
                continue
            check_signals(&watch)
            beams.expand(&beams.beams[i], options, &gold[i] if gold else NULL)
            beams.step(&beams.beams[i])
            n_active += not beams.beams[i].done
    return 0
