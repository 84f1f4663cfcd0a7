"""From token vectors to trees: what of a Doc is parsed as one, and under which constraints."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..oracles.configured import constraint_oracle
from ..search.beam import derive as derive_by_beam
from ..search.beam import search
from ..search.derivation import ScoredStep, log_probability
from ..search.forbidden import Forbidden
from ..search.greedy import derive as derive_greedily
from ..search.greedy import parse
from ..search.replay import replay
from ..search.settings import BeamSettings
from ..annotation.boundaries import given_boundaries
from .completion import completed, nothing_fixed
from .confidence import Confidences, confidences_of_steps, confidences_of_trees
from ..annotation.fixed_arcs import fixed_arrays, has_fixed_arcs
from ..annotation.forbidden import (
    constrained_words,
    forbidden_of_units,
    has_constraints,
    refuse_constraints,
    refuse_impossible,
)
from ..annotation.layout import Layout, find_layout, first_words, given_layout, slices
from ..annotation.projective import undecorated

COLUMNS = (attrgetter("heads"), attrgetter("labels"))


class ScoredDerivation(NamedTuple):
    """How a model derived a sentence, or a Doc parsed as one.

    Attributes:
        score: the log of its probability; of a model that was trained with a beam, the sum of its
            scores.
        words: token indices.
        steps: labels may carry the marks of lifted arcs.
    """

    score: float
    words: list[int]
    steps: list[ScoredStep]


class Encoded(NamedTuple):
    """Docs whose words have their vectors, and how they are to be parsed.

    Attributes:
        layouts: what of each Doc is parsed as one, its units.
        vectors: (n_words, width), of all words of the layouts.
        beam: how to search; None is greedy.
        threads: that search.
        given: the layouts by the boundaries that constraints keep to; None for those that each
            Doc had before it was parsed.
    """

    docs: Sequence[Doc]
    layouts: Sequence[Layout]
    scorer: Scorer
    vectors: NDArray
    beam: BeamSettings | None
    threads: int = 1
    given: Sequence[Layout] | None = None


@dataclass
class DocDecoder:
    """Greedy or beam search over the words of Docs."""

    system: TransitionSystem
    encoded: Encoded

    def decode(self) -> tuple[NDArray, NDArray, NDArray]:
        """Heads, labels and sentence starts of all words; see `greedy.parse`.

        Raises:
            ConstraintError: Where no tree has what is fixed in advance and nothing forbidden.
        """
        docs, layouts, scorer, vectors, beam, threads, _ = self.encoded
        if beam is None and not any(map(has_constraints, docs)):
            starts = self._starts()
            return parse(self.system, scorer, vectors, lengths_of(layouts), starts, threads)
        best = [trees[0] for trees in self.search()]
        heads, labels, starts = map(numpy.concatenate, zip(*(tree[1:] for tree in best)))
        plain = numpy.concatenate([constrained_words(*pair) for pair in zip(docs, layouts)])
        return heads, plain_where_constrained(labels, plain, self.system.n_labels), starts

    def search(self) -> list[list[tuple[float, NDArray, NDArray, NDArray]]]:
        """The best trees of each unit; see `beam.search`. Errors as of `decode`."""
        how = self._how_to_search()
        asked = how["fixed"]
        found = self._search(how)
        self._check_found(asked, found)
        return found

    def _search(self, how: dict[str, Any]) -> list[list]:
        """The trees of each unit that have nothing forbidden.

        Where the search misses them all, `how` is changed: all arcs of a tree that has nothing
        forbidden are fixed.
        """
        found = search(self.system, self.encoded.scorer, self.encoded.vectors, **how)
        units = [*slices(how["lengths"])]
        for unit, forbidden in enumerate(how["forbidden"] or ()):
            if forbidden is None:
                continue
            found[unit] = [tree for tree in found[unit] if forbidden.allows(*tree[1:3])]
            if not found[unit]:
                found[unit] = self._complete(how, unit, units[unit])
        return found

    def _complete(self, how: dict[str, Any], unit: int, own: slice) -> list:
        # The trees of a unit that the search has missed, if there are any; see `completion`.
        scorer, vectors = self.encoded.scorer, self.encoded.vectors
        one = completed(self.system, scorer, vectors, how, unit, own)
        if one is None:
            return []
        (found,) = search(self.system, scorer, vectors[own], **one)
        found = [tree for tree in found if how["forbidden"][unit].allows(*tree[1:3])]
        if found:
            how["fixed"] = how["fixed"] or nothing_fixed(len(vectors))
            for values, given in zip(how["fixed"], one["fixed"]):
                values[own] = given
            how["boundaries"][own] = one["boundaries"]
            (how["forbidden"][unit],) = one["forbidden"]
        return found

    def _derive(self, how: dict[str, Any]) -> list[tuple[float, NDArray]]:
        """The score and the choices of the best tree of each unit."""
        model = self.system, self.encoded.scorer, self.encoded.vectors
        asked = how["fixed"]
        if how["forbidden"] is None:
            found = derive_by_beam(*model, **how)
            self._check_found(asked, found)
            return [ways[0] for ways in found]
        self._check_found(asked, self._search(how))
        trees, found = search(*model, **how), derive_by_beam(*model, **how)
        return [
            next(
                way for way, tree in zip(ways, of_unit)
                if forbidden is None or forbidden.allows(*tree[1:3])
            )
            for ways, of_unit, forbidden in zip(found, trees, how["forbidden"])
        ]

    def confidences(self, temperature: float) -> list[Confidences]:
        """How likely heads and labels of all words of each Doc are right.

        Args:
            temperature: what scores are divided by. Errors as of `decode`.
        """
        if self.encoded.beam is None:
            derived = self.derive(temperature)
            units = [
                [confidences_of_steps(self.system, len(one.words), one.steps) for one in found]
                for found in derived
            ]
        else:
            trees = iter(self.search())
            units = [
                [
                    confidences_of_trees(next(trees), self.system.labels, temperature)
                    for _ in layout.lengths
                ]
                for layout in self.encoded.layouts
            ]
        return [
            Confidences(*([value for one in unit for value in column(one)] for column in COLUMNS))
            for unit in units
        ]

    def derive(self, temperature: float = 1) -> list[list[ScoredDerivation]]:
        """The derivation of each unit of each Doc.

        Args:
            temperature: what scores are divided by for probabilities. Errors as of `decode`.
        """
        scores: list[float | None]
        _, layouts, scorer, vectors, beam, threads, _ = self.encoded
        how = self._how_to_search()
        lengths, boundaries = how["lengths"], how["boundaries"]
        if beam is None and how["fixed"] is None and how["forbidden"] is None:
            choices = derive_greedily(
                self.system, scorer, vectors, lengths, boundaries, threads
            )
            scores = [None] * len(choices)
        else:
            scores, choices = map(list, zip(*self._derive(how)))
        steps = [
            replay(self.system, scorer, vectors[own], chosen, boundaries[own], temperature)
            for own, chosen in zip(slices(lengths), choices)
        ]
        units = zip(scores, steps)
        return [
            [
                ScoredDerivation(
                    log_probability(taken) if score is None else score,
                    layout.words[own].tolist(), taken,
                )
                for own, (score, taken) in zip(slices(layout.lengths), units)
            ]
            for layout in layouts
        ]

    def _how_to_search(self) -> dict[str, Any]:
        """The arguments of `beam.search` behind the vectors."""
        docs, layouts = self.encoded.docs, self.encoded.layouts
        oracle = constraint_oracle(self.system.parameters)
        if oracle is None:
            refuse_constraints(
                docs, self.system.parameters.name, "no oracle says which transitions lose them"
            )
        indices = {label: i for i, label in enumerate(self.system.labels)}
        names = [*map(undecorated, self.system.labels)]
        given = self.encoded.given
        if given is None:
            given = [given_layout(doc, self.system.parameters.segment) for doc in docs]
        fixed = [fixed_arrays(*of_doc, indices) for of_doc in zip(docs, layouts, given)]
        forbidden: list[Forbidden | None] = []
        for of_doc in zip(docs, layouts, given):
            forbidden += forbidden_of_units(*of_doc, names)
        heads, labels, arcs_pass = (numpy.concatenate(column) for column in zip(*fixed))
        lengths = lengths_of(layouts)
        boundaries = numpy.maximum(self._starts(), arcs_pass)
        for own, one in zip(slices(lengths), forbidden):
            for first, last in () if one is None else one.subtrees.tolist():
                inside = boundaries[own][first + 1 : last + 1]
                numpy.maximum(inside, 1, out=inside)
        return {
            "lengths": lengths,
            "settings": self.encoded.beam or BeamSettings(width=1),
            "boundaries": boundaries,
            "fixed": (heads, labels) if any(map(has_fixed_arcs, docs)) else None,
            "oracle": oracle,
            "forbidden": forbidden if any(forbidden) else None,
            "threads": self.encoded.threads,
        }

    def _starts(self) -> NDArray:
        # Where sentences may not (1) or must (2) start, for all words.
        docs, layouts = self.encoded.docs, self.encoded.layouts
        if not self.system.parameters.segment:
            return numpy.zeros((sum(layout.words.size for layout in layouts),), dtype="i")
        return numpy.concatenate([starts_of_doc(*pair) for pair in zip(docs, layouts)])

    def _check_found(
        self, fixed: tuple[NDArray, NDArray] | None, found: Sequence[Sequence]
    ) -> None:
        """Raise ConstraintError for the first unit where nothing was found.

        Args:
            fixed: heads and labels of all words, (n_words,), as they were asked for.
            found: trees or derivations of each unit.
        """
        if all(found):
            return
        docs, layouts = self.encoded.docs, self.encoded.layouts
        units = iter(found)
        heads = None if fixed is None else fixed[0]
        words = slices(layout.words.size for layout in layouts)
        for doc, layout, of_doc in zip(docs, layouts, words):
            for own in slices(layout.lengths):
                if not next(units):
                    given = None if heads is None else heads[of_doc][own]
                    refuse_impossible(doc, layout.words[own], given)


def starts_of_doc(doc: Doc, layout: Layout) -> NDArray:
    """Where sentences of a Doc may not (1) or must (2) start, (n_words,)."""
    given = given_boundaries(doc)
    flags = (given[layout.words] == -1).astype("i")
    flags[first_words(find_layout(doc, given))] = 2
    return flags


def plain_where_constrained(labels: NDArray, is_constrained: NDArray, n_labels: int) -> NDArray:
    """Labels of which those of constrained words come from behind, where they are without marks.

    Their arcs stay where they are, also if the model takes one for a lifted arc. All (n_words,).
    """
    return numpy.where(is_constrained & (labels >= 0), labels + n_labels, labels)


def lengths_of(layouts: Sequence[Layout]) -> NDArray:
    """Words of each unit of all layouts: (n_units,)."""
    return numpy.concatenate([layout.lengths for layout in layouts])
