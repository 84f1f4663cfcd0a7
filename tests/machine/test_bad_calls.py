"""Calls with wrong arguments raise an error with a message, and never touch foreign memory."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.systems import (
    ParameterError,
    SystemParameters,
    Transition,
    arc_eager,
    arc_standard,
    attardi,
    custom_system,
    dag,
    easy_first,
)

LABELS = ("det", "nsubj")
SYSTEMS = [arc_eager(), arc_eager(segment=True), arc_standard(swap=True), easy_first(), dag()]
ANYTHING = st.one_of(
    st.integers(), st.integers(-3, 8), st.none(), st.floats(), st.text(max_size=6),
    st.binary(max_size=3), st.lists(st.integers(), max_size=3), st.booleans(),
    st.sampled_from(["SHIFT", "LEFT-ARC", "LEFT-ARC@2", "RIGHT-ARC@", "REDUCE@x", "SWAP@1e9",
                     "SHIFT@-1", "LEFT-ARC@99999999999999999999", "@", "BREAK", "det"]),
    st.builds(Transition, st.sampled_from(["SHIFT", "LEFT", "RIGHT", "REDUCE", "NONE"]),
              left=st.integers(-5, 5), right=st.integers(-5, 5), anchor=st.integers()),
)
every_system = pytest.mark.parametrize("parameters", SYSTEMS, ids=str)


def call(function: Any, *arguments: Any) -> None:
    """Call a function, which may raise TypeError or ValueError only, with a message."""
    try:
        function(*arguments)
    except (TypeError, ValueError) as error:
        assert str(error)


@pytest.mark.slow
@every_system
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_argument_is_taken_or_refused(parameters: SystemParameters, data: Any) -> None:
    system = TransitionSystem(parameters, LABELS)
    configuration = system.initial(5)
    for _ in range(4):
        call(configuration.apply, data.draw(ANYTHING), data.draw(ANYTHING))
        call(configuration.forbid_start, data.draw(ANYTHING))
        call(system.find, data.draw(ANYTHING))
        call(system.find_class, data.draw(ANYTHING), data.draw(ANYTHING))
        call(system.describe_class, data.draw(ANYTHING))
        call(system.class_name, data.draw(ANYTHING))
    while not configuration.is_terminal:
        configuration.apply(data.draw(st.sampled_from(configuration.legal())), "det")
    assert len(configuration.heads) == 5


@given(value=ANYTHING.filter(lambda value: not (isinstance(value, int) and 0 <= value < 2**24)))
def test_what_is_no_number_of_words_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="n_words"):
        TransitionSystem(arc_eager()).initial(value)


@given(labels=st.one_of(ANYTHING, st.lists(st.one_of(st.text(max_size=2), ANYTHING))))
def test_labels_are_different_strings_or_refused(labels: Any) -> None:
    try:
        system = TransitionSystem(arc_eager(), labels)
    except (TypeError, ValueError):
        return
    assert len(set(system.labels)) == system.n_labels == len(list(labels))
    assert all(isinstance(label, str) for label in system.labels)


@pytest.mark.parametrize("parameters", [None, {}, "arc_eager", 5])
def test_a_system_is_made_from_parameters_only(parameters: Any) -> None:
    with pytest.raises(TypeError, match="should be SystemParameters"):
        TransitionSystem(parameters)


@pytest.mark.parametrize("labels", ["det", b"det", ["det", 1], [None], 5])
def test_labels_of_other_types_are_refused(labels: Any) -> None:
    with pytest.raises(TypeError):
        TransitionSystem(arc_eager(), labels)


def test_repeated_labels_are_named() -> None:
    with pytest.raises(ValueError, match="'det'"):
        TransitionSystem(arc_eager(), ["det", "nsubj", "det"])


@pytest.mark.parametrize("kind", [TransitionSystem, Configuration])
def test_nothing_is_made_without_arguments(kind: type) -> None:
    with pytest.raises(TypeError):
        kind.__new__(kind)


def test_a_configuration_is_copied_but_not_pickled() -> None:
    configuration = TransitionSystem(arc_eager()).initial(3)
    assert copy.copy(configuration).state() == configuration.state()
    with pytest.raises(TypeError):
        pickle.dumps(configuration)


@pytest.mark.parametrize("transition, label", [("SHIFT", "det"), ("LEFT-ARC", None),
                                               ("LEFT-ARC", "obj"), ("SWAP", None)])
def test_a_class_that_is_not_there_is_not_found(transition: str, label: str | None) -> None:
    with pytest.raises(ValueError, match=transition if label != "obj" else "obj"):
        TransitionSystem(arc_eager(), LABELS).find_class(transition, label)


@pytest.mark.parametrize("index", [-1, 10**6, 2**40])
def test_a_class_number_out_of_range_is_refused(index: int) -> None:
    with pytest.raises(ValueError, match="index"):
        TransitionSystem(arc_eager(), LABELS).describe_class(index)


def test_a_transition_is_that_of_the_system_in_all_it_is() -> None:
    """A REDUCE at another position is refused, although it has the same name."""
    system = TransitionSystem(arc_eager(), LABELS)
    configuration = system.initial(3)
    for name, label in (("SHIFT", None), ("RIGHT-ARC", "det")):
        configuration.apply(name, label)
    reduce = next(t for t in system.transitions if t.move == "REDUCE")
    other = Transition("REDUCE", left=reduce.left + 1)
    assert str(other) == str(reduce)
    with pytest.raises(ValueError, match="no transition of this system"):
        configuration.apply(other)
    configuration.apply(reduce)


def test_a_name_with_the_anchor_takes_the_same_transition() -> None:
    for name in ("LEFT-ARC@2", "LEFT-ARC"):
        configuration = TransitionSystem(easy_first(), LABELS).initial(3)
        transition = next(t for t in configuration.legal() if str(t) == name)
        by_value = configuration.copy()
        by_value.apply(transition, "det")
        configuration.apply(name, "det")
        assert configuration.state() == by_value.state()


def test_a_start_that_was_taken_is_not_forbidden_after() -> None:
    configuration = TransitionSystem(arc_eager(segment=True)).initial(3)
    for name in ("SHIFT", "BREAK"):
        configuration.apply(name)
    assert configuration.sentence_starts == [0, 1]
    with pytest.raises(ValueError, match="started at word 1"):
        configuration.forbid_start(1)


HUGE = 10**9
TOO_LARGE = {
    "attardi": lambda: attardi(HUGE),
    "easy-first distance": lambda: easy_first(distance=HUGE),
    "easy-first capacity": lambda: easy_first(2**31),
    "easy-first both": lambda: easy_first(2**31 - 1, 2**31 - 2),
    "arc-eager": lambda: arc_eager(distance=HUGE),
    "beyond 64 bits": lambda: attardi(10**30),
    "reductions": lambda: custom_system(
        HUGE, left={"reduce": False}, reduce=True, reduce_periphery="any"),
    "fill": lambda: custom_system(2, fill=HUGE),
}


@pytest.mark.parametrize("make", TOO_LARGE.values(), ids=TOO_LARGE)
def test_huge_parameters_are_refused_at_once(make: Any) -> None:
    with pytest.raises(ParameterError, match="distance|capacity"):
        make()


def test_the_largest_system_that_is_accepted_can_be_used() -> None:
    largest = max(
        (parameters for parameters in map(try_distance, range(1, 40)) if parameters),
        key=lambda parameters: len(parameters.transitions),
    )
    assert len(largest.transitions) == 32
    configuration = TransitionSystem(largest).initial(60)
    assert len(configuration.legal()) > 32
    while not configuration.is_terminal:
        configuration.apply(configuration.legal()[-1])


def try_distance(distance: int) -> SystemParameters | None:
    try:
        return easy_first(distance=distance)
    except ParameterError:
        return None


def test_a_large_capacity_is_all_words() -> None:
    configuration = TransitionSystem(easy_first(2**31 - 1)).initial(4)
    while not configuration.is_terminal:
        configuration.apply(configuration.legal()[-1])
    assert sorted(configuration.tree()) != []
