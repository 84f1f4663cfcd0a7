"""An oracle against the truth, counted."""

from typing import NamedTuple

import numpy

from spacy_arceager.oracles.oracle import Oracle
from tests.brute_force import GraphSearch, Search


class Comparison(NamedTuple):
    """How an oracle compares with the truth over configurations and gold trees."""

    pairs: int       # (configuration, gold tree, legal transition)
    wrong: int       # of these, those with another cost than the true one
    worst: int       # the largest error
    states: int      # (configuration, gold tree)
    costly: int      # of these, those in which a cheapest transition is truly costly


def compare(search: Search, oracle: Oracle, every: int = 1) -> Comparison:
    """Compare costs with the truth, for every `every`-th pair of a configuration and a gold tree.

    Gold graphs stand in the place of gold trees where the search is one of graphs.
    """
    golds = search.graphs if isinstance(search, GraphSearch) else search.trees
    counts = numpy.zeros(4, dtype=int)
    worst = number = 0
    for configuration in search.configurations:
        truth = search.true_costs(configuration)
        if not truth:
            continue
        for i, gold in enumerate(golds):
            number += 1
            if number % every:
                continue
            costs = oracle.costs(configuration, gold)
            assert list(costs) == list(truth)
            best = min(costs.values())
            errors = [abs(costs[t] - truth[t][i]) for t in costs]
            worst = max(worst, *errors)
            costly = any(costs[t] == best and truth[t][i] > 0 for t in costs)
            counts += (len(costs), numpy.count_nonzero(errors), 1, costly)
    pairs, wrong, states, n_costly = counts.tolist()
    return Comparison(pairs, wrong, int(worst), states, n_costly)
