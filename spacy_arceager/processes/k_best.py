"""The best trees of each sentence as text, with their scores."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..annotation.boundaries import take_as_given
from ..corpus.conllu import doc_to_conllu
from ..pipe.component import ArcEagerParser
from ..pipe.scored_tree import ScoredTree
from ..search.settings import BeamSettings
from .documents import Record
from .writers import comments_of, to_json

if TYPE_CHECKING:
    from spacy.tokens import Doc


class KBest:
    """The best trees of parsed Docs, found in the sentences that they have.

    Args:
        n_trees: of each sentence, at most. The beam has that width or the parser's own, or the
            default one, whichever is widest.

    Raises:
        ValueError: For a parser that builds graphs.
    """

    def __init__(self, parser: ArcEagerParser, n_trees: int) -> None:
        if parser.parameters.graph:
            raise ValueError(
                f"'{parser.name}' builds graphs, which are parsed greedily: there is one of each "
                "sentence"
            )
        beam = parser.beam or BeamSettings()
        self.parser = parser
        self.n_trees = n_trees
        self.width = max(n_trees, beam.width)
        self.name = "log_probability" if beam.is_normalised else "score"

    def find(self, doc: "Doc") -> Iterator[list[ScoredTree]]:
        """The trees of each sentence that has words. Boundaries of the Doc count as given."""
        take_as_given(doc)
        for trees in self.parser.k_best(doc, self.width):
            if trees[0].words:
                yield trees[: self.n_trees]

    def scores(self, tree: ScoredTree) -> dict[str, float]:
        """What is said of a tree, by name."""
        return {
            self.name: round(tree.score, 4),
            f"{self.name}_per_word": round(tree.score_per_word, 4),
        }

    def to_conllu(self, doc: "Doc", record: Record) -> str:
        """Each tree as a sentence of its own with its rank and scores as comments."""
        text = "".join(
            f"# parse = {rank}/{len(trees)}\n{''.join(comments_of(self.scores(tree)))}"
            f"{doc_to_conllu(tree.to_doc(doc))}"
            for trees in self.find(doc) for rank, tree in enumerate(trees, 1)
        )
        return "".join(comments_of(record)) + text if text else ""

    def to_json(self, doc: "Doc", record: Record) -> str:
        """The parse as JSON, and `k_best`: for each sentence a list of trees."""
        return to_json(doc, record, {"k_best": [
            [self.describe(tree) for tree in trees] for trees in self.find(doc)
        ]})

    def describe(self, tree: ScoredTree) -> dict[str, Any]:
        """A tree for JSON; tokens are numbered as in the document."""
        return {
            **self.scores(tree), "tokens": tree.words, "heads": tree.heads, "deps": tree.labels
        }
