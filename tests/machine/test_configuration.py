"""The Python classes of the machine, in small examples and on random trees."""

import pickle
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import Transition, arc_eager
from tests.brute_force import Search, is_projective, projective_trees
from tests.conftest import assert_one_tree
from tests.conftest import projective_trees as random_trees
from tests.systems_table import SYSTEMS, Row

LABELS = ["det", "nsubj", "obj"]


def pairs(kinds: Callable[[Row], set[str]]) -> pytest.MarkDecorator:
    """Run a test for every system, once for each of the kinds of oracles that `kinds` returns."""
    rows_and_kinds = [(row, kind) for row in SYSTEMS for kind in sorted(kinds(row))]
    return pytest.mark.parametrize(
        "row, kind", rows_and_kinds, ids=[f"{row.name}-{kind}" for row, kind in rows_and_kinds]
    )


every_system = pytest.mark.parametrize("row", SYSTEMS, ids=lambda row: row.name)
every_oracle = pairs(lambda row: {"static", *row.oracles})
every_exact_oracle = pairs(lambda row: set(row.exact))


def names(transitions: list[Transition]) -> list[str]:
    return [str(transition) for transition in transitions]


# One sentence by hand: The cat sleeps


@pytest.fixture
def system() -> TransitionSystem:
    return TransitionSystem(arc_eager(), labels=LABELS)


def test_parse_a_sentence_by_hand(system: TransitionSystem) -> None:
    cat = system.initial(3)
    assert (cat.stack, cat.buffer, cat.heads) == ([], [0, 1, 2], [None, None, None])
    assert names(cat.legal()) == ["SHIFT"]
    cat.apply("SHIFT")
    assert (cat.stack, cat.buffer) == ([0], [1, 2])
    assert names(cat.legal()) == ["SHIFT", "LEFT-ARC", "RIGHT-ARC"]
    cat.apply("LEFT-ARC", "det")
    assert (cat.stack, cat.buffer, cat.heads) == ([], [1, 2], [1, None, None])
    cat.apply("SHIFT")
    assert not cat.is_terminal
    cat.apply("LEFT-ARC", "nsubj")
    assert cat.is_terminal and cat.legal() == []
    assert cat.heads == [1, 2, None]
    assert cat.labels == ["det", "nsubj", None]
    assert cat.tree() == [1, 2, 2]


def test_right_arc_shifts_and_keeps_the_dependent(system: TransitionSystem) -> None:
    configuration = system.initial(3)
    for transition in ("SHIFT", "RIGHT-ARC"):
        configuration.apply(transition)
    assert (configuration.stack, configuration.buffer) == ([0, 1], [2])
    assert names(configuration.legal()) == ["SHIFT", "RIGHT-ARC", "REDUCE"]
    configuration.apply("REDUCE")
    assert configuration.stack == [0]


def test_unshift_brings_back_the_headless_word(system: TransitionSystem) -> None:
    configuration = system.initial(2)
    for transition in ("SHIFT", "SHIFT"):
        configuration.apply(transition)
    assert configuration.ended
    assert (configuration.stack, configuration.buffer) == ([0, 1], [])
    assert configuration.operative == [0, 1, None]
    assert names(configuration.legal()) == ["UNSHIFT"]
    configuration.apply("UNSHIFT")
    assert (configuration.stack, configuration.buffer) == ([0], [1])
    assert names(configuration.legal()) == ["LEFT-ARC", "RIGHT-ARC"]
    configuration.apply("RIGHT-ARC", "obj")
    configuration.apply("REDUCE")
    assert configuration.is_terminal
    assert configuration.tree() == [0, 0]


@every_system
@given(random=st.randoms(use_true_random=False), n=st.integers(1, 7))
@settings(deadline=None, max_examples=20)
def test_single_nodes_are_those_of_the_lists(row: Row, random: Random, n: int) -> None:
    configuration = TransitionSystem(row.parameters, LABELS).initial(n)
    for _ in range(4 * n):
        operative, buffer = configuration.operative, configuration.buffer
        places = range(1, len(operative) + 1)
        assert [configuration.operative_at(place) for place in places] == operative[::-1]
        assert configuration.operative_at(len(operative) + 1) is None
        for place in (0, -1):
            with pytest.raises(ValueError, match="position"):
                configuration.operative_at(place)
        assert configuration.front == (buffer[0] if buffer else None)
        assert [configuration.head_of(word) for word in range(n)] == configuration.heads
        if configuration.is_terminal:
            break
        move = random.choice(configuration.legal())
        configuration.apply(move, random.choice(LABELS) if move.is_arc else None)


