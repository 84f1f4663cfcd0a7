"""From token vectors to trees: what of a Doc is parsed as one, and under which constraints."""

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from .decoding.beam import search
from .decoding.greedy import parse
from .decoding.scorer import Scorer
from .decoding.settings import BeamSettings
from .doc_annotation import forbidden_starts
from .fixed_arcs import check_fixed_arcs, fixed_arrays, fixed_words, has_fixed_arcs
from .layout import Layout, find_layout, first_words, whole
from .machine.system import TransitionSystem
from .oracles.registry import constraint_oracle


@dataclass
class DocDecoder:
    """Greedy or beam search over the words of Docs.

    beam: how to search; None is greedy.
    """

    system: TransitionSystem
    beam: BeamSettings | None

    def find_units(self, doc: Doc) -> Layout:
        """What is parsed as one: sentences, or the Doc where boundaries are found too."""
        layout = find_layout(doc)
        return whole(layout) if self.system.parameters.segment else layout

    def decode(
        self, docs: list[Doc], layouts: list[Layout], scorer: Scorer, vectors: NDArray
    ) -> tuple[NDArray, NDArray, NDArray]:
        """Heads, labels and sentence starts of all words; see `greedy.parse`.

        layouts: the units of the Docs. vectors: (n_words, width), of all their words.
        Raises ConstraintError where no tree has all arcs fixed in advance.
        """
        if self.beam is None and not any(map(has_fixed_arcs, docs)):
            starts = self._starts(docs, layouts)
            return parse(self.system, scorer, vectors, lengths_of(layouts), starts)
        best = [trees[0] for trees in self.search(docs, layouts, scorer, vectors)]
        heads, labels, starts = map(numpy.concatenate, zip(*(tree[1:] for tree in best)))
        # A fixed arc stays where it is, also if the model takes it for a lifted one.
        is_fixed = numpy.concatenate([fixed_words(*pair) for pair in zip(docs, layouts)])
        labels[is_fixed & (labels >= 0)] += len(self.system.labels)
        return heads, labels, starts

    def search(
        self, docs: list[Doc], layouts: list[Layout], scorer: Scorer, vectors: NDArray
    ) -> list[list[tuple[float, NDArray, NDArray, NDArray]]]:
        """The best trees of each unit; see `beam.search`. Arguments as for `decode`."""
        indices = {label: i for i, label in enumerate(self.system.labels)}
        fixed = [fixed_arrays(*pair, indices) for pair in zip(docs, layouts)]
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
            constraint_oracle(self.system.parameters),
        )
        check_all(docs, layouts, heads, found)
        return found

    def _starts(self, docs: list[Doc], layouts: list[Layout]) -> NDArray:
        # Where sentences may not (1) or must (2) start, for all words.
        if not self.system.parameters.segment:
            return numpy.zeros((sum(layout.words.size for layout in layouts),), dtype="i")
        return numpy.concatenate([starts_of_doc(*pair) for pair in zip(docs, layouts)])


def starts_of_doc(doc: Doc, layout: Layout) -> NDArray:
    """Where sentences of a Doc may not (1) or must (2) start, (n_words,)."""
    flags = forbidden_starts(doc, layout.words)
    flags[first_words(find_layout(doc))] = 2
    return flags


def lengths_of(layouts: list[Layout]) -> NDArray:
    return numpy.concatenate([layout.lengths for layout in layouts])


def check_all(
    docs: list[Doc], layouts: list[Layout], fixed: NDArray, found: list[list]
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
