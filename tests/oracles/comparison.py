"""An oracle against the truth, counted."""

from typing import NamedTuple

import numpy

from spacy_arceager.oracles.oracle import Oracle
from tests.brute_force import Search


class Comparison(NamedTuple):
    """How an oracle compares with the truth over configurations and gold trees."""

    pairs: int       # (configuration, gold tree, legal transition)
    wrong: int       # of these, those with another cost than the true one
    worst: int       # the largest error
    states: int      # (configuration, gold tree)
    costly: int      # of these, those in which a cheapest transition is truly costly


def compare(search: Search, oracle: Oracle) -> Comparison:
    counts = numpy.zeros(4, dtype=int)
    worst = 0
    for configuration in search.configurations:
        truth = search.true_costs(configuration)
        if not truth:
            continue
        for i, tree in enumerate(search.trees):
            costs = oracle.costs(configuration, tree)
            best = min(costs.values())
            errors = [abs(costs[t] - truth[t][i]) for t in costs]
            worst = max(worst, *errors)
            costly = any(costs[t] == best and truth[t][i] > 0 for t in costs)
            counts += (len(costs), numpy.count_nonzero(errors), 1, costly)
    pairs, wrong, states, n_costly = counts.tolist()
    return Comparison(pairs, wrong, int(worst), states, n_costly)