def test_unshift_puts_the_root_back_until_one_word_is_left() -> None:
    configuration = TransitionSystem(arc_eager(root="right"), LABELS).initial(2)
    for transition in ("SHIFT", "SHIFT"):
        configuration.apply(transition)
    assert configuration.ended
    assert (configuration.stack, configuration.buffer) == ([0, 1], [2])
    assert names(configuration.legal()) == ["UNSHIFT"]
    configuration.apply("UNSHIFT")
    assert (configuration.stack, configuration.buffer) == ([0], [1, 2])
    assert names(configuration.legal()) == ["LEFT-ARC", "RIGHT-ARC"]
    configuration.apply("LEFT-ARC", "nsubj")
    assert (configuration.stack, configuration.buffer) == ([], [1, 2])
    assert names(configuration.legal()) == ["SHIFT"]
    configuration.apply("SHIFT")
    assert names(configuration.legal()) == ["LEFT-ARC"]
    configuration.apply("LEFT-ARC", "obj")
    assert configuration.is_terminal
    assert configuration.heads == [1, 2]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("moves", [[], ["left", "reduce"]])
def test_under_the_tree_constraint_the_root_takes_one_word(n: int, moves: list[str]) -> None:
    system = TransitionSystem(arc_eager(True, moves, root="right"))
    ends = Search(system, projective_trees(n)).finished
    assert {tuple(end.tree()) for end in ends} == set(projective_trees(n))
    assert all(end.heads.count(n) == 1 for end in ends)


def test_non_monotonic_left_replaces_a_head() -> None:
    configuration = TransitionSystem(arc_eager(True, ["left"]), LABELS).initial(3)
    for transition, label in (("SHIFT", None), ("RIGHT-ARC", "det"), ("LEFT-ARC", "obj")):
        configuration.apply(transition, label)
    assert configuration.heads == [None, 2, None]
    assert configuration.labels == [None, "obj", None]


def test_non_monotonic_reduce_attaches_to_the_word_below_with_the_remembered_label() -> None:
    configuration = TransitionSystem(arc_eager(True, ["reduce"]), LABELS).initial(3)
    for transition, label in (("SHIFT", "det"), ("SHIFT", "obj"), ("REDUCE", None)):
        configuration.apply(transition, label)
    assert configuration.heads == [None, 0, None]
    assert configuration.labels == [None, "obj", None]


def test_without_tree_constraint_leftover_words_are_roots() -> None:
    configuration = TransitionSystem(arc_eager(False), LABELS).initial(3)
    for _ in range(3):
        configuration.apply("SHIFT")
    assert configuration.is_terminal
    assert configuration.tree() == [0, 1, 2]


def test_artificial_root_takes_the_root() -> None:
    configuration = TransitionSystem(arc_eager(False, root="right"), LABELS).initial(1)
    assert configuration.buffer == [0, 1]
    configuration.apply("SHIFT")
    configuration.apply("LEFT-ARC", "nsubj")
    assert configuration.is_terminal
    assert configuration.heads == [1]
    assert configuration.tree() == [0]


@pytest.mark.parametrize("n", [0, 1])
def test_sentences_of_no_or_one_word_are_finished_at_once(
    system: TransitionSystem, n: int
) -> None:
    configuration = system.initial(n)
    assert configuration.is_terminal
    assert configuration.tree() == list(range(n))


def test_a_copy_goes_its_own_way(system: TransitionSystem) -> None:
    configuration = system.initial(4)
    configuration.apply("SHIFT")
    copy = configuration.copy()
    assert copy.state() == configuration.state()
    copy.apply("RIGHT-ARC", "obj")
    assert configuration.heads == [None] * 4
    assert configuration.stack == [0]
    assert copy.heads == [None, 0, None, None]


def test_an_illegal_transition_is_refused_and_changes_nothing(
    system: TransitionSystem,
) -> None:
    configuration = system.initial(3)
    before = configuration.state()
    with pytest.raises(ValueError, match="REDUCE is not legal here; legal: SHIFT"):
        configuration.apply("REDUCE")
    assert configuration.state() == before


def test_nothing_is_legal_once_parsing_is_over(system: TransitionSystem) -> None:
    with pytest.raises(ValueError, match="SHIFT is not legal here.*parsing is over"):
        system.initial(1).apply("SHIFT")


def test_an_unknown_label_is_refused_and_changes_nothing(system: TransitionSystem) -> None:
    configuration = system.initial(3)
    configuration.apply("SHIFT")
    before = configuration.state()
    with pytest.raises(ValueError, match="'iobj'.*det"):
        configuration.apply("LEFT-ARC", "iobj")
    assert configuration.state() == before


def test_an_unknown_transition_is_refused(system: TransitionSystem) -> None:
    with pytest.raises(ValueError, match="'SWAP'.*SHIFT, LEFT-ARC, RIGHT-ARC"):
        system.initial(3).apply("SWAP")


def test_a_negative_number_of_words_is_refused(system: TransitionSystem) -> None:
    with pytest.raises(ValueError, match="-1"):
        system.initial(-1)


