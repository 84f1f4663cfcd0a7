"""Systems that build graphs, and their oracles, against the truth."""

from typing import NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import dag
from tests.brute_force import (
    Graph,
    GraphSearch,
    all_graphs,
    arcs_of,
    built_graph,
    has_crossing,
    is_acyclic,
    noncrossing_graphs,
)
from tests.oracles.comparison import Comparison, compare

LABELS = ["a", "b"]
SYSTEMS = {(acyclic, headless): dag(acyclic, headless)
           for acyclic in (True, False) for headless in (True, False)}
every_system = pytest.mark.parametrize(("acyclic", "headless"), SYSTEMS)


def crossing_graphs(n: int) -> tuple[Graph, ...]:
    return tuple(graph for graph in all_graphs(n) if has_crossing(graph))


# Soundness and completeness

# How many of the non-crossing graphs of 1 to 4 words can be derived. Bohnet et al. (2016,
# 4.5) do not say that a word without head is in the way under the published precondition.
DERIVABLE = {
    (True, True): [1, 3, 25, 335],
    (True, False): [1, 3, 17, 135],
    (False, True): [1, 4, 64, 1792],
    (False, False): [1, 4, 52, 1252],
}


@every_system
@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_every_reachable_configuration(acyclic: bool, headless: bool, n: int) -> None:
    graphs = noncrossing_graphs(n, acyclic)
    search = GraphSearch(TransitionSystem(SYSTEMS[acyclic, headless]), graphs[:1])
    assert not search.stuck
    assert search.longest <= (4 if acyclic else 6) * n
    built = {built_graph(configuration) for configuration in search.finished}
    assert built <= set(graphs)
    assert len(built) == DERIVABLE[acyclic, headless][n - 1]


# Costs


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_dynamic_oracle_is_exact_where_nothing_is_in_the_way(n: int) -> None:
    search = GraphSearch(TransitionSystem(dag(acyclic=False)), all_graphs(n))
    assert compare(search, Oracle("dynamic")).wrong == 0


@pytest.mark.slow
def test_it_is_exact_for_all_graphs_of_four_words_without_crossing_arcs() -> None:
    # Without crossing arcs, the cost of a graph is the sum of the costs of its arcs. So it is
    # enough to test graphs with one arc. The sum is tested with another graph in each
    # configuration.
    graphs = noncrossing_graphs(4, False)
    search = GraphSearch(TransitionSystem(dag(acyclic=False)), graphs)
    arcs = [(head, word) for word in range(4) for head in range(4) if head != word]
    has_arc = numpy.asarray([[arc in arcs_of(graph) for arc in arcs] for graph in graphs])
    empty: Graph = ((),) * 4
    singles = [tuple((arc[0],) if word == arc[1] else () for word in range(4)) for arc in arcs]
    oracle = Oracle("dynamic")
    for number, configuration in enumerate(search.configurations):
        truth = search.true_costs(configuration)
        sample = 37 * number % len(graphs)
        costs = oracle.costs(configuration, graphs[sample])
        assert costs == {transition: truth[transition][sample] for transition in truth}
        base = oracle.costs(configuration, empty)
        of_arc = [oracle.costs(configuration, graph) for graph in singles]
        for transition in truth:
            more = [costs[transition] - base[transition] for costs in of_arc]
            assert (truth[transition] == base[transition] + has_arc @ more).all()


# The measured errors of the oracle where it is not exact, on a sample of pairs with four words.
INEXACT = {
    (True, True, False): Comparison(22058, 78, 1, 8531, 0),
    (True, False, False): Comparison(6408, 116, 2, 3082, 28),
    (False, False, False): Comparison(16998, 14, 1, 6077, 5),
    (False, True, True): Comparison(35326, 14, 2, 11953, 0),
}


@pytest.mark.slow
@pytest.mark.parametrize(("acyclic", "headless", "crossing"), INEXACT)
def test_it_errs_as_measured_elsewhere(acyclic: bool, headless: bool, crossing: bool) -> None:
    graphs = crossing_graphs(4) if crossing else noncrossing_graphs(4, acyclic)
    search = GraphSearch(TransitionSystem(SYSTEMS[acyclic, headless]), graphs)
    every = 30 if acyclic else 600
    assert compare(search, Oracle("dynamic"), every) == INEXACT[acyclic, headless, crossing]


# Derivations


class Reached(NamedTuple):
    """How good the derivations of a set of graphs are.

    Attributes:
        graphs: the number of graphs.
        best: the number of graphs whose derivation reaches the best value that can be derived.
        lost: by how much the derivations of the other graphs fall short of it, summed up.
    """

    graphs: int
    best: int
    lost: int


