"""Systems with BREAK find sentence boundaries, and their oracles know the costs."""

from collections.abc import Sequence

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import (
    ParameterError,
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    custom_system,
    easy_first,
)
from tests.brute_force import all_trees, projective_trees
from tests.conftest import projective_trees as random_trees
from tests.oracles.segmentations import Document, after, documents, outcomes

PROJECTIVE: dict[str, SystemParameters] = {
    "arc_eager": arc_eager(segment=True),
    "arc_eager_nm": arc_eager(True, ["left", "reduce"], segment=True),
    "arc_eager_nm_labelled": arc_eager(
        True, ["left", "reduce"], segment=True, labelled_reduce=True
    ),
    "arc_eager_nm_unshift": arc_eager(True, ["left", "unshift"], segment=True),
    "arc_hybrid": arc_hybrid(segment=True),
    "arc_standard": arc_standard(segment=True),
    "easy_first_k3": easy_first(3, segment=True),
    "easy_first_k4": easy_first(4, segment=True),
}


FURTHER: dict[str, SystemParameters] = {
    "arc_hybrid_swap": arc_hybrid(True, segment=True),
    "arc_standard_swap": arc_standard(True, segment=True),
    "attardi2": attardi(2, segment=True),
    "arc_eager_d2": arc_eager(distance=2, segment=True),
    "easy_first_k4_d2": easy_first(4, 2, segment=True),
}


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("name", PROJECTIVE)
def test_projective_systems_derive_every_segmentation_with_every_tree(name, n):
    trees = {length: projective_trees(length) for length in range(1, n + 1)}
    derived, longest = outcomes(TransitionSystem(PROJECTIVE[name]), n)
    assert derived == documents(n, trees)
    assert longest <= 5 * n


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("name", FURTHER)
def test_other_systems_derive_them_and_crossing_trees(name, n):
    projective = {length: projective_trees(length) for length in range(1, n + 1)}
    every = {length: all_trees(length) for length in range(1, n + 1)}
    derived, longest = outcomes(TransitionSystem(FURTHER[name]), n)
    assert documents(n, projective) <= derived <= documents(n, every)
    if name.endswith("swap"):
        assert derived == documents(n, every)
    assert longest <= n * n + 2 * n


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (lambda: arc_hybrid(root="right", segment=True), "segment=true and root='right'"),
        (lambda: easy_first(segment=True), "segment=true and capacity=None"),
    ],
)
def test_what_cannot_find_boundaries_is_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        parameters()


# Oracles
def rebuild(system: TransitionSystem, kind: str, heads, starts) -> Configuration:
    configuration = system.initial(len(heads))
    for transition, _ in Oracle(kind).derivation(system, heads, starts=starts):
        configuration.apply(transition)
    return configuration


def kinds_for(parameters: SystemParameters) -> list[str]:
    kinds = ["static"]
    if parameters.is_arc_eager:
        kinds += ["dynamic", "exact"]
    elif parameters.has_arc_eager_arcs:
        kinds += ["reachability", "lookahead"]
    return kinds


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PROJECTIVE, *FURTHER])
@settings(max_examples=25, deadline=None)
@given(trees=st.lists(random_trees(max_words=12), min_size=1, max_size=6))
def test_oracles_rebuild_documents_with_their_boundaries(name, trees):
    parameters = {**PROJECTIVE, **FURTHER}[name]
    firsts = numpy.cumsum([0] + [len(tree) for tree in trees])
    heads = [int(first) + head for first, tree in zip(firsts, trees) for head in tree]
    starts = [i in firsts for i in range(len(heads))]
    for kind in kinds_for(parameters):
        final = rebuild(TransitionSystem(parameters), kind, heads, starts)
        assert final.tree() == heads
        assert final.sentence_starts == firsts[:-1].tolist()


