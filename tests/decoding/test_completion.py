"""A tree for what the search has missed: the one that most of the free parses agree with."""

from itertools import product
from typing import Any

import numpy
import pytest
from spacy.tokens import Doc

from spacy_arceager.decoding import completion
from spacy_arceager.trees.algorithms import is_tree, non_projective_arcs
from spacy_arceager.trees.best_tree import NEVER
from tests.conftest import Trained, get_parser

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")

WORDS = ["The", "letters", "arrived", "late", "."]
N = len(WORDS)
TREES = [
    heads for heads in product(range(N), repeat=N)
    if is_tree(numpy.asarray(heads, "i")) and not non_projective_arcs(numpy.asarray(heads, "i"))
]


def votes_of(english: Trained) -> numpy.ndarray:
    """How many of the eight best free parses have each arc, each by its probability."""
    (trees,) = get_parser(english.nlp).k_best(Doc(english.nlp.vocab, WORDS), completion.WIDTH)
    shares = numpy.exp([tree.score for tree in trees])
    votes = numpy.zeros((N, N))
    for share, tree in zip(shares / shares.sum(), trees):
        votes[range(N), tree.heads] += share
    return votes


def test_the_tree_has_as_many_votes_as_any_that_is_allowed(
    english: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[numpy.ndarray] = []

    def look(weights: numpy.ndarray, *arguments: Any) -> Any:
        asked.append(weights)
        return best(weights, *arguments)

    best = completion.best_projective_tree
    monkeypatch.setattr(completion, "best_projective_tree", look)
    votes = votes_of(english)
    generator = numpy.random.default_rng(0)
    n_completed = 0
    for i in generator.permutation(len(TREES))[:40]:
        # Of all arcs only those of three trees are allowed.
        three = (TREES[i], *TREES[i % 7 :: 61][:2])
        allowed = {arc for tree in three for arc in enumerate(tree)}
        doc = Doc(english.nlp.vocab, WORDS)
        doc._.arceager_forbidden_arcs = [
            arc for arc in product(range(N), repeat=2) if arc not in allowed
        ]
        asked.clear()
        heads = [token.head.i for token in english.nlp(doc)]
        if not asked:
            continue
        n_completed += 1
        possible = [tree for tree in TREES if {*enumerate(tree)} <= allowed]
        most = max(votes[range(N), tree].sum() for tree in possible)
        assert votes[range(N), heads].sum() == pytest.approx(most, abs=N * completion.CLOSENESS)
        (weights,) = asked
        is_free = weights > NEVER
        assert {*zip(*map(list, numpy.nonzero(is_free)))} == allowed
        nearness = 1 / (1 + abs(numpy.subtract.outer(range(N), range(N))))
        assert weights[is_free] == pytest.approx((votes + 1e-3 * nearness)[is_free], abs=1e-6)
    assert n_completed > 5