@every_system
def test_classes_are_named_and_found_again(row: Row) -> None:
    system = TransitionSystem(row.parameters, LABELS)
    classes = [system.describe_class(index) for index in range(system.n_classes)]
    assert len(set(classes)) == system.n_classes
    for index, (transition, label) in enumerate(classes):
        assert system.find_class(transition, label) == index
        assert transition.is_arc == (label in LABELS)
        assert system.class_name(index).startswith(str(transition))
    assert {transition for transition, _ in classes} == set(row.parameters.transitions)


@every_system
def test_systems_and_oracles_are_pickled(row: Row) -> None:
    system = pickle.loads(pickle.dumps(TransitionSystem(row.parameters, LABELS)))
    assert system.parameters == row.parameters
    assert system.labels == tuple(LABELS)
    for kind in row.exact:
        assert pickle.loads(pickle.dumps(Oracle(kind))).name == kind


# Oracles


def follow(system: TransitionSystem, steps: list, n_words: int) -> Configuration:
    configuration = system.initial(n_words)
    for transition, label in steps:
        configuration.apply(transition, label)
    return configuration


def test_costs_of_a_configuration_by_hand(system: TransitionSystem) -> None:
    # "The cat sleeps", with the cat in front of the parser and "The" on the stack.
    configuration = system.initial(3)
    configuration.apply("SHIFT")
    costs = Oracle("exact").costs(configuration, [1, 2, 2])
    # SHIFT loses the head of "The". RIGHT-ARC loses that head and the head of "cat".
    assert {str(t): cost for t, cost in costs.items()} == {
        "SHIFT": 1, "LEFT-ARC": 0, "RIGHT-ARC": 2,
    }


@pytest.mark.slow
@every_oracle
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_a_derivation_leads_to_every_projective_tree(row: Row, kind: str, n: int) -> None:
    system = TransitionSystem(row.parameters)
    oracle = Oracle(kind)
    for tree in projective_trees(n):
        steps = oracle.derivation(system, tree)
        assert follow(system, steps, n).tree() == list(tree)
        assert "UNSHIFT" not in {str(transition) for transition, _ in steps}


@pytest.mark.slow
@every_oracle
@settings(max_examples=25, deadline=None)
@given(heads=random_trees(max_words=40), data=st.data())
def test_a_derivation_leads_to_long_labelled_trees(
    row: Row, kind: str, heads: list[int], data: st.DataObject
) -> None:
    system = TransitionSystem(row.parameters, LABELS)
    labels = data.draw(st.lists(st.sampled_from(LABELS), min_size=len(heads), max_size=len(heads)))
    steps = Oracle(kind).derivation(system, heads, labels)
    final = follow(system, steps, len(heads))
    assert final.tree() == heads
    if kind == "static" or "reduce" not in row.parameters.non_monotonic:
        for word, label in enumerate(final.labels):
            assert heads[word] == word or label == labels[word]


@pytest.mark.slow
@every_exact_oracle
@settings(max_examples=25, deadline=None)
@given(heads=random_trees(max_words=15), choices=st.randoms(use_true_random=False))
def test_some_legal_transition_costs_nothing(
    row: Row, kind: str, heads: list[int], choices
) -> None:
    configuration = TransitionSystem(row.parameters).initial(len(heads))
    oracle = Oracle(kind)
    while not configuration.is_terminal:
        costs = oracle.costs(configuration, heads)
        assert list(costs) == configuration.legal()
        assert min(costs.values()) == 0
        configuration.apply(choices.choice(configuration.legal()))


def test_missing_heads_cost_nothing(system: TransitionSystem) -> None:
    configuration = system.initial(3)
    configuration.apply("SHIFT")
    costs = Oracle("exact").costs(configuration, [None, None, None])
    assert set(costs.values()) == {0}


def test_an_unknown_oracle_is_refused() -> None:
    with pytest.raises(ValueError, match="'perfect'.*dynamic, exact, .*static"):
        Oracle("perfect")


def test_a_gold_head_outside_the_sentence_is_refused(system: TransitionSystem) -> None:
    with pytest.raises(ValueError, match="head 7 of word 1"):
        Oracle("exact").costs(system.initial(3), [1, 7, 1])


# Random walks


@pytest.mark.slow
@every_system
@settings(max_examples=30, deadline=None)
@given(n=st.integers(1, 60), choices=st.randoms(use_true_random=False))
def test_random_walks_end_in_time_and_in_a_tree(row: Row, n: int, choices) -> None:
    configuration = TransitionSystem(row.parameters).initial(n)
    steps = 0
    while not configuration.is_terminal:
        configuration.apply(choices.choice(configuration.legal()))
        steps += 1
    assert steps <= row.most_steps(n)
    if row.one_tree:
        assert_one_tree(configuration.tree())
    if row.one_tree and row.is_projective:
        assert is_projective(configuration.tree())
