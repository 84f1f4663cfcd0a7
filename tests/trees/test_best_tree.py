"""The best trees under constraints against all trees."""

from itertools import combinations

import numpy
import pytest

from spacy_arceager.trees.algorithms import is_tree
from spacy_arceager.trees.best_tree import best_projective_tree, best_tree
from tests.brute_force import all_trees, projective_trees
from tests.oracles.test_segmentation import documents

SPANS = {n: [(a, b) for a in range(n) for b in range(a, n)] for n in range(1, 6)}


def weight(weights: numpy.ndarray, heads: tuple[int, ...]) -> float:
    return float(sum(weights[word, head] for word, head in enumerate(heads)))


def has_subtree(heads: tuple[int, ...], first: int, last: int) -> bool:
    """By its definition: all that is below one word."""
    def below(word: int) -> set[int]:
        found = {word}
        while True:
            more = {child for child, head in enumerate(heads) if head in found} | found
            if more == found:
                return found
            found = more

    return any(below(word) == {*range(first, last + 1)} for word in range(len(heads)))


def random_weights(generator: numpy.random.Generator, n: int, share: float) -> numpy.ndarray:
    """A share of all arcs is forbidden."""
    weights = generator.normal(size=(n, n))
    weights[generator.random((n, n)) < share] = -numpy.inf
    return weights


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("projective", [True, False])
def test_it_is_the_best_of_all_trees_with_the_subtrees(n: int, projective: bool) -> None:
    generator = numpy.random.default_rng(n)
    trees = projective_trees(n) if projective else all_trees(n)
    some = none = 0
    for spans in [(), *combinations(SPANS[n], 1), *combinations(SPANS[n], 2)]:
        possible = [tree for tree in trees if all(has_subtree(tree, *span) for span in spans)]
        for share in (0, 0.2, 0.5):
            weights = random_weights(generator, n, share)
            expected = max((weight(weights, tree) for tree in possible), default=-numpy.inf)
            found = best_projective_tree(weights, spans) if projective else (
                best_tree(weights, spans),)
            if expected == -numpy.inf:
                assert found is None or found == (None,)
                none += 1
                continue
            assert found is not None and found[0] is not None
            heads = tuple(found[0].tolist())
            assert heads in possible
            assert weight(weights, heads) == pytest.approx(expected)
            some += 1
    assert some and (none or n == 1)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_sentences_are_found_with_their_trees(n: int) -> None:
    generator = numpy.random.default_rng(n)
    possible = documents(n, {length: projective_trees(length) for length in range(1, n + 1)})
    for boundaries in numpy.ndindex(*[3] * (n - 1)):
        weights = random_weights(generator, n, 0.2)
        given = numpy.asarray((0, *boundaries))
        fitting = [
            (weight(weights, heads), heads, starts) for heads, starts in possible
            if all(flag == 0 or start == (flag == 2)
                   for flag, start in zip(boundaries, starts[1:]))
        ]
        best = max(fitting)
        found = best_projective_tree(weights, boundaries=given)
        if best[0] == -numpy.inf:
            assert found is None
        else:
            assert found is not None
            assert (tuple(found[0].tolist()), tuple(found[1].tolist())) == best[1:]


def test_long_sentences_have_trees() -> None:
    weights = random_weights(numpy.random.default_rng(0), 60, 0.3)
    projective = best_projective_tree(weights, [(3, 20), (5, 9)])
    crossing = best_tree(weights, [(3, 20), (5, 9)])
    assert projective is not None and crossing is not None
    assert is_tree(projective[0]) and is_tree(crossing)
    assert weight(weights, tuple(projective[0])) <= weight(weights, tuple(crossing))