def follow(system: TransitionSystem, kind: str, graph: Graph) -> Configuration:
    configuration = system.initial(len(graph))
    labels = [[LABELS[head % 2] for head in heads] for heads in graph]
    for transition, label in Oracle(kind).derivation(system, graph, labels):
        configuration.apply(transition, label)
    return configuration


@every_system
@pytest.mark.parametrize("kind", ["static", "dynamic"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_derivation_leads_to_every_derivable_graph(
    acyclic: bool, headless: bool, kind: str, n: int
) -> None:
    system = TransitionSystem(SYSTEMS[acyclic, headless], LABELS)
    search = GraphSearch(system, [((),) * n])
    built = sorted({built_graph(configuration) for configuration in search.finished})
    for graph in built[:: 1 if len(built) < 900 else 7]:
        final = follow(system, kind, graph)
        assert built_graph(final) == graph
        assert all(label == LABELS[head % 2] for arcs in final.graph for head, label in arcs)


# All graphs of four words with crossing arcs.
CROSSING = {"static": Reached(2304, 2304, 0), "dynamic": Reached(2304, 2304, 0)}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CROSSING)
def test_what_is_derived_of_crossing_arcs(kind: str) -> None:
    graphs = crossing_graphs(4)
    search = GraphSearch(TransitionSystem(dag(acyclic=False), LABELS), graphs)
    best = search.values[search.configurations[0].state()]
    values = [
        search.final_value(follow(search.system, kind, graph))[i]
        for i, graph in enumerate(graphs)
    ]
    lost = best - numpy.asarray(values)
    assert Reached(len(graphs), int((lost == 0).sum()), int(lost.sum())) == CROSSING[kind]


# Random walks


@every_system
@settings(max_examples=30, deadline=None)
@given(n=st.integers(1, 80), choices=st.randoms(use_true_random=False))
def test_random_walks_build_sound_graphs(
    acyclic: bool, headless: bool, n: int, choices
) -> None:
    configuration = TransitionSystem(SYSTEMS[acyclic, headless]).initial(n)
    steps = 0
    while not configuration.is_terminal:
        configuration.apply(choices.choice(configuration.legal()))
        steps += 1
    assert steps <= (4 if acyclic else 6) * n
    graph = built_graph(configuration)
    assert not has_crossing(graph)
    assert not acyclic or is_acyclic(graph)


@pytest.mark.parametrize("n", [2, 5, 50, 400])
def test_there_is_room_for_every_arc(n: int) -> None:
    # Both arcs between all words that meet, in an order in which most do: 2n - 3 pairs.
    configuration = TransitionSystem(dag(acyclic=False)).initial(n)
    while not configuration.is_terminal:
        legal = {transition.move: transition for transition in configuration.legal()}
        reduce = legal.get("REDUCE") if len(configuration.stack) > 1 else None
        configuration.apply(legal.get("LEFT") or legal.get("RIGHT") or reduce or legal["SHIFT"])
    assert len(set(arcs_of(built_graph(configuration)))) == 2 * (2 * n - 3)


def test_the_check_for_cycles_takes_no_exponential_time() -> None:
    # Two heads for each word, all the way up: as many paths as Fibonacci numbers.
    n = 120
    order = [word for pair in zip(range(n // 2), range(n - 1, n // 2 - 1, -1)) for word in pair]
    graph: list[tuple[int, ...]] = [()] * n
    for i, word in enumerate(order):
        graph[word] = tuple(sorted(order[max(0, i - 2) : i]))
    assert not has_crossing(tuple(graph))
    final = follow(TransitionSystem(dag(), LABELS), "dynamic", tuple(graph))
    assert built_graph(final) == tuple(graph)


# Gold graphs


def test_self_loops_and_second_labels_are_left_out() -> None:
    system = TransitionSystem(dag(acyclic=False))
    configuration = system.initial(2)
    configuration.apply("SHIFT")
    costs = Oracle("dynamic").costs(configuration, [[0, 1, 1], []])
    assert {str(t): cost for t, cost in costs.items()} == {
        "SHIFT": 1, "LEFT-ARC": 0, "RIGHT-ARC": 1, "REDUCE": 1,
    }


def test_a_gold_arc_out_of_its_sentence_is_refused() -> None:
    with pytest.raises(ValueError, match="out of its sentence"):
        Oracle("dynamic").costs(TransitionSystem(dag()).initial(2), [[2], []])
