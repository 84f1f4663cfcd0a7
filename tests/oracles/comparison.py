"""Counts how often the costs of an oracle differ from the true costs."""

from typing import NamedTuple

import numpy

from spacy_arceager.oracles.oracle import Oracle
from tests.brute_force import Search


class Comparison(NamedTuple):
    """How an oracle's costs compare with the true costs.

    Attributes:
        pairs: the number of triples (configuration, gold tree, legal transition).
        wrong: the number of these triples for which the oracle's cost is not the true cost.
        worst: the largest difference between the two costs.
        states: the number of pairs (configuration, gold tree).
        costly: the number of these pairs in which a transition that is cheapest by the oracle has a
            true cost above 0.
    """

    pairs: int
    wrong: int
    worst: int
    states: int
    costly: int


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
