"""In training the lookahead parses on only as far as it must."""

import random
from collections.abc import Sequence
from itertools import chain

import numpy
import pytest
from numpy.typing import NDArray

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.derivation import follow
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.registry import oracles_for
from spacy_arceager.systems import SystemParameters, arc_eager, attardi, easy_first
from tests.brute_force import Heads, Search, all_trees, random_tree
from tests.systems_table import SYSTEMS, Row

ORACLE = Oracle("lookahead", prefer_monotonic=False)
LOOKAHEAD = [row for row in SYSTEMS if ORACLE.name in oracles_for(row.parameters)]
every_system = pytest.mark.parametrize("row", LOOKAHEAD, ids=lambda row: row.name)


def cheapest(costs: dict) -> set:
    return {transition for transition, cost in costs.items() if cost == min(costs.values())}


def count_inexact(parameters: SystemParameters, trees: Sequence[Heads]) -> int:
    """How many answers in training are not exact. Fails where these would teach something else."""
    n_inexact = 0
    for configuration in Search(TransitionSystem(parameters), trees).configurations:
        for tree in trees if not configuration.is_terminal else ():
            exact = ORACLE.costs(configuration, tree)
            trained = ORACLE.costs(configuration, tree, preferred=True)
            assert cheapest(trained) == cheapest(exact)
            n_inexact += trained != exact
    return n_inexact


@every_system
def test_training_has_the_same_cheapest_transitions(row: Row) -> None:
    count_inexact(row.parameters, all_trees(3)[::2])


@pytest.mark.slow
@every_system
def test_training_has_the_same_cheapest_transitions_for_longer_trees(row: Row) -> None:
    count_inexact(row.parameters, all_trees(4)[::8])


def test_training_does_not_parse_on_where_arcs_are_lost() -> None:
    assert count_inexact(easy_first(4), all_trees(4)[::8]) > 0


@pytest.mark.parametrize(
    "parameters", [attardi(2), easy_first(4, 2), arc_eager(distance=2, root="right")], ids=str
)
def test_gold_trees_of_a_batch_are_told_apart(parameters: SystemParameters) -> None:
    # The oracle of a batch remembers how it parsed earlier sentences on.
    trees = all_trees(4)[::3]
    system = TransitionSystem(parameters)

    def derive(*golds: Heads) -> NDArray:
        heads = [*chain(*golds)]
        gold = GoldTrees([4] * len(golds), heads, [-1] * len(heads), parameters.root != "none")
        return follow(system, ORACLE, gold).heads

    alone = [derive(tree) for tree in trees]
    assert (derive(*trees) == numpy.concatenate(alone)).all()


@pytest.mark.parametrize("capacity", [3, 5, 8])
def test_long_random_derivations_have_the_same_cheapest_transitions(capacity: int) -> None:
    choices = random.Random(capacity)
    system = TransitionSystem(easy_first(capacity, 2))
    for _ in range(10):
        tree = random_tree(9, choices)
        configuration = system.initial(9)
        while not configuration.is_terminal:
            exact = ORACLE.costs(configuration, tree)
            assert cheapest(ORACLE.costs(configuration, tree, preferred=True)) == cheapest(exact)
            configuration.apply(choices.choice(list(exact)))
