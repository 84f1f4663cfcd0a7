"""Counts how often the costs of an oracle differ from the true costs."""

from typing import NamedTuple

import numpy

from spacy_arceager.oracles.oracle import Oracle
from tests.brute_force import GraphSearch, Search


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
