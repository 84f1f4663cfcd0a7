"""A few cases of each kind, drawn by hypothesis; and the bench finds what it is made for."""

import os
import time
from collections import Counter
from random import Random

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.search.beam import search
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import SystemParameters, arc_eager, arc_hybrid, dag
from spacy_arceager.trees.algorithms import is_tree
from tests.conftest import random_scoring, random_vectors
from tests.fuzz.bench import Plan, Result, run, run_case
from tests.fuzz.cases import CASES
from tests.fuzz.checks import Fault, check_graphs, check_parses, crosses
from tests.fuzz.inputs import projective_heads
from tests.fuzz.systems import named_systems, random_system

EXAMPLES = {"greedy": 10, "beam": 6, "roll_out": 10, "doc": 15}
random_numbers = st.randoms(use_true_random=False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")     # sums of inf and nan
@pytest.mark.parametrize("kind", CASES)
def test_random_cases(kind: str) -> None:
    @settings(
        derandomize=True,    # the long runs draw anew each time
        max_examples=EXAMPLES.get(kind, 10), deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(rng=random_numbers, named=st.sampled_from(list(named_systems().values())))
    def check_case(rng: Random, named: SystemParameters) -> None:
        system = named if rng.random() < 0.5 else random_system(rng)
        assert CASES[kind][1](rng, system).total() > 0

    check_case()


def test_random_systems_are_many() -> None:
    systems = {random_system(Random(seed)) for seed in range(100)}
    assert len(systems) > 70
    assert {system.swap for system in systems} == {True, False}
    assert {system.graph for system in systems} == {True, False}
    assert {system.root for system in systems} == {"none", "left", "right"}


def test_the_same_case_is_the_same() -> None:
    plan = Plan(cases={"roll_out": CASES["roll_out"]}, systems=3)
    assert run_case(plan, 4) == run_case(plan, 4)


@pytest.mark.parametrize("seed", range(20))
def test_gold_trees_are_projective_trees(seed: int) -> None:
    heads = projective_heads(Random(seed), 12)
    assert is_tree(heads) and not crosses(heads)


GOOD = {"heads": [1, 1, 1, 2], "labels": [0, -1, 0, 0], "starts": [1, 0, 0, 0]}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, None),
        ({"heads": [1, 1, 1, 4]}, "outside"),
        ({"heads": [1, 0, 1, 2], "labels": [0, 0, 0, 0]}, "without a root"),
        ({"heads": [1, 1, 3, 2]}, "cycle"),
        ({"heads": [1, 1, 2, 2], "labels": [0, -1, -1, 0]}, "several roots"),
        ({"heads": [2, 3, 3, 3], "labels": [0, 0, 0, -1]}, "crossing"),
        ({"labels": [0, -1, 0, 1]}, "no such label"),
        ({"labels": [0, 0, 0, 0]}, "root with a label"),
        ({"starts": [0, 0, 0, 0]}, "starts no sentence"),
        ({"starts": [1, 0, 1, 0]}, "a boundary"),
    ],
)
def test_a_bad_parse_is_a_fault(changes: dict, fault: str | None) -> None:
    system = TransitionSystem(arc_eager(), ["a"])
    values = {**GOOD, **changes}
    arguments = (
        system, numpy.asarray([4]), numpy.zeros((4,), dtype="i"),
        numpy.asarray(values["heads"]), numpy.asarray(values["labels"]),
        numpy.asarray(values["starts"], dtype=bool),
    )
    if fault is None:
        check_parses(*arguments)
        return
    with pytest.raises(Fault, match=fault):
        check_parses(*arguments)


@pytest.mark.parametrize(
    ("arcs", "fault"),
    [
        ([[0, 1, 0], [1, 0, 0]], "cycle"),
        ([[0, 1, 0], [0, 1, 0]], "twice"),
        ([[0, 2, 0]], "between"),
        ([[0, 1, 5]], "label"),
    ],
)
def test_a_bad_graph_is_a_fault(arcs: list[list[int]], fault: str) -> None:
    system = TransitionSystem(dag(), ["a"])
    with pytest.raises(Fault, match=fault):
        check_graphs(system, numpy.asarray([2, 1]), numpy.asarray(arcs))


def crash(rng: Random, system: SystemParameters) -> Counter:
    os.abort()


def hang(rng: Random, system: SystemParameters) -> Counter:
    time.sleep(60)
    return Counter()


def fail(rng: Random, system: SystemParameters) -> Counter:
    raise Fault("ill-formed")


def work(rng: Random, system: SystemParameters) -> Counter:
    return Counter(parses=1)


@pytest.mark.slow
def test_crashes_hangs_and_faults_are_counted() -> None:
    bad = {"crash": crash, "hang": hang, "error": fail}
    cases = {name: (0.002, case) for name, case in bad.items()} | {"good": (1.0, work)}

    def is_enough(result: Result) -> bool:
        return result.counts["parses"] > 0 and {kind for kind, *_ in result.faults} == set(bad)

    for _ in run(Plan(hang=1.0, cases=cases), is_enough):
        pass


def test_fixed_arcs_that_swap_cannot_have_any_more_end() -> None:
    # A search for the cost of transitions that lead to no end went on for minutes.
    heads = [-1, -1, 1, 5, 5, 5, 7, -1, 10, -1, -1, 12, -1, 10, -1, -1, -1]
    starts = [2, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 2, 2]
    system = TransitionSystem(arc_hybrid(swap=True, segment=True), ["a"])
    [trees] = search(
        system, random_scoring(system, 1).predict(None), random_vectors(17, 8, 2),
        numpy.asarray([17], dtype="i"), BeamSettings(8), numpy.asarray(starts, dtype="i"),
        (numpy.asarray(heads, dtype="i"), numpy.full((17,), -1, dtype="i")),
        constraint_oracle(system.parameters),
    )
    assert trees
    for _, heads_of_tree, _, starts_of_tree, _ in trees:
        assert all(given in (-1, head) for given, head in zip(heads, heads_of_tree))
        assert [2 if start else 1 for start in starts_of_tree] == starts
