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
    pairs = wrong = worst = states = costly = seen = 0
    for configuration in search.configurations:
        truth = search.true_costs(configuration)
        if not truth:
            continue
        chosen = range(-(seen + 1) % every, len(golds), every)
        seen += len(golds)
        if not chosen:
            continue
        costs = [oracle.costs(configuration, golds[i]) for i in chosen]
        assert all([*by_transition] == [*truth] for by_transition in costs)
        found = numpy.array([[*by_transition.values()] for by_transition in costs])
        true = numpy.array([*truth.values()]).T[chosen]
        errors = abs(found - true)
        cheapest = found == found.min(axis=1, keepdims=True)
        pairs += errors.size
        wrong += numpy.count_nonzero(errors)
        worst = max(worst, int(errors.max()))
        states += len(chosen)
        costly += numpy.count_nonzero((cheapest & (true > 0)).any(axis=1))
    return Comparison(pairs, int(wrong), worst, states, int(costly))
