"""Soundness, completeness and termination of every system, by exhaustion."""

import pytest

from spacy_arceager.machine.system import TransitionSystem
from tests.brute_force import Search, is_projective, is_tree, projective_trees
from tests.systems_table import SYSTEMS


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("row", SYSTEMS, ids=lambda row: row.name)
def test_every_reachable_configuration(row, n):
    search = Search(TransitionSystem(row.parameters), projective_trees(n))
    assert not search.stuck
    assert search.longest <= row.steps[0] * n + row.steps[1]
    trees = {tuple(c.tree()) for c in search.finished}
    assert trees >= set(projective_trees(n)), "a projective tree cannot be derived"
    if row.one_tree:
        assert all(is_tree(tree) and is_projective(tree) for tree in trees)
