"""The oracles for any control parameters, against the true costs and in small examples."""

import random

import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.registry import oracles_for
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    easy_first,
)
from tests.brute_force import Search, all_trees, is_projective, projective_trees
from tests.oracles.comparison import Comparison, compare
from tests.systems_table import SYSTEMS, Row

GENERIC = [row for row in SYSTEMS if "reachability" in oracles_for(row.parameters)]
every_system = pytest.mark.parametrize("row", GENERIC, ids=lambda row: row.name)


def find_row(name: str) -> Row:
    return next(row for row in SYSTEMS if row.name == name)


def names(costs: dict) -> dict[str, int]:
    return {str(transition): cost for transition, cost in costs.items()}


# The measured errors for four words. The test fails when they change.
PINNED = {
    ("arc-standard, root none", "reachability", "projective"):
        Comparison(2370, 170, 2, 1260, 5),
    ("arc-standard, root none", "reachability", "non-projective"):
        Comparison(2686, 455, 2, 1428, 10),
    ("arc-standard, root none", "lookahead", "projective"):
        Comparison(2370, 5, 1, 1260, 0),
    ("arc-standard, root none", "exact", "non-projective"):
        Comparison(2686, 0, 0, 1428, 0),
    ("Attardi 2, root none", "reachability", "projective"):
        Comparison(5070, 363, 2, 2250, 2),
    ("Attardi 2, root none", "lookahead", "projective"):
        Comparison(5070, 2, 1, 2250, 0),
    ("Attardi 2, root none", "reachability", "non-projective"):
        Comparison(5746, 301, 2, 2550, 6),
    ("Attardi 2, root none", "lookahead", "non-projective"):
        Comparison(5746, 3, 1, 2550, 0),
    ("Attardi 3, root none", "reachability", "projective"):
        Comparison(5550, 430, 2, 2400, 2),
    ("Attardi 3, root none", "lookahead", "projective"):
        Comparison(5550, 2, 1, 2400, 0),
    ("Attardi 3, root none", "lookahead", "non-projective"):
        Comparison(6290, 0, 0, 2720, 0),
    ("easy-first, K=3, D=1, fill=None, root none", "reachability", "projective"):
        Comparison(2280, 16, 1, 990, 0),
    ("easy-first, K=3, D=1, fill=None, root none", "lookahead", "projective"):
        Comparison(2280, 0, 0, 990, 0),
    ("easy-first, K=3, D=1, fill=None, root none", "lookahead", "non-projective"):
        Comparison(2584, 1, 1, 1122, 0),
    ("easy-first, K=3, D=2, fill=None, root none", "reachability", "projective"):
        Comparison(5100, 24, 1, 1950, 0),
    ("easy-first, K=3, D=2, fill=None, root none", "lookahead", "non-projective"):
        Comparison(5780, 0, 0, 2210, 0),
    ("easy-first, K=4, D=1, fill=None, root none", "lookahead", "non-projective"):
        Comparison(2380, 0, 0, 986, 0),
    ("arc-hybrid, root none", "exact", "non-projective"):
        Comparison(2822, 233, 2, 1802, 21),
    ("arc-hybrid, root none", "lookahead", "non-projective"):
        Comparison(2822, 10, 1, 1802, 2),
    ("easy-first, D=1, root none", "exact", "non-projective"):
        Comparison(2244, 406, 2, 850, 6),
    ("easy-first, D=1, root none", "lookahead", "non-projective"):
        Comparison(2244, 0, 0, 850, 0),
    ("easy-first, D=2, root none", "exact", "non-projective"):
        Comparison(5372, 40, 1, 1870, 0),
    ("kept on the stack, D=1, root none", "reachability", "projective"):
        Comparison(8220, 941, 2, 5490, 41),
    ("kept on the stack, D=1, root none", "lookahead", "projective"):
        Comparison(8220, 17, 1, 5490, 0),
    ("kept on the stack, D=2, root none", "reachability", "projective"):
        Comparison(34530, 2663, 2, 17430, 55),
    ("kept on the stack, D=2, root none", "lookahead", "non-projective"):
        Comparison(39134, 31, 2, 19754, 1),
    ("tree", "reachability", "projective"): Comparison(7110, 883, 3, 4170, 6),
    ("tree", "lookahead", "projective"): Comparison(7110, 5, 1, 4170, 0),
    ("tree", "lookahead", "non-projective"): Comparison(8058, 5, 1, 4726, 0),
    ("tree, root right", "reachability", "projective"): Comparison(8910, 883, 3, 5970, 6),
    ("tree, root right", "lookahead", "projective"): Comparison(8910, 5, 1, 5970, 0),
    ("tree, root right", "lookahead", "non-projective"): Comparison(10098, 5, 1, 6766, 0),
    ("tree, D=2", "reachability", "projective"): Comparison(21720, 1715, 3, 10740, 3),
    ("tree, D=2", "reachability", "non-projective"): Comparison(24616, 2373, 3, 12172, 53),
    ("tree, D=2", "lookahead", "projective"): Comparison(21720, 0, 0, 10740, 0),
    ("tree, D=2", "lookahead", "non-projective"): Comparison(24616, 27, 1, 12172, 5),
    ("tree, D=2, root right", "reachability", "projective"):
        Comparison(24930, 1715, 3, 13950, 3),
    ("tree, D=2, root right", "reachability", "non-projective"):
        Comparison(28254, 2373, 3, 15810, 53),
    ("tree, D=2, root right", "lookahead", "projective"): Comparison(24930, 0, 0, 13950, 0),
    ("tree, D=2, root right", "lookahead", "non-projective"):
        Comparison(28254, 27, 1, 15810, 5),
    ("tree, D=2, LEFT keeps", "reachability", "projective"):
        Comparison(61530, 4379, 3, 29520, 57),
    ("plain, D=2, root none", "reachability", "projective"): Comparison(7410, 14, 1, 2160, 1),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "trees"), PINNED)