class Values:
    """How many gold heads and boundaries can still be reached, for every configuration."""

    def __init__(self, system: TransitionSystem, n: int, gold: Sequence[Document]):
        self.n = n
        words = numpy.arange(n)
        heads = numpy.asarray([document[0] for document in gold])
        self.heads = numpy.where(heads == words, -1, heads)
        self.starts = numpy.asarray([document[1] for document in gold])
        self.values: dict[tuple, numpy.ndarray] = {}
        self.configurations: list[Configuration] = []
        self.visit(system.initial(n))

    def visit(self, configuration: Configuration) -> numpy.ndarray:
        state = configuration.state()
        if state not in self.values:
            legal = configuration.legal()
            if legal:
                self.configurations.append(configuration)
                successors = [self.visit(after(configuration, t)) for t in legal]
                self.values[state] = numpy.max(successors, axis=0)
            else:
                self.values[state] = self.final(configuration)
        return self.values[state]

    def final(self, configuration: Configuration) -> numpy.ndarray:
        heads = [-1 if head is None else head for head in configuration.heads]
        starts = [i in configuration.sentence_starts for i in range(self.n)]
        return (self.heads == heads).sum(axis=1) + (self.starts == starts).sum(axis=1)


# The measured errors of the exact oracle by system and number of words: the number of triples
# (configuration, document, legal transition); the number of these triples in which the cost is not
# the number of heads and boundaries that are lost; and the largest difference.
MEASURED = {
    ("arc_eager", 3): (744, 94, 2),
    ("arc_eager", 4): (20295, 1842, 3),
    ("arc_eager_nm", 4): (25190, 1961, 3),
    ("arc_eager_nm_labelled", 4): (25190, 1961, 3),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "n"), MEASURED)
def test_the_cheapest_transitions_lose_no_head_and_no_boundary(name, n):
    system = TransitionSystem(PROJECTIVE[name])
    gold = sorted(documents(n, {k: projective_trees(k) for k in range(1, n + 1)}))
    truth = Values(system, n, gold)
    pairs = wrong = worst = 0
    for configuration in truth.configurations:
        before = truth.values[configuration.state()]
        next_values = {
            t: truth.values[after(configuration, t).state()] for t in configuration.legal()
        }
        for i, (heads, starts) in enumerate(gold):
            costs = Oracle("exact").costs(configuration, heads, starts)
            lost = {t: int(before[i] - next_values[t][i]) for t in costs}
            assert all(lost[t] == 0 for t in costs if costs[t] == min(costs.values()))
            errors = [abs(costs[t] - lost[t]) for t in costs]
            pairs, wrong = pairs + len(costs), wrong + numpy.count_nonzero(errors)
            worst = max(worst, *errors)
    assert (pairs, wrong, worst) == MEASURED[name, n]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arc_eager", "arc_eager_nm"])
def test_a_due_break_is_free_and_whatever_uses_the_next_word_is_not(name):
    system = TransitionSystem(PROJECTIVE[name])
    n, n_due = 4, 0
    gold = sorted(documents(n, {k: projective_trees(k) for k in range(1, n + 1)}))
    for configuration in Values(system, n, gold).configurations:
        for heads, starts in gold:
            costs = Oracle("exact").costs(configuration, heads, starts)
            by_name = {str(t): cost for t, cost in costs.items()}
            if "BREAK" not in by_name or not starts[configuration.buffer[0]]:
                assert by_name.get("BREAK", 1) > 0
                continue
            n_due += 1
            assert by_name["BREAK"] == 0
            assert all(by_name.get(t, 1) > 0 for t in ("SHIFT", "LEFT-ARC", "RIGHT-ARC"))
    assert n_due > 300


def test_a_due_break_is_free_where_nothing_is_left_at_one_of_several_anchors() -> None:
    kept = {"periphery": "any", "reduce": False}
    system = TransitionSystem(custom_system(
        4, left=kept, right=kept, reduce=True, reduce_periphery="any", segment=True
    ))
    starts = [1, 0, 0, 0, 1, 0]
    configuration = system.initial(6)
    for name in ("SHIFT", "SHIFT", "LEFT-ARC", "REDUCE@2", "SHIFT", "LEFT-ARC", "REDUCE@2",
                 "SHIFT", "LEFT-ARC"):
        configuration.apply(name)
    for oracle in ("dynamic", "reachability"):
        costs = Oracle(oracle).costs(configuration, [3, 3, 3, 3, 5, 5], starts)
        by_name = {str(t): cost for t, cost in costs.items()}
        assert 0 == by_name["REDUCE@2"] < by_name["SHIFT"] <= 6
    crossing = [2, 3, 2, 2, 5, 5]       # no derivation of the system makes it
    steps = Oracle("dynamic").derivation(system, crossing, starts=starts)
    assert sum("BREAK" in str(step) for step in steps) == 1
