"""The best tree under constraints is compared with the best of all trees."""

from itertools import combinations

import numpy
import pytest

from spacy_arceager.trees.algorithms import is_tree
from spacy_arceager.trees.best_tree import best_projective_tree, best_tree
from tests.brute_force import all_trees, has_subtree, projective_trees
from tests.oracles.segmentations import documents

SPANS = {n: [(a, b) for a in range(n) for b in range(a, n)] for n in range(1, 6)}


def weight(weights: numpy.ndarray, heads: tuple[int, ...]) -> float:
    return float(sum(weights[word, head] for word, head in enumerate(heads)))


def random_weights(generator: numpy.random.Generator, n: int, share: float) -> numpy.ndarray:
    """Random weights (n, n) of arcs, with a share of the arcs forbidden."""
    weights = generator.normal(size=(n, n))
    weights[generator.random((n, n)) < share] = -numpy.inf
    return weights


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("projective", [True, False])
def test_it_is_the_best_of_all_trees_with_the_subtrees(n: int, projective: bool) -> None:
    generator = numpy.random.default_rng(n)
    trees = projective_trees(n) if projective else all_trees(n)
    n_possible = n_impossible = 0
    for spans in [(), *combinations(SPANS[n], 1), *combinations(SPANS[n], 2)]:
        possible = [tree for tree in trees if all(has_subtree(tree, *span) for span in spans)]
        for share in (0, 0.2, 0.5):
            weights = random_weights(generator, n, share)
            expected = max((weight(weights, tree) for tree in possible), default=-numpy.inf)
            best = best_projective_tree(weights, spans) if projective else (
                best_tree(weights, spans),)
            if expected == -numpy.inf:
                assert best is None or best == (None,)
                n_impossible += 1
                continue
            assert best is not None and best[0] is not None
            heads = tuple(best[0].tolist())
            assert heads in possible
            assert weight(weights, heads) == pytest.approx(expected)
            n_possible += 1
    assert n_possible and (n_impossible or n == 1)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_sentences_are_found_with_their_trees(n: int) -> None:
    generator = numpy.random.default_rng(n)
    possible = documents(n, {length: projective_trees(length) for length in range(1, n + 1)})
    for boundaries in numpy.ndindex(*[3] * (n - 1)):
        weights = random_weights(generator, n, 0.2)
        fitting = [
            (weight(weights, heads), heads, starts) for heads, starts in possible
            if all(flag == 0 or start == (flag == 2)
                   for flag, start in zip(boundaries, starts[1:]))
        ]
        expected = max(fitting)
        best = best_projective_tree(weights, boundaries=numpy.asarray((0, *boundaries)))
        if expected[0] == -numpy.inf:
            assert best is None
        else:
            assert best is not None
            assert (tuple(best[0].tolist()), tuple(best[1].tolist())) == expected[1:]


def test_long_sentences_have_trees() -> None:
    weights = random_weights(numpy.random.default_rng(0), 60, 0.3)
    projective = best_projective_tree(weights, [(3, 20), (5, 9)])
    crossing = best_tree(weights, [(3, 20), (5, 9)])
    assert projective is not None and crossing is not None
    assert is_tree(projective[0]) and is_tree(crossing)
    assert weight(weights, tuple(projective[0])) <= weight(weights, tuple(crossing))


def test_words_without_a_root_or_with_two_have_no_tree() -> None:
    weights = random_weights(numpy.random.default_rng(1), 5, 0)
    without_root = numpy.where(numpy.eye(5) > 0, -numpy.inf, weights)
    assert best_tree(without_root) is None
    two_roots = weights.copy()
    two_roots[[1, 3]] = -numpy.inf
    two_roots[[1, 3], [1, 3]] = 0
    assert best_tree(two_roots) is None
    assert best_tree(weights[:0, :0]) is None
