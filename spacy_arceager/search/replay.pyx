"""Replay: a sentence is parsed again by the choices of an earlier search, with all scores."""

import numpy

from libc.math cimport INFINITY, exp

from ..machine.configuration cimport NONE, ConfigurationC
from ..machine.rules cimport WordRules
from ..machine.system cimport Configuration, TransitionSystem
from ..machine.transitions.arc cimport RIGHT
from ..machine.transitions.dispatch cimport (
    apply_transition, first_anchor, is_terminal, legal_transitions, n_anchors, next_anchor,
)
from ..machine.valid import restrict
from ..kernels.kernels cimport exp_scores, find_highest_score
from ..network.lower_layer cimport LowerLayer
from ..network.scorer cimport Scorer
from .blocks import check_boundaries
from .classes cimport best_class, n_classes_of
from .derivation import Option, ScoredStep
from .forbidden cimport Forbidden, ForbiddenC
from .lockstep cimport check_classes, label_of, only_transition, start_flag
from .record cimport Record, record_features, record_scores


cdef class Replay:
    """A sentence that is parsed step by step by given choices. Arguments are those of `replay`."""

    cdef TransitionSystem system
    cdef Scorer scorer
    cdef Configuration configuration
    cdef LowerLayer lower
    cdef Record record
    cdef int[::1] legal       # (n_transitions,) scratch
    cdef float[::1] exps      # (n_classes,) scratch
    cdef float[::1] scaled    # (n_classes,) scratch: scores over the temperature
    cdef float inverse_temperature
    cdef float highest        # the best score of a legal class
    cdef Forbidden forbidden
    cdef const ForbiddenC* c_forbidden
    cdef int[::1] fixed_labels    # (n_words,), or None

    def __cinit__(
        self, TransitionSystem system not None, Scorer scorer not None,
        vectors: NDArray[numpy.float32], boundaries: NDArray[numpy.int32] | None,
        double temperature=1, WordRules rules=None, Forbidden forbidden=None,
        labels: NDArray[numpy.integer] | None = None,
    ):
        cdef int word
        cdef int[::1] flags = check_boundaries(boundaries, len(vectors))
        check_classes(system, scorer)
        self.system = system
        self.scorer = scorer
        self.configuration = system.initial(len(vectors))
        for word in range(1, len(vectors)):
            self.configuration.c.is_start[word] = start_flag(flags[word])
        if rules is not None:
            restrict(self.configuration, rules)
        self.lower = LowerLayer(scorer, len(vectors))
        self.lower.start(vectors)
        self.legal = numpy.zeros((system.c.n_transitions,), dtype="i")
        self.exps = numpy.zeros((system.n_classes,), dtype="f")
        self.scaled = numpy.zeros((system.n_classes,), dtype="f")
        self.inverse_temperature = 1 / temperature
        self.forbidden = forbidden
        self.c_forbidden = NULL
        if forbidden is not None:
            if forbidden.c.n_words != len(vectors):
                raise ValueError(f"Forbidden arcs of {forbidden.c.n_words} words, not of "
                                 f"{len(vectors)}")
            self.c_forbidden = &forbidden.c
        if labels is not None:
            if len(labels) != len(vectors):
                raise ValueError(f"{len(labels)} fixed labels for {len(vectors)} words")
            self.fixed_labels = numpy.ascontiguousarray(labels, dtype="i")

    @property
    def is_over(self) -> bool:
        return bool(is_terminal(&self.system.c, &self.configuration.c))

    def forced_step(self) -> ScoredStep | None:
        """Take the next transition if there is nothing to decide, otherwise return None."""
        cdef ConfigurationC* c = &self.configuration.c
        cdef int only = only_transition(self.system, c, &self.legal[0])
        if only == NONE:
            return None
        apply_transition(&self.system.c, c, &self.system.c.transitions[only],
                         first_anchor(&self.system.c, c), NONE)
        return ScoredStep(self.system.transitions[only], None, [], None)

    def step(self, int index, int anchor) -> ScoredStep:
        """Take the transition of a class at an anchor.

        Raises:
            ValueError: Where it is not legal.
        """
        cdef ConfigurationC* c = &self.configuration.c
        cdef int position, label
        if not 0 <= index < self.system.n_classes:
            raise ValueError(f"{index} is no class of the system")
        self.score_anchors()
        options, taken, position = self.options(index, anchor)
        label = self.label_of_class(index, position)
        share = 1.0
        if label != self.system.class_label[index]:
            share = self.share_of_right(label, position)
        apply_transition(&self.system.c, c,
                         &self.system.c.transitions[self.system.class_transition[index]], anchor,
                         label)
        name = None if label == NONE else self.system.labels[label]
        return ScoredStep(taken.transition, name, options, taken, share)

    cdef double share_of_right(self, int label, int position) noexcept:
        # How likely a label is, given the RIGHT that scores it best.
        cdef const float* scores = self.scores_at(position)
        cdef const float* of_right = NULL
        cdef int t, k, n = self.system.n_labels
        for t in range(self.system.c.n_transitions):
            k = self.system.first_class[t]
            if self.system.c.transitions[t].move == RIGHT and (
                    of_right == NULL or scores[k + label] > of_right[label]):
                of_right = scores + k
        cdef double mass = self.mass_of(of_right, n, find_highest_score(of_right, n))
        return min(1.0, exp(self.scaled[label]) / mass)

    cdef double mass_of(self, const float* scores, int n, float highest) noexcept:
        # The sum of the exponentials of scores, whose differences to the highest fill `scaled`.
        cdef int k
        for k in range(n):
            self.scaled[k] = (scores[k] - highest) * self.inverse_temperature
        return exp_scores(&self.exps[0], &self.scaled[0], n, 0)

    cdef int label_of_class(self, int index, int position) noexcept:
        # The label of a class, or the one that a word which is shifted remembers.
        cdef const ConfigurationC* c = &self.configuration.c
        cdef int label = label_of(
            self.system, c, index, self.scores_at(position), self.c_forbidden)
        cdef bint is_remembered = label != self.system.class_label[index]
        if is_remembered and self.fixed_labels is not None and c.top < len(self.fixed_labels):
            return label if self.fixed_labels[c.top] == NONE else self.fixed_labels[c.top]
        return label

    cdef int score_anchors(self) except -1:
        # Records a row of scores for each anchor, the first one at the right end of O.
        cdef const ConfigurationC* c = &self.configuration.c
        cdef int n = n_anchors(&self.system.c, c)
        cdef int anchor = first_anchor(&self.system.c, c)
        cdef int i
        self.record = Record()
        self.record.reserve(&self.scorer.c, n)
        for i in range(n):
            record_features(self.record, &self.scorer.c, &self.lower.c, c, anchor, 0, i)
            anchor = next_anchor(c, anchor)
        record_scores(self.record, &self.scorer.c, &self.lower.c, n, 0, NULL)
        return 0

    cdef const float* scores_at(self, int position) noexcept:
        return self.record.scores + (position - 1) * <size_t>self.scorer.c.width

    cdef tuple options(self, int index, int chosen_anchor):
        # All options, the one of class `index` at the chosen anchor, and that anchor's position.
        cdef list legal = self.legal_classes(index, chosen_anchor)
        cdef const float* scores
        cdef float highest = self.highest
        cdef int t, position, best
        cdef double mass, total = 0
        masses = []
        for t, position, _, _ in legal:
            scores = self.scores_at(position) + self.system.first_class[t]
            mass = self.mass_of(scores, n_classes_of(self.system, t), highest)
            masses.append(mass)
            total += mass
        options = [self.option(t, position, best, score, highest, mass, total)
                   for (t, position, best, score), mass in zip(legal, masses)]
        for option, (t, position, best, _) in zip(options, legal):
            if best == index and self.configuration.anchor_at(position) == chosen_anchor:
                return options, option, position
        raise ValueError(f"{self.system.class_name(index)} is not legal here")

    cdef list legal_classes(self, int index, int chosen_anchor):
        # (transition, position, class, score) of each legal transition. The class is `index` for
        # the transition chosen at the chosen anchor, otherwise the best one. Fills `highest`.
        cdef const ConfigurationC* c = &self.configuration.c
        cdef int anchor = first_anchor(&self.system.c, c)
        cdef int chosen = self.system.class_transition[index]
        cdef const float* scores
        cdef int position, t, k
        classes = []
        self.highest = -INFINITY
        for position in range(1, n_anchors(&self.system.c, c) + 1):
            scores = self.scores_at(position)
            legal_transitions(&self.system.c, c, anchor, position, &self.legal[0])
            for t in range(self.system.c.n_transitions):
                if self.legal[t]:
                    k = best_class(self.system, t, scores, NONE)
                    self.highest = max(self.highest, scores[k])
                    if t == chosen and anchor == chosen_anchor:
                        k = index
                    classes.append((t, position, k, scores[k]))
            anchor = next_anchor(c, anchor)
        return classes

    cdef object option(self, int t, int position, int index, float score, float highest,
                       double mass, double total):
        cdef int label = self.system.class_label[index]
        return Option(
            self.system.transitions[t].at(position),
            None if label == NONE else self.system.labels[label],
            score, mass / total,
            min(1.0, exp((score - highest) * self.inverse_temperature) / mass if mass else 0))


