"""The successors of the hypotheses of a beam; see successors.pxd."""

cimport cython
from libc.math cimport INFINITY, exp, fabs, log

from ..machine.configuration cimport NONE, TOP
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport TransitionC, is_arc
from ..machine.transitions.dispatch cimport first_anchor, legal_transitions, n_anchors, next_anchor
from ..machine.valid cimport find_arc, is_valid
from ..kernels.kernels cimport exp_scores, find_at_least, find_highest_score
from ..network.lower_layer cimport LowerC
from ..network.scorer cimport Scorer, ScorerC
from ..oracles.gold cimport GoldC
from .beam_state cimport BeamC, BeamState, HypothesisC, SuccessorC, keep, note_correct
from .classes cimport n_classes_of
from .configuration_key cimport change_of_key
from .forbidden cimport ForbiddenC, forbids_arc, forbids_label
from .lockstep cimport label_of
from .loss cimport OPTIMAL, CandidateC, allocate_state, find_targets, list_candidates
from .record cimport Record, record_features, record_scores

cdef double ROUNDING = 1e-9     # more than the error of a sum of scores, as a share of them


cdef inline int find_hopeful(const BeamC* beam, const float* scores, int first, int end,
                             double base) noexcept nogil:
    # The first class whose score may bring it into the beam; `end` if there is none. Sums are
    # rounded, so that it takes a score that is a little too low as well.
    return find_at_least(scores, first, end,
                         beam.least - base - ROUNDING * (1 + fabs(beam.least) + fabs(base)))


cdef inline int sort_in(double* best, int width, int n, double score) noexcept nogil:
    # Sorts a score into the n best ones, of which there are at most `width`. Returns how many
    # there are then.
    cdef int i = n
    if n == width:
        if score <= best[n - 1]:
            return n
        i -= 1
    else:
        n += 1
    while i > 0 and best[i - 1] < score:
        best[i] = best[i - 1]
        i -= 1
    best[i] = score
    return n


