"""Trees of highest weight with a given root, against all trees."""

import numpy
import pytest

from spacy_arceager.trees.algorithms import is_tree
from spacy_arceager.trees.arborescence import NEVER, arborescence, find_cycle
from tests.brute_force import all_trees


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_it_is_the_best_tree_with_its_root(n: int) -> None:
    generator = numpy.random.default_rng(n)
    words = range(n)
    n_without = 0
    for seed in range(40):
        weights = generator.integers(-3, 3, (n, n)).astype(float)   # many ties
        weights[generator.random((n, n)) < seed % 4 / 5] = NEVER
        for root in words:
            best = max(
                sum(weights[word, tree[word]] for word in words if word != root)
                for tree in all_trees(n) if tree[root] == root
            )
            heads = arborescence(weights, root)
            if heads is None:
                assert best == NEVER
                n_without += 1
                continue
            assert is_tree(heads) and heads[root] == root
            assert sum(weights[word, heads[word]] for word in words if word != root) == best
    assert n_without or n == 1


def test_cycles_in_cycles_need_neither_recursion_nor_memory_for_each() -> None:
    # Words prefer heads with low numbers, so that each cycle is in the next.
    n = 1100
    weights = -numpy.maximum(*numpy.indices((n, n))).astype(float)
    heads = arborescence(weights, 0)
    assert heads is not None and is_tree(heads)
    # A word that is not the root has a head before it.
    assert sum(weights[word, heads[word]] for word in range(1, n)) == -sum(range(1, n))


def test_a_cycle_is_found() -> None:
    assert find_cycle(numpy.asarray([0, 0, 1]), 0) is None
    cycle = find_cycle(numpy.asarray([0, 3, 1, 2, 0, 1]), 0)
    assert cycle is not None and sorted(cycle.tolist()) == [1, 2, 3]