def replay(
    TransitionSystem system not None, Scorer scorer not None, vectors: NDArray[numpy.float32],
    choices: NDArray[numpy.int32], boundaries: NDArray[numpy.int32] | None = None,
    double temperature=1, rules: WordRules | None = None, forbidden: Forbidden | None = None,
    labels: NDArray[numpy.integer] | None = None,
) -> list[ScoredStep]:
    """Parse a sentence again by the choices of an earlier search, and score all legal transitions.

    A search keeps no choice for a configuration in which only one transition is legal. Replay takes
    this transition without one.

    Args:
        vectors: as for `greedy.parse`, of the words of one sentence.
        choices: (n_choices, 2) class and anchor, as of `greedy.derive_by_rules`.
        boundaries: as for `greedy.parse`, of the words of one sentence.
        temperature: above 0; scores are divided by it before they become probabilities.
        rules: those of the search. Options are all that is legal, whatever the rules say.
        forbidden: what the search left out, for the labels that words remember; options as above.
        labels: (n_words,) labels that words must have, -1 where the parser decides; likewise.

    Returns:
        A ScoredStep for each transition.

    Raises:
        ValueError: For choices that do not make a derivation of this sentence, and for constraints
            of another number of words.
    """
    cdef Replay sentence = Replay(
        system, scorer, vectors, boundaries, temperature, rules, forbidden, labels)
    remaining = iter(numpy.asarray(choices).tolist())
    steps = []
    while not sentence.is_over:
        step = sentence.forced_step()
        if step is None:
            choice = next(remaining, None)
            if choice is None:
                raise ValueError("The choices end before the derivation does")
            step = sentence.step(*choice)
        steps.append(step)
    if next(remaining, None) is not None:
        raise ValueError("The derivation ends before the choices do")
    return steps