@cython.final
cdef class BeamSearch(BeamState):
    """The beams of a batch of sentences, which take their steps together."""

    def __cinit__(self, TransitionSystem system not None, int[::1] lengths not None,
                  Scorer scorer not None, int width, int[::1] boundaries not None):
        if system.c.shape.graph:
            raise ValueError(f"System '{system.parameters.name}' builds graphs, which are parsed "
                             "greedily, without a beam")
        self.record = Record(has_gradient=False)
        longest = max(lengths) if self.n_sentences else 0
        cdef size_t n = longest + 1 if system.c.anchored else 1
        allocate_state(&self.state, self.memory, &system.c, n, scorer.c.width)
        self.state.optimal_alone = True
        self.best = <double*>self.memory.alloc(width, sizeof(double))

    cdef int score_new(self, const ScorerC* scorer, LowerC* lower,
                       SearchOptionsC* options) except -1 nogil:
        cdef BeamC* beam
        cdef HypothesisC* h
        cdef int i, k, anchor, cell, n = 0
        if not options.learning:
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
        self._weigh_rows(self.record.rows - n, options.normalised)
        return 0

    cdef int _weigh_rows(self, size_t first, bint normalised) except -1 nogil:
        # Finds `highest` and, for normalised scores, `exps` of the rows from `first` on.
        cdef int T = self.system.c.n_transitions
        cdef const float* scores
        cdef size_t row
        cdef int t, n
        self.highest.resize(max(self.highest.size(), self.record.rows * T))
        self.exps.resize(self.highest.size())
        for row in range(first, self.record.rows):
            for t in range(T):
                n = n_classes_of(self.system, t)
                scores = (self.record.scores + row * self.state.width
                          + self.system.first_class[t])
                self.highest[row * T + t] = find_highest_score(scores, n)
                if normalised:
                    self.exps[row * T + t] = exp_scores(
                        self.state.exps, scores, n, self.highest[row * T + t])
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
        if self.record.rows < 2 * self.n_kept:
            return 0
        self.new_row.assign(self.record.rows, NONE)
        self._for_rows(True)
        self.keep_marked(scorer)
        self._for_rows(False)
        self.n_kept = self.record.rows
        return 0

    cdef void keep_marked(self, const ScorerC* scorer) noexcept nogil:
        cdef size_t row
        cdef int n = 0
        cdef int t, T = self.system.c.n_transitions
        for row in range(self.record.rows):
            if self.new_row[row] != NONE:
                self.record.move(scorer, row, n)
                for t in range(T):
                    self.highest[n * T + t] = self.highest[row * T + t]
                    self.exps[n * T + t] = self.exps[row * T + t]
                self.new_row[row] = n
                n += 1
        self.record.rows = n

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
        cdef double worst, least = self._look_ahead(beam, options)
        self._list_successors(beam, least, options, gold)
        if least > -INFINITY and (beam.n_successors < beam.width
                                  or beam.successors[beam.width - 1].score < least):
            # Not all the classes that were looked at may be taken.
            self._list_successors(beam, -INFINITY, options, gold)
        if beam.n_successors:
            worst = beam.successors[0].score + options.threshold
            while beam.successors[beam.n_successors - 1].score < worst:
                beam.n_successors -= 1

    cdef double _look_ahead(self, BeamC* beam, const SearchOptionsC* options) noexcept nogil:
        # Sets the base of each hypothesis. Returns the score of the worst successor in the next
        # beam if that has only the best class of each transition, and if all these may be taken:
        # then the beam that has all classes is at least as good.
        cdef HypothesisC* h
        cdef int k, n = 0
        for k in range(beam.n):
            h = &beam.now[k]
            h.base = h.score
            if not h.finished:
                self._list_candidates(h)
                if options.normalised:
                    h.base -= self._log_total(h)
            if not h.outside:
                n = self._note_best(h, beam.width, n)
        if options.constrained or n < beam.width:
            return -INFINITY
        return self.best[beam.width - 1]

    cdef int _note_best(self, const HypothesisC* h, int width, int n) noexcept nogil:
        # Sorts the best scores of a hypothesis into the n best ones so far, of which there are at
        # most `width`. Returns how many there are then.
        cdef int i, t
        if h.finished:
            return sort_in(self.best, width, n, h.score)
        for i in range(self.state.n_candidates):
            for t in range(self.system.c.n_transitions):
                if self._is_legal(h, i, t):
                    n = sort_in(self.best, width, n, h.base + self._highest(i, t))
        return n

    cdef void _list_successors(self, BeamC* beam, double least, const SearchOptionsC* options,
                               const GoldC* gold) noexcept nogil:
        # Fills the successors with the best ones. Those with scores below `least` may be left out.
        cdef int k
        beam.n_successors = 0
        beam.has_correct = False
        beam.least = least
        for k in range(beam.n):
            self._expand_one(beam, k, options, gold)

    cdef void _list_candidates(self, HypothesisC* h) noexcept nogil:
        # Lists the anchors of a hypothesis, and the legal transitions of several anchors. Those of
        # one anchor are known since `_settle`.
        cdef const CandidateC* candidate
        cdef int i
        list_candidates(&self.state, &self.system.c, &h.c, h.row_of, self.record)
        if self.system.c.anchored:
            for i in range(self.state.n_candidates):
                candidate = &self.state.candidates[i]
                legal_transitions(&self.system.c, &h.c, candidate.anchor, candidate.position,
                                  h.legal + i * self.system.c.n_transitions)

    cdef bint _is_legal(self, const HypothesisC* h, int i, int t) noexcept nogil:
        # Whether a transition of the i-th candidate is legal.
        return h.legal[i * self.system.c.n_transitions + t]

    cdef float _highest(self, int i, int t) noexcept nogil:
        # The best score among the classes of a transition of the i-th candidate.
        return self.highest[self.state.candidates[i].row * <size_t>self.system.c.n_transitions + t]

    cdef double _log_total(self, const HypothesisC* h) noexcept nogil:
        # The log of the sum of the exponentials of all legal scores.
        cdef double total = 0
        cdef float highest = -INFINITY
        cdef int i, t, T = self.system.c.n_transitions
        for i in range(self.state.n_candidates):
            for t in range(T):
                if self._is_legal(h, i, t):
                    highest = max(highest, self._highest(i, t))
        for i in range(self.state.n_candidates):
            for t in range(T):
                if self._is_legal(h, i, t):
                    total += (self.exps[self.state.candidates[i].row * <size_t>T + t]
                              * exp(self._highest(i, t) - highest))
        return highest + log(total)

    cdef void _expand_one(self, BeamC* beam, int source, const SearchOptionsC* options,
                          const GoldC* gold) noexcept nogil:
        cdef HypothesisC* h = &beam.now[source]
        cdef bint judged = options.constrained or (options.learning and h.correct)
        cdef SuccessorC successor
        successor.source = source
        if h.finished:
            successor.score, successor.class_score, successor.correct = h.score, 0, h.correct
            successor.index, successor.row, successor.anchor = NONE, 0, TOP
            successor.key = h.key
            keep(beam, &successor, h.outside)
            if h.correct:
                note_correct(beam, &successor)
            return
        list_candidates(&self.state, &self.system.c, &h.c, h.row_of, self.record)
        if judged:
            find_targets(&self.state, self.system, &h.c, gold, options.oracle)
        if not self._add_all(beam, &successor, judged, h.c.rules != NULL, options):
            # The rules about dependents yield where they leave nothing.
            self._add_all(beam, &successor, judged, False, options)
        if judged and not options.constrained:
            # The best correct successor is noted also if it has no place in the beam.
            self._describe(beam, &successor, self.state.best_optimal // self.state.width,
                           self.state.best_optimal % self.state.width, True)
            note_correct(beam, &successor)

    cdef bint _add_all(self, BeamC* beam, SuccessorC* successor, bint judged, bint ruled,
                       const SearchOptionsC* options) noexcept nogil:
        # Adds the classes of all candidates. Returns whether the rules leave some, or do not count.
        cdef const HypothesisC* h = &beam.now[successor.source]
        cdef bint has_valid = not ruled
        cdef int i, t
        for i in range(self.state.n_candidates):
            for t in range(self.system.c.n_transitions):
                if not self._is_legal(h, i, t):
                    continue
                # What has no place in the beam still tells whether the rules leave something.
                if (options.constrained or not has_valid
                        or h.base + self._highest(i, t) >= beam.least):
                    has_valid |= self._add_successors(
                        beam, successor, i, t, judged, ruled, options)
        return has_valid

    cdef bint _add_successors(self, BeamC* beam, SuccessorC* successor, int i, int t,
                              bint judged, bint ruled,
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
            if not options.constrained and (has_valid or not ruled):
                k = find_hopeful(beam, candidate.scores, k, end, h.base)
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
            self._describe(beam, successor, i, k, h.correct and optimal)
            keep(beam, successor, h.outside)

    cdef void _describe(self, const BeamC* beam, SuccessorC* successor, int i, int k,
                        bint correct) noexcept nogil:
        # Says what class k of the i-th candidate makes of the successor's source.
        cdef const HypothesisC* h = &beam.now[successor.source]
        cdef const CandidateC* candidate = &self.state.candidates[i]
        successor.label = label_of(self.system, &h.c, k, candidate.scores, beam.forbidden)
        successor.key = h.key + change_of_key(
            &self.system.c, &h.c, &self.system.c.transitions[self.system.class_transition[k]],
            candidate.anchor, successor.label)
        successor.score = h.base + candidate.scores[k]
        successor.class_score = candidate.scores[k]
        successor.anchor = candidate.anchor
        successor.row = candidate.row
        successor.index = k
        successor.correct = correct

    cdef int step(self, BeamC* beam) except -1 nogil:
        return self.advance(beam)
