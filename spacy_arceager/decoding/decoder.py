"""A decoder runs the searches of a parser: from vectors to trees, derivations, confidences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..annotation.forbidden import constrained_words, has_constraints, refuse_impossible
from ..annotation.layout import slices
from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..search.beam_tree import BeamTree
from ..search.derivation import ScoredStep, log_probability
from ..search.greedy import derive_by_rules, parse_by_rules
from ..search.replay import replay
from ..search.settings import BeamSettings
from .confidence import Confidences, confidences_of_steps, confidences_of_trees, with_fixed
from .constrained import search_constrained, search_plan
from .encoding import Encoded
from .lifted import are_marked, put_back
from .plan import (
    SearchPlan,
    find_boundaries,
    lengths_of,
    plan_search,
    plan_without_constraints,
    put,
)

# The beam for a unit in which greedy search would break a rule about dependents. There the best
# transition is not the best one left, and a single wrong one more costs more than the rule brings.
# What helps is often another choice some steps before, so the beam begins that many before.
RULED_BEAM = BeamSettings(width=3, density=0.01)
STEPS_BACK = 32


class ScoredDerivation(NamedTuple):
    """How a model derived a unit.

    Attributes:
        score: the log of the derivation's probability, or the sum of its scores if the model was
            trained with a beam.
        words: the token indices of the words.
        steps: all transitions. Labels may have the marks of lifted arcs. Where all heads were fixed
            and the system cannot derive them, the steps build the lifted tree.
    """

    score: float
    words: list[int]
    steps: list[ScoredStep]


class BestDerivation(NamedTuple):
    """The best derivation of a unit, before it is replayed.

    Attributes:
        score: see `ScoredDerivation`; None after greedy search, which does not add scores up.
        choices: (n_choices, 2) class and anchor of each transition that was chosen.
    """

    score: float | None
    choices: NDArray


@dataclass(frozen=True)
class Decoder:
    """A transition system and a scorer that search together.

    No method changes a Doc. All methods raise ConstraintError where no tree meets the constraints
    of a Doc.

    Attributes:
        beam: the beam for units without constraints, None for greedy search. Units with constraints
            are searched with a wide beam, see `constrained`.
        threads: how many threads share the units.
    """

    system: TransitionSystem
    scorer: Scorer
    beam: BeamSettings | None = None
    threads: int = 1

    def decode(self, encoded: Encoded) -> tuple[NDArray, NDArray, NDArray]:
        """The heads, labels and sentence starts of all words, in the form of `greedy.parse`.

        Labels of words with constraints are numbered from n_labels on, see `without_marks`.
        """
        constrained = any(map(has_constraints, encoded.docs))
        if self.beam is None and not constrained:
            return self._decode_greedily(encoded)
        best = [trees[0] for trees in self.search(encoded, most=1)]
        heads, labels, starts = map(numpy.concatenate, zip(*(tree[1:4] for tree in best)))
        if constrained:
            words = map(constrained_words, encoded.docs, encoded.layouts)
            labels = without_marks(labels, numpy.concatenate([*words]), self.system.n_labels)
        self._put_back(encoded, heads, labels)
        return heads, labels, starts

    def _decode_greedily(self, encoded: Encoded) -> tuple[NDArray, NDArray, NDArray]:
        """Greedy search, and a beam for the units in which it would break a rule."""
        boundaries = find_boundaries(encoded, self.system.parameters.segment)
        plan = plan_without_constraints(encoded, boundaries, self.threads)
        *arrays, refused = self._parse_by_rules(encoded.vectors, plan)
        parses = self._search_refused(encoded.vectors, plan, refused, most=1)
        for unit, trees in zip(refused, parses):
            for values, new in zip(arrays, trees[0][1:4]):
                values[plan.spans[unit]] = new
        heads, labels, starts = arrays
        self._put_back(encoded, heads, labels)
        return heads, labels, starts

    def _parse_by_rules(
        self, vectors: NDArray, plan: SearchPlan
    ) -> tuple[NDArray, NDArray, NDArray, dict[int, NDArray]]:
        """Parse the units of a plan greedily.

        The last value are those that the rules refuse, each with the choices before that.
        """
        return parse_by_rules(
            self.system, self.scorer, vectors, plan.lengths, plan.boundaries, self.threads,
            plan.rules,
        )

    def _search_refused(
        self, vectors: NDArray, plan: SearchPlan, refused: Mapping[int, NDArray],
        most: int | None,
    ) -> list[list[BeamTree]]:
        """The trees of those units of a plan in which greedy search would break a rule."""
        if not refused:
            return []
        words = plan.words_of([*refused])
        return search_plan(
            self.system, self.scorer, vectors[words], plan_refused(plan, refused), most
        )

    def _search_free(
        self, vectors: NDArray, plan: SearchPlan, most: int | None
    ) -> list[list[BeamTree]]:
        """The trees of all units of a plan, which have no constraints."""
        trees = search_plan(self.system, self.scorer, vectors, plan, most)
        if self.beam is None and plan.rules is not None:
            refused = self._parse_by_rules(vectors, plan)[3]
            put(trees, [*refused], self._search_refused(vectors, plan, refused, most))
        return trees

    def _put_back(self, encoded: Encoded, heads: NDArray, labels: NDArray) -> None:
        """Put lifted arcs back, in place. Without rules that is left to the caller."""
        rules, marked = encoded.rules, are_marked(self.system, labels)
        if rules is None or not marked.any():
            return
        for span in slices(lengths_of(encoded.layouts).tolist()):
            if marked[span].any():
                heads[span], labels[span] = put_back(
                    self.system, rules.of_words(span), heads[span], labels[span]
                )

    def search(self, encoded: Encoded, most: int | None = None) -> list[list[BeamTree]]:
        """The trees in the beam of each unit of all Docs, the best first.

        Args:
            most: how many trees of a unit without constraints are wanted; None for all.
        """
        plan = plan_search(self.system, encoded, self.beam, self.threads)
        free, constrained = plan.split_units()
        if not constrained:
            return self._search_free(encoded.vectors, plan, most)
        trees: list[list[BeamTree]] = [[] for _ in plan.lengths]
        if free:
            vectors = encoded.vectors[plan.words_of(free)]
            put(trees, free, self._search_free(vectors, plan.of_units(free), most))
        vectors, asked = encoded.vectors[plan.words_of(constrained)], plan.of_units(constrained)
        found = search_constrained(self.system, self.scorer, vectors, asked)[1]
        put(trees, constrained, found)
        self._check_complete(encoded, plan, trees)
        return trees

    def derive(self, encoded: Encoded, temperature: float = 1) -> list[list[ScoredDerivation]]:
        """The derivation of each unit of each Doc.

        Args:
            temperature: scores are divided by it before they become probabilities.
        """
        plan = plan_search(self.system, encoded, self.beam, self.threads)
        free, constrained = plan.split_units()
        derived: list[BestDerivation | None] = [None for _ in plan.lengths]
        if free:
            derive = self._derive_greedily if self.beam is None else self._derive_by_beam
            vectors = encoded.vectors[plan.words_of(free)]
            put(derived, free, derive(vectors, plan.of_units(free)))
        followed = plan
        if constrained:
            of_units, found = self._derive_constrained(encoded, plan, constrained)
            followed = plan.with_units(constrained, of_units)
            put(derived, constrained, found)
        self._check_complete(encoded, plan, derived)
        return [*self._replay(encoded, followed, derived, temperature)]

    def confidences(self, encoded: Encoded, temperature: float) -> list[Confidences]:
        """How likely the head and the label of each word are right, for each Doc.

        Args:
            temperature: scores are divided by it before they become probabilities.
        """
        if self.beam is None:
            of_units = [
                [confidences_of_steps(self.system, len(words), steps) for _, words, steps in of_doc]
                for of_doc in self.derive(encoded, temperature)
            ]
        else:
            trees = iter(self.search(encoded))
            of_units = [
                [
                    confidences_of_trees(next(trees), self.system.labels, temperature)
                    for _ in layout.lengths
                ]
                for layout in encoded.layouts
            ]
        found = [
            Confidences(
                [value for unit in units for value in unit.heads],
                [value for unit in units for value in unit.labels],
            )
            for units in of_units
        ]
        return [
            with_fixed(of_doc, doc, layout.words.tolist())
            for of_doc, doc, layout in zip(found, encoded.docs, encoded.layouts)
        ]

    def _derive_greedily(self, vectors: NDArray, part: SearchPlan) -> list[BestDerivation]:
        """The greedy derivation of all units of a plan, or that of a beam where rules refuse it."""
        choices, refused = derive_by_rules(
            self.system, self.scorer, vectors, part.lengths, part.boundaries, self.threads,
            part.rules,
        )
        derived = [BestDerivation(None, of_unit) for of_unit in choices]
        if refused:
            words = part.words_of([*refused])
            new = self._derive_by_beam(vectors[words], plan_refused(part, refused))
            put(derived, [*refused], [of_unit._replace(score=None) for of_unit in new])
        return derived

    def _derive_by_beam(self, vectors: NDArray, part: SearchPlan) -> list[BestDerivation]:
        trees = search_plan(
            self.system, self.scorer, vectors, part, most=1, with_choices=True)
        return [best_derivation(of_unit) for of_unit in trees]

    def _derive_constrained(
        self, encoded: Encoded, plan: SearchPlan, units: Sequence[int]
    ) -> tuple[SearchPlan, list[BestDerivation | None]]:
        """The best derivation of each of these units with constraints; None where there is none.

        The first value is the plan of these units that was followed in the end.
        """
        vectors, asked = encoded.vectors[plan.words_of(units)], plan.of_units(units)
        followed, trees = search_constrained(
            self.system, self.scorer, vectors, asked, with_choices=True)
        return followed, [best_derivation(of_unit) if of_unit else None for of_unit in trees]

    def _replay(
        self,
        encoded: Encoded,
        plan: SearchPlan,
        derived: Sequence[BestDerivation | None],
        temperature: float,
    ) -> Iterator[list[ScoredDerivation]]:
        """Take the choices again and note the scores of all legal transitions, Doc by Doc."""
        units = zip(plan.spans, derived, plan.forbidden)
        for layout in encoded.layouts:
            of_doc = []
            for words in slices(layout.lengths.tolist()):
                span, of_unit, forbidden = next(units)
                assert of_unit is not None
                steps = replay(
                    self.system, self.scorer, encoded.vectors[span], of_unit.choices,
                    plan.boundaries[span], temperature,
                    None if plan.rules is None else plan.rules.of_words(span),
                    forbidden, plan.labels[span],
                )
                score = log_probability(steps) if of_unit.score is None else of_unit.score
                of_doc.append(ScoredDerivation(score, layout.words[words].tolist(), steps))
            yield of_doc

    def _check_complete(
        self, encoded: Encoded, plan: SearchPlan, results: Sequence[object]
    ) -> None:
        """Raise ConstraintError for the first unit whose entry in `results` is empty."""
        if all(results):
            return
        units = zip(plan.spans, results)
        for doc, layout in zip(encoded.docs, encoded.layouts):
            for words in slices(layout.lengths.tolist()):
                span, result = next(units)
                if not result:
                    refuse_impossible(
                        doc, layout.words[words], plan.heads[span], self.system.parameters
                    )


def plan_refused(plan: SearchPlan, refused: Mapping[int, NDArray]) -> SearchPlan:
    """The plan of the units in which greedy search would break a rule, with a beam.

    Args:
        refused: for each of these units, the choices before the one that would break a rule.
    """
    begun = [choices[: max(0, len(choices) - STEPS_BACK)] for choices in refused.values()]
    return replace(plan.of_units([*refused]), beam=RULED_BEAM, begun=begun)


def best_derivation(trees: Sequence[BeamTree]) -> BestDerivation:
    """The derivation of the first of a unit's trees, which must have choices."""
    choices = trees[0].choices
    assert choices is not None
    return BestDerivation(trees[0].score, choices)


def without_marks(labels: NDArray, is_constrained: NDArray, n_labels: int) -> NDArray:
    """Number the labels of words with constraints so that their marks are ignored.

    The mark of a lifted arc moves the arc to another head, but a word with a constraint has to keep
    the head that the search gave it. Its label gets the number `label + n_labels`, which stands for
    the same label without a mark.

    Args:
        labels: (n_words,) numbers of labels; -1 for roots, which stay as they are.
        is_constrained: (n_words,) bool, which words have a constraint.
    """
    return numpy.where(is_constrained & (labels >= 0), labels + n_labels, labels)
