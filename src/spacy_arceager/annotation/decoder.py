"""From token vectors to trees: what of a Doc is parsed as one, and under which constraints."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..oracles.configured import constraint_oracle
from ..search.beam import search
from ..search.greedy import parse
from ..search.settings import BeamSettings
from .boundaries import given_boundaries
from .fixed_arcs import (
    check_fixed_arcs,
    fixed_arrays,
    fixed_words,
    has_fixed_arcs,
    refuse_fixed_arcs,
)
from .layout import Layout, find_layout, first_words, given_layout


@dataclass
class DocDecoder:
    """Greedy or beam search over the words of Docs.

    beam: how to search; None is greedy. threads: that search.
    """

    system: TransitionSystem
    beam: BeamSettings | None
    threads: int = 1

    def decode(
        self, docs: Sequence[Doc], layouts: Sequence[Layout], scorer: Scorer, vectors: NDArray
    ) -> tuple[NDArray, NDArray, NDArray]:
        """Heads, labels and sentence starts of all words; see `greedy.parse`.

        layouts: the units of the Docs. vectors: (n_words, width), of all their words.
        Raises ConstraintError where no tree has all arcs fixed in advance.
        """
        if self.beam is None and not any(map(has_fixed_arcs, docs)):
            starts = self._starts(docs, layouts)
            return parse(
                self.system, scorer, vectors, lengths_of(layouts), starts, self.threads
            )
        best = [trees[0] for trees in self.search(docs, layouts, scorer, vectors)]
        heads, labels, starts = map(numpy.concatenate, zip(*(tree[1:] for tree in best)))
        is_fixed = numpy.concatenate([fixed_words(*pair) for pair in zip(docs, layouts)])
        return heads, plain_where_fixed(labels, is_fixed, self.system.n_labels), starts

    def search(
        self, docs: Sequence[Doc], layouts: Sequence[Layout], scorer: Scorer, vectors: NDArray
    ) -> list[list[tuple[float, NDArray, NDArray, NDArray]]]:
        """The best trees of each unit; see `beam.search`. Arguments as for `decode`."""
        oracle = constraint_oracle(self.system.parameters)
        if oracle is None:
            refuse_fixed_arcs(
                docs, self.system.parameters.name, "no oracle says which transitions lose them"
            )
        indices = {label: i for i, label in enumerate(self.system.labels)}
        segment = self.system.parameters.segment
        fixed = [
            fixed_arrays(doc, layout, given_layout(doc, segment), indices)
            for doc, layout in zip(docs, layouts)
        ]
        heads, labels, arcs_pass = (numpy.concatenate(column) for column in zip(*fixed))
        starts = self._starts(docs, layouts)
        found = search(
            self.system,
            scorer,
            vectors,
            lengths_of(layouts),
            self.beam or BeamSettings(width=1),
            numpy.maximum(starts, arcs_pass),
            (heads, labels) if any(map(has_fixed_arcs, docs)) else None,
            oracle,
            self.threads,
        )
        check_all(docs, layouts, heads, found)
        return found

    def _starts(self, docs: Sequence[Doc], layouts: Sequence[Layout]) -> NDArray:
        # Where sentences may not (1) or must (2) start, for all words.
        if not self.system.parameters.segment:
            return numpy.zeros((sum(layout.words.size for layout in layouts),), dtype="i")
        return numpy.concatenate([starts_of_doc(*pair) for pair in zip(docs, layouts)])


def starts_of_doc(doc: Doc, layout: Layout) -> NDArray:
    """Where sentences of a Doc may not (1) or must (2) start, (n_words,)."""
    given = given_boundaries(doc)
    flags = (given[layout.words] == -1).astype("i")
    flags[first_words(find_layout(doc, given))] = 2
    return flags


def plain_where_fixed(labels: NDArray, is_fixed: NDArray, n_labels: int) -> NDArray:
    """Labels of which those of fixed arcs come from behind, where they are without marks.

    A fixed arc stays where it is, also if the model takes it for a lifted one. All (n_words,).
    """
    return numpy.where(is_fixed & (labels >= 0), labels + n_labels, labels)


def lengths_of(layouts: Sequence[Layout]) -> NDArray:
    """Words of each unit of all layouts: (n_units,)."""
    return numpy.concatenate([layout.lengths for layout in layouts])


def check_all(
    docs: Sequence[Doc], layouts: Sequence[Layout], fixed: NDArray, found: list[list]
) -> None:
    """Raise ConstraintError for the first unit without a tree that has its fixed heads.

    fixed: (n_words,) fixed heads of all words. found: the trees of each unit.
    """
    trees = iter(found)
    ends = numpy.cumsum([layout.words.size for layout in layouts])
    for doc, layout, heads in zip(docs, layouts, numpy.split(fixed, ends[:-1])):
        cuts = numpy.cumsum(layout.lengths)[:-1]
        units = zip(numpy.split(layout.words, cuts), numpy.split(heads, cuts))
        for words, unit_heads in units:
            best = next(trees, None)
            check_fixed_arcs(doc, words, unit_heads, best[0][1] if best else None)
