"""For any arguments the oracles return a result or raise ValueError, TypeError or OverflowError."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.derivation import follow
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.registry import oracles_for
from spacy_arceager.systems.catalogue import CATALOGUE

REFUSED = (ValueError, TypeError, OverflowError)
numbers = st.one_of(
    st.integers(-3, 6), st.integers(-(2**70), 2**70), st.floats(), st.none(), st.booleans(),
    st.text(max_size=2),
)
small = st.one_of(st.integers(-2, 6), st.none())
values = st.one_of(
    st.lists(small, max_size=6),
    st.lists(numbers, max_size=6),
    st.lists(st.lists(small, max_size=3), max_size=6),
    st.lists(st.integers(-2, 6), max_size=6).map(lambda v: numpy.asarray(v, "int64")[::-1]),
    st.none(), st.integers(), st.text(max_size=3),
)
systems = st.sampled_from(sorted(CATALOGUE)).map(
    lambda name: TransitionSystem(CATALOGUE[name].parameters())
)


@given(systems, st.data())
@settings(max_examples=300, deadline=None)
def test_costs_and_derivations(system, data):
    oracle = Oracle(data.draw(st.sampled_from(oracles_for(system.parameters))))
    n = data.draw(st.integers(0, 5))
    heads, starts, labels = (data.draw(values) for _ in range(3))
    try:
        costs = oracle.costs(system.initial(n), heads, starts)
        assert set(costs) == set(system.initial(n).legal()) or n == 0
    except REFUSED:
        pass
    try:
        steps = oracle.derivation(system, heads, labels, starts)
        configuration = system.initial(len(list(heads)))
        for transition, _ in steps:
            configuration.apply(transition)
        assert configuration.is_terminal
    except REFUSED:
        pass


@pytest.mark.parametrize("heads", [[1, 0], [0, 2, 1], [None, 2, 1]])
def test_heads_that_form_a_cycle_have_no_derivation(heads: list[int | None]) -> None:
    system = TransitionSystem(CATALOGUE["arc_eager"].parameters())
    with pytest.raises(ValueError, match="cycle"):
        Oracle("static").derivation(system, heads)


@given(systems, st.data())
@settings(max_examples=300, deadline=None)
def test_gold_trees_and_what_follows_them(system, data):
    lengths, heads, labels, starts, arcs = (data.draw(values) for _ in range(5))
    if data.draw(st.booleans()):
        heads = data.draw(st.lists(st.integers(-1, 3), max_size=6))
        lengths, labels = [len(heads)], [-1] * len(heads)
        starts = data.draw(st.sampled_from([None, [True] * len(heads)]))
        arcs = data.draw(st.sampled_from([None, [[0, 1, 0]], [[9, 1, 0]], [[0, 1, -2]], []]))
    try:
        gold = GoldTrees(lengths, heads, labels, data.draw(st.booleans()), starts, arcs)
        follow(system, Oracle("static"), gold)
    except REFUSED:
        pass


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([-1], [], []), ValueError, "less than no words"),
        (([2**31 - 1], [0], [0]), ValueError, "1 gold heads for 2147483647 words"),
        (([1], [0.5], [0]), TypeError, "Gold heads are not whole numbers"),
        (([1], [2**40], [0]), ValueError, "Gold heads are too large"),
        (([1], [0], [-2]), ValueError, "Gold label -2 is below -1"),
        (([1], [1], [0]), ValueError, "lies outside its sentence"),
        (([1], [0], [0], False, [True, False]), ValueError, "2 sentence starts for 1 words"),
        (([1], [0], [0], False, None, [[0, 0]]), ValueError, "Gold arcs have the shape"),
        (([2], [0, 0], [0, 0], False, None, [[0, 1, -2]]), ValueError, "a label below -1"),
    ],
)
def test_gold_annotation_that_cannot_be_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        GoldTrees(*arguments)


def test_a_gold_tree_of_another_length_is_refused():
    system = TransitionSystem(CATALOGUE["arc_eager"].parameters())
    with pytest.raises(ValueError, match="2 gold heads for 3 words"):
        Oracle("exact").costs(system.initial(3), [0, 0])
    with pytest.raises(ValueError, match="1 gold labels for 2 gold heads"):
        Oracle("exact").derivation(system, [0, 0], ["a"])


@pytest.mark.parametrize("heads", [[[1], 1, [1]], [[1], None, [1]]])
def test_heads_of_a_tree_are_refused_for_a_graph(heads: list) -> None:
    system = TransitionSystem(CATALOGUE["dag"].parameters())
    message = f"The gold heads of word 1 are {heads[1]}. .* give a collection of heads for each"
    for attempt in (
        lambda: Oracle("dynamic").costs(system.initial(3), heads),
        lambda: Oracle("dynamic").derivation(system, heads),
    ):
        with pytest.raises(TypeError, match=message):
            attempt()


def test_gold_trees_for_another_root_are_refused():
    system = TransitionSystem(CATALOGUE["arc_eager"].parameters())
    with pytest.raises(ValueError, match="do not agree about an artificial root"):
        follow(system, Oracle("static"), GoldTrees([1], [0], [0], True))
