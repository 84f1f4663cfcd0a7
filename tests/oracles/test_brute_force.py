"""Every oracle against the truth, for every projective gold tree of up to five words."""

import numpy
import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from tests.brute_force import Search, projective_trees
from tests.systems_table import SYSTEMS


def compare(search: Search, oracle: Oracle):
    """(pairs, wrong pairs, configurations, configurations with a costly move offered)."""
    counts = numpy.zeros(4, dtype=int)
    for configuration in search.configurations:
        truth = search.true_costs(configuration)
        if not truth:
            continue
        for i, tree in enumerate(search.trees):
            costs = oracle.costs(configuration, tree)
            best = min(costs.values())
            wrong = sum(costs[t] != truth[t][i] for t in costs)
            costly = any(costs[t] == best and truth[t][i] > 0 for t in costs)
            counts += (len(costs), wrong, 1, costly)
    return counts


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("row", SYSTEMS, ids=lambda row: row.name)
def test_exact_oracles_match_the_truth(row, n):
    search = Search(TransitionSystem(row.parameters), projective_trees(n))
    for kind in row.exact:
        pairs, wrong, _, costly = compare(search, Oracle(kind))
        assert wrong == 0 and costly == 0, f"{kind}: {wrong} of {pairs}"
