"""A plan says how units are searched, which arcs their trees must have and which they must not.

A unit is what is searched as one: a sentence, or a whole Doc if the parser finds its sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..annotation.boundaries import given_boundaries
from ..annotation.fixed_arcs import FREE, fixed_arrays
from ..annotation.forbidden import forbidden_of_units, has_constraints, refuse_constraints
from ..annotation.layout import Layout, find_layout, first_words, given_layout, slices
from ..annotation.projective import undecorated
from ..machine.rules import WordRules
from ..machine.system import TransitionSystem
from ..oracles.configured import constraint_oracle
from ..oracles.oracle import Oracle
from ..search.blocks import words_of
from ..search.forbidden import Forbidden
from ..search.settings import BeamSettings
from .encoding import Encoded


@dataclass(frozen=True)
class SearchPlan:
    """How the units of some Docs are searched. A plan never changes; its methods make new plans.

    Attributes:
        lengths: (n_units,) the number of words of each unit.
        boundaries: (n_words,) 1 where no sentence may start, 2 where a sentence must start,
            otherwise 0.
        heads: (n_words,) the head that a word must have, counted from the first word of its unit;
            FREE where the search decides.
        labels: (n_words,) the label that a word must have; FREE where the search decides.
        forbidden: what the tree of each unit must not have; None where everything is allowed.
        beam: the beam of the search, which is greedy if its width is 1.
        oracle: says which transitions lose a fixed arc; None for a system without such an oracle.
        threads: how many threads share the units.
        rules: what dependents the words may have; None for any.
        begun: the choices of each unit that the search begins behind, see `beam.search`; None to
            begin at the first words. `of_units` leaves them out.
    """

    lengths: NDArray
    boundaries: NDArray
    heads: NDArray
    labels: NDArray
    forbidden: tuple[Forbidden | None, ...]
    beam: BeamSettings
    oracle: Oracle | None = None
    threads: int = 1
    rules: WordRules | None = None
    begun: Sequence[NDArray] | None = None

    @property
    def fixed(self) -> tuple[NDArray, NDArray] | None:
        """Heads and labels as `beam.search` takes them; None where all words are free."""
        return (self.heads, self.labels) if (self.heads != FREE).any() else None

    @cached_property
    def spans(self) -> list[slice]:
        """The slice of each unit in the arrays of all words."""
        return [*slices(self.lengths.tolist())]

    def split_units(self) -> tuple[list[int], list[int]]:
        """The numbers of the units without constraints, and of the units with constraints."""
        if self.fixed is None and not any(self.forbidden):
            return [*range(self.lengths.size)], []
        is_constrained = [
            forbidden is not None or bool((self.heads[span] != FREE).any())
            for span, forbidden in zip(self.spans, self.forbidden)
        ]
        units = range(len(is_constrained))
        return (
            [unit for unit in units if not is_constrained[unit]],
            [unit for unit in units if is_constrained[unit]],
        )

    def words_of(self, units: Sequence[int]) -> NDArray:
        """The places of the words of some units in the arrays of all words: (n,) ints."""
        units, starts = list(units), numpy.cumsum(self.lengths) - self.lengths
        return words_of(starts[units], self.lengths[units])

    def of_units(self, units: Sequence[int]) -> "SearchPlan":
        """The plan of some units alone."""
        words = self.words_of(units)
        return replace(
            self,
            lengths=self.lengths[list(units)],
            boundaries=self.boundaries[words],
            heads=self.heads[words],
            labels=self.labels[words],
            forbidden=tuple(self.forbidden[unit] for unit in units),
            rules=None if self.rules is None else self.rules.of_words(words),
            begun=None,
        )

    def with_units(self, units: Sequence[int], new: "SearchPlan") -> "SearchPlan":
        """The same plan with the constraints of some units taken from `new`, their plan alone."""
        words = self.words_of(units)
        forbidden = dict(enumerate(self.forbidden)) | dict(zip(units, new.forbidden))
        rules = self.rules
        if rules is not None:
            rules = (rules.without(words) if new.rules is None
                     else rules.with_kinds(words, new.rules.kinds))

        def put(values: NDArray, new_values: NDArray) -> NDArray:
            values = values.copy()
            values[words] = new_values
            return values

        return replace(
            self,
            boundaries=put(self.boundaries, new.boundaries),
            heads=put(self.heads, new.heads),
            labels=put(self.labels, new.labels),
            forbidden=tuple(forbidden.values()),
            rules=rules,
        )


def plan_search(
    system: TransitionSystem, encoded: Encoded, beam: BeamSettings | None, threads: int
) -> SearchPlan:
    """The first plan for Docs, which has the boundaries and constraints that they ask for.

    Args:
        beam: the beam of the parser; None for greedy search.

    Raises:
        ConstraintError: For constraints that no tree can meet, and for any constraint if no
            oracle says which transitions of the system lose a fixed arc.
    """
    docs, layouts = encoded.docs, encoded.layouts
    free_boundaries = find_boundaries(encoded, system.parameters.segment)
    if not any(map(has_constraints, docs)):
        return plan_without_constraints(encoded, free_boundaries, threads, beam)
    oracle = constraint_oracle(system.parameters)
    if oracle is None:
        refuse_constraints(
            docs, system.parameters.name, "no oracle says which transitions lose them"
        )
    sentences = [given_layout(doc, system.parameters.segment) for doc in docs]
    label_indices = {label: i for i, label in enumerate(system.labels)}
    names = [*map(undecorated, system.labels)]
    fixed = [fixed_arrays(*of_doc, label_indices) for of_doc in zip(docs, layouts, sentences)]
    forbidden: list[Forbidden | None] = []
    for of_doc in zip(docs, layouts, sentences):
        forbidden += forbidden_of_units(*of_doc, names)
    heads, labels, is_inside_arc = (numpy.concatenate(arrays) for arrays in zip(*fixed))
    lengths = lengths_of(layouts)
    boundaries = numpy.maximum(free_boundaries, is_inside_arc)
    return SearchPlan(
        lengths, without_starts_in_subtrees(boundaries, lengths, forbidden), heads, labels,
        tuple(forbidden), beam or BeamSettings(width=1), oracle, threads, encoded.rules,
    )


def plan_without_constraints(
    encoded: Encoded, boundaries: NDArray, threads: int, beam: BeamSettings | None = None
) -> SearchPlan:
    """The plan for Docs that have no constraints. beam: None for greedy search."""
    lengths = lengths_of(encoded.layouts)
    free = numpy.full((int(lengths.sum()),), FREE, dtype="i")
    return SearchPlan(
        lengths, boundaries, free, free, (None,) * lengths.size, beam or BeamSettings(width=1),
        threads=threads, rules=encoded.rules,
    )


def without_starts_in_subtrees(
    boundaries: NDArray, lengths: NDArray, forbidden: Sequence[Forbidden | None]
) -> NDArray:
    """The same boundaries, with no sentence start allowed behind the first word of a subtree."""
    boundaries = boundaries.copy()
    for span, of_unit in zip(slices(lengths.tolist()), forbidden):
        for first, last in () if of_unit is None else of_unit.subtrees.tolist():
            inside = boundaries[span][first + 1 : last + 1]
            numpy.maximum(inside, 1, out=inside)
    return boundaries


def find_boundaries(encoded: Encoded, segment: bool) -> NDArray:
    """Where sentences may not (1) or must (2) start, for the words of all Docs: (n_words,).

    All values are 0 unless the parser finds boundaries itself (`segment`).
    """
    if not segment:
        return numpy.zeros((sum(layout.words.size for layout in encoded.layouts),), dtype="i")
    boundaries = numpy.concatenate(
        [boundaries_of_doc(*pair) for pair in zip(encoded.docs, encoded.layouts)]
    )
    return numpy.maximum(boundaries, 1) if encoded.is_split else boundaries


def boundaries_of_doc(doc: Doc, layout: Layout) -> NDArray:
    """Where sentences of a Doc may not (1) or must (2) start: (n_words,)."""
    boundaries = given_boundaries(doc)
    flags = (boundaries[layout.words] == -1).astype("i")
    flags[first_words(find_layout(doc, boundaries))] = 2
    return flags


def lengths_of(layouts: Sequence[Layout]) -> NDArray:
    """The number of words of each unit of all layouts: (n_units,)."""
    return numpy.concatenate([layout.lengths for layout in layouts])


def put(results: list, units: Sequence[int], of_units: Sequence) -> None:
    """Store the results of some units at their places in the list of all units' results."""
    for unit, result in zip(units, of_units, strict=True):
        results[unit] = result