def test_inexact_oracles_err_as_measured(name: str, kind: str, trees: str) -> None:
    gold = projective_trees(4)
    if trees == "non-projective":
        gold = tuple(tree for tree in all_trees(4) if not is_projective(tree))
    search = Search(TransitionSystem(find_row(name).parameters), gold)
    assert compare(search, Oracle(kind)) == PINNED[name, kind, trees]


PARTIAL = ["arc-standard, root none", "arc-hybrid, root right", "easy-first, D=1, root left"]


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTIAL)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_missing_head_costs_nothing(name: str, n: int) -> None:
    row = find_row(name)
    trees = [
        tuple(-1 if word == missing else head for word, head in enumerate(tree))
        for tree in projective_trees(n)
        for missing in range(n)
    ]
    search = Search(TransitionSystem(row.parameters), sorted(set(trees)))
    assert compare(search, Oracle("exact")).wrong == 0


@every_system
@pytest.mark.parametrize("kind", ["reachability", "lookahead", "dynamic"])
def test_without_gold_heads_nothing_costs_anything(row: Row, kind: str) -> None:
    configuration = TransitionSystem(row.parameters).initial(5)
    choices = random.Random(0)
    while not configuration.is_terminal:
        costs = Oracle(kind).costs(configuration, [None] * 5)
        assert set(costs.values()) == {0}
        configuration.apply(choices.choice(list(costs)))


def test_two_obtainable_arcs_that_exclude_each_other() -> None:
    # 0 -> 1 and 0 -> 2: a SHIFT of 2 traps 1 below it. The smallest case.
    configuration = TransitionSystem(arc_standard()).initial(3)
    for _ in range(2):
        configuration.apply("SHIFT")
    for kind in ("exact", "lookahead", "reachability"):
        costs = names(Oracle(kind).costs(configuration, [0, 0, 0]))
        assert costs == {"SHIFT": 1, "LEFT-ARC": 3, "RIGHT-ARC": 0}, kind


def test_only_the_lookahead_sees_that_the_capacity_traps_a_word() -> None:
    # Of O = [0, 1, 2, 3] the last three are active. 0 takes 1 only if 2 takes 3 first.
    configuration = TransitionSystem(easy_first(3)).initial(5)
    for _ in range(4):
        configuration.apply("SHIFT")
    gold = [0, 0, 0, 2, 0]
    assert names(Oracle("reachability").costs(configuration, gold))["SHIFT"] == 0
    assert names(Oracle("lookahead").costs(configuration, gold))["SHIFT"] == 1


def test_a_very_long_stack_gets_the_sum_over_arcs() -> None:
    n = 100
    configuration = TransitionSystem(arc_standard()).initial(n)
    for _ in range(90):
        configuration.apply("SHIFT")
    gold = [*range(1, n), n - 1]
    assert Oracle("exact").costs(configuration, gold) == Oracle("reachability").costs(
        configuration, gold
    )


@pytest.mark.parametrize(
    ("system", "kind"),
    [
        (arc_hybrid(swap=True), "reachability"),
        (arc_hybrid(swap=True), "lookahead"),
        (arc_standard(swap=True), "lookahead"),
        (arc_eager(True, ["reduce"]), "reachability"),
        (arc_eager(False, ["left"]), "lookahead"),
        (attardi(2), "exact"),
        (easy_first(4), "exact"),
    ],
    ids=str,
)
def test_an_oracle_refuses_a_system_it_is_not_made_for(
    system: SystemParameters, kind: str
) -> None:
    with pytest.raises(ValueError, match=f"{kind} oracle.*'{system.name}'"):
        Oracle(kind).check(system)
