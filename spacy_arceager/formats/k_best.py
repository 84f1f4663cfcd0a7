"""The best trees of each sentence, with their ranks and scores."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..pipe.component import ArcEagerParser
from ..pipe.scored_tree import ScoredTree
from ..search.settings import BeamSettings

if TYPE_CHECKING:
    from spacy.tokens import Doc


class RankedTree(NamedTuple):
    """A tree of a sentence among the best ones.

    Attributes:
        rank: its rank; the best tree has rank 1.
        tree: the tree.
        scores: its scores by their names.
    """

    rank: int
    tree: ScoredTree
    scores: dict[str, float]


class KBest:
    """Finds the best trees of each sentence of parsed Docs.

    Args:
        n_trees: how many trees are found for each sentence, at most; there may be fewer. The beam
            is as wide as this number, or as the parser's own beam (or the default beam) if that is
            wider.

    Raises:
        ValueError: If the parser builds graphs.
    """

    def __init__(self, parser: ArcEagerParser, n_trees: int) -> None:
        if parser.parameters.graph:
            raise ValueError(
                f"'{parser.name}' builds graphs, which are parsed greedily, so that each sentence "
                "has only one"
            )
        beam = parser.beam or BeamSettings()
        self.parser = parser
        self.n_trees = n_trees
        self.width = max(n_trees, beam.width)
        self.name = "log_probability" if beam.is_normalised else "score"

    def find(self, doc: "Doc") -> Iterator[Sequence[RankedTree]]:
        """The trees of each sentence that has words. The Doc's sentence boundaries are kept."""
        for trees in self.parser.k_best(doc, self.width):
            if trees[0].words:
                best = enumerate(trees[: self.n_trees], 1)
                yield [RankedTree(rank, tree, self.scores(tree)) for rank, tree in best]

    def scores(self, tree: ScoredTree) -> dict[str, float]:
        """The scores of a tree by their names."""
        return {
            self.name: round(tree.score, 4),
            f"{self.name}_per_word": round(tree.score_per_word, 4),
        }
