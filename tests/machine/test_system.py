"""Soundness, completeness and termination of every system, from all its configurations."""

import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.machine.transitions import dispatch
from spacy_arceager.oracles.oracle import Oracle
from tests.brute_force import Search, all_trees, is_projective, is_tree, projective_trees
from tests.systems_table import SYSTEMS

every_system = pytest.mark.parametrize("row", SYSTEMS, ids=lambda row: row.name)
every_length = pytest.mark.parametrize("n", [1, 2, 3, 4, 5])


def test_each_transition_has_a_number_of_its_own():
    assert sorted(dispatch.MOVES.values()) == list(range(len(dispatch.MOVES)))


@pytest.mark.slow
@every_length
@every_system
def test_every_reachable_configuration(row, n):
    search = Search(TransitionSystem(row.parameters), projective_trees(n)[:1])
    assert not search.stuck
    assert search.longest <= row.most_steps(n)
    parses = {tuple(c.tree()) for c in search.finished}
    trees = {tree for tree in parses if is_tree(tree)}
    assert trees >= set(projective_trees(n)), "a projective tree cannot be derived"
    assert len(trees) == row.trees[n]
    if row.one_tree:
        assert parses == trees
    if row.is_projective:
        assert all(is_projective(tree) for tree in trees)


@pytest.mark.slow
@every_length
@every_system
def test_the_static_oracle_rebuilds_every_tree_that_can_be_derived(row, n):
    system = TransitionSystem(row.parameters)
    rebuilt = 0
    for tree in all_trees(n):
        configuration = system.initial(n)
        for transition, _ in Oracle("static").derivation(system, tree):
            configuration.apply(transition)
        rebuilt += configuration.tree() == list(tree)
    assert rebuilt == row.trees[n]
