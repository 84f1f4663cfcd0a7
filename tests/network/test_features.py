"""Feature addresses, and the words and values that they have in configurations."""

from dataclasses import replace

import numpy
import pytest
from hypothesis import given, settings
from thinc.api import Model

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.addresses import ATTRIBUTES, HOPS
from spacy_arceager.network.features import (
    compile_attributes,
    compile_words,
    parse_attribute,
    parse_word,
    table_size,
)
from spacy_arceager.network.transition_model import build_transition_model
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.rollout import RollOut, roll_out
from spacy_arceager.systems import SystemParameters, arc_eager
from spacy_arceager.systems.features import FRONT
from tests import slow_model
from tests.conftest import SEEDS, float_scorer, projective_trees, random_scoring, random_vectors
from tests.search.systems import BOTH_SIDES, BOTH_SIDES_ATTRIBUTES, EVERY

LABELS = ["det", "nsubj", "obj", "punct"]

# Addresses


@pytest.mark.parametrize("text", ["O1", "O9", "O17", "U3", "O2.left1", "O1.head.right2"])
def test_word_addresses(text: str) -> None:
    address = parse_word(text)
    assert address.in_unprocessed == (text[0] == "U")
    assert address.position == int(text[1:].split(".")[0])
    hops = text.split(".")[1:]
    assert address.hops == tuple(hops) and set(hops) <= set(HOPS)


@pytest.mark.parametrize("text", ["O2.label", "O2.left1.label", "O1.valency", "U1.valency"])
def test_attribute_addresses_extend_word_addresses(text: str) -> None:
    address, word = parse_attribute(text), parse_word(text.rpartition(".")[0])
    assert replace(address, attribute=None) == word
    assert address.attribute == text.rpartition(".")[2]


def test_distance_addresses_name_two_positions() -> None:
    address = parse_attribute("O3-O1")
    assert (address.position, address.other_position) == (3, 1)
    address = parse_attribute("O1-U2")
    assert (address.position, address.other_position) == (1, -2)


def test_different_addresses_are_different() -> None:
    words = [f"{list_}{i}{hop}" for list_ in "OU" for i in (1, 2) for hop in ("", ".left1")]
    assert len(set(compile_words(words))) == len(words)
    attributes = ["O1.label", "O1.valency", "O2.label", "O2-O1", "O3-O1", "O3-O2"]
    rows = set(compile_attributes(attributes))
    assert len(rows) == len(attributes)


@pytest.mark.parametrize(
    "text",
    ["", "O", "O0", "O100", "O01", "S1", "o1", "U1 ", "O1.left", "O1.left3", "O1.child", "O1.label",
     "O1..head", "O1.head.head.head", "O2-O1", "\nO1", "O1\n"],
)
def test_wrong_word_addresses_are_refused_with_help(text: str) -> None:
    with pytest.raises(ValueError) as error:
        parse_word(text)
    assert f"'{text}'" in str(error.value)
    for help_ in ("O1..O99", "U1..U99", ".left1", ".head"):
        assert help_ in str(error.value)


@pytest.mark.parametrize(
    "text", ["O1", "O1.left1", "O2-", "U1-O2", "O1-O0", "O1-U0", "O2.left1-O1"]
)
def test_wrong_attribute_addresses_are_refused_with_help(text: str) -> None:
    with pytest.raises(ValueError) as error:
        parse_attribute(text)
    assert f"'{text}'" in str(error.value)
    for help_ in (".label", ".valency", "O2-O1"):
        assert help_ in str(error.value)


@pytest.mark.parametrize("text", ["X1.label", "O1.left3.valency", ".label"])
def test_attributes_of_wrong_words_are_refused_with_help(text: str) -> None:
    with pytest.raises(ValueError, match="O1..O99"):
        parse_attribute(text)


def test_a_model_without_word_features_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one word feature"):
        compile_words([])


@pytest.mark.parametrize("wrong", [{"words": ["O1", "S2"]}, {"attributes": ["S2.label"]}])
def test_a_wrong_address_in_a_config_is_refused_when_the_model_is_built(
    wrong: dict, tok2vec
) -> None:
    with pytest.raises(ValueError, match="'S2' is no feature address"):
        build_transition_model(tok2vec, **wrong)


# Values


def recorded(
    system: TransitionSystem,
    heads: list[int],
    labels: list[int],
    words: list[str],
    attributes: list[str],
    seed: int = 0,
) -> tuple[Model, RollOut]:
    """A random model, and what is recorded while the oracle derives one tree."""
    model = random_scoring(system, seed, words=words, attributes=attributes)
    lengths = numpy.asarray([len(heads)], dtype="i")
    gold = GoldTrees(lengths, heads, labels, system.parameters.root != "none")
    vectors = random_vectors(len(heads), 8, seed)
    oracle = Oracle("static")
    return model, roll_out(system, float_scorer(model), vectors, gold, oracle, 0.0, 0.0, 1)


# The steps of "She reads old books ." that leave something to decide: LEFT-ARC(nsubj),
# SHIFT, LEFT-ARC(det), RIGHT-ARC(obj), REDUCE, RIGHT-ARC(punct).
BOOKS = [1, 1, 3, 1, 1]
BOOKS_LABELS = [1, -1, 0, 2, 3]
no_word, headless, det, nsubj, obj = range(5)


def test_words_of_a_derivation_by_hand() -> None:
    words = ["O1", "O2", "O3", "U1", "O1.left1", "O2.left1", "O2.head", "O1.left1.head"]
    system = TransitionSystem(arc_eager(), LABELS)
    _, rollout = recorded(system, BOOKS, BOOKS_LABELS, words, ["O2-O1"])
    none = len(BOOKS)
    assert rollout.word_rows.tolist() == [
        [1, 0, none, 2, none, none, none, none],
        [2, 1, none, 3, none, 0, none, none],
        [3, 2, 1, 4, none, none, none, none],
        [3, 1, none, 4, 2, 0, none, 3],
        [4, 3, 1, none, none, 2, 1, none],
        [4, 1, none, none, none, 0, none, none],
    ]


def test_attributes_of_a_derivation_by_hand() -> None:
    attributes = ["O2.label", "O1.valency", "O2.valency", "O2-O1", "O1.left1.label"]
    system = TransitionSystem(arc_eager(), LABELS)
    _, rollout = recorded(system, BOOKS, BOOKS_LABELS, ["O1"], attributes)
    starts = numpy.cumsum([0, 2 + len(LABELS), 17, 17, 11])
    # A valency is 1 + 4 * left + right children, a distance 1 + its bin.
    assert (rollout.attribute_rows - starts).tolist() == [
        [headless, 1, 1, 2, no_word],
        [headless, 1, 5, 2, no_word],
        [headless, 1, 1, 2, no_word],
        [headless, 5, 5, 3, det],
        [obj, 1, 5, 2, no_word],
        [headless, 1, 6, 4, no_word],
    ]


def set_row(*labels: int) -> int:
    """The row of a set of labels, by their indices."""
    bits = sum(1 << label for label in labels)
    return 2 + (bits * 0x9E3779B97F4A7C15 % 2**64 >> 54)


def test_sets_of_labels_of_a_derivation_by_hand() -> None:
    attributes = ["O1.left_labels", "O2.left_labels", "O2.right_labels", "O3.right_labels"]
    system = TransitionSystem(arc_eager(), LABELS)
    _, rollout = recorded(system, BOOKS, BOOKS_LABELS, ["O1"], attributes)
    of_det, of_nsubj, of_obj = set_row(0), set_row(1), set_row(2)
    assert (rollout.attribute_rows - 1026 * numpy.arange(4)).tolist() == [
        [1, 1, 1, no_word],
        [1, of_nsubj, 1, no_word],
        [1, 1, 1, 1],
        [of_det, of_nsubj, 1, no_word],
        [1, of_det, 1, of_obj],
        [1, of_nsubj, of_obj, no_word],
    ]


def test_a_set_of_labels_knows_no_order_and_no_number() -> None:
    # Words 0 to 2 depend on word 3, which is the root.
    system = TransitionSystem(arc_eager(), [f"label{i}" for i in range(70)])
    rows = set()
    for labels in ([7, 3, 65], [65, 7, 3], [3, 7, 1], [1, 3, 7]):
        _, rollout = recorded(system, [3, 3, 3, 3, 3], [*labels, -1, 0], ["O1"], ["O2.left_labels"])
        rows.add(int(rollout.attribute_rows[-1, 0]))
    assert rows == {set_row(1, 3, 7)}     # labels 64 apart share a bit
    _, rollout = recorded(system, [3, 3, 3, 3, 3], [7, 7, 7, -1, 0], ["O1"], ["O2.left_labels"])
    assert rollout.attribute_rows[-1].tolist() == [set_row(7)]


def test_the_artificial_root_has_a_row_of_its_own() -> None:
    system = TransitionSystem(arc_eager(False, root="right"), LABELS)
    _, rollout = recorded(system, [0, 0], [0, 1], ["O1", "O2", "U1"], ["O2-O1"])
    missing, root = 2, 4
    assert rollout.word_rows.tolist() == [[1, 0, root], [root, 0, missing]]


def test_the_end_of_the_input_has_a_row_of_its_own_and_a_distance() -> None:
    # Two roots, so no arc is gold: SHIFT, UNSHIFT and any arc.
    system = TransitionSystem(arc_eager(True, ["reduce"]), LABELS)
    _, rollout = recorded(system, [0, 1], [0, 1], ["O1", "O2"], ["O2-O1"])
    end = 3
    assert rollout.word_rows.tolist() == [[1, 0], [end, 1], [1, 0]]
    assert rollout.attribute_rows.tolist() == [[2], [2], [2]]


def test_a_model_may_have_no_attributes() -> None:
    system = TransitionSystem(arc_eager(), LABELS)
    _, rollout = recorded(system, BOOKS, BOOKS_LABELS, ["O1", "O2"], [])
    assert rollout.attribute_rows.shape == (6, 0)


@pytest.mark.parametrize(
    "distance, bin_",
    [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5), (7, 6), (9, 6), (10, 7), (14, 7),
     (15, 8), (24, 8), (25, 9), (40, 9)],
)
def test_distances_come_in_bins(distance: int, bin_: int) -> None:
    # All words between are children of the last word, which is thus the first to meet word 0.
    heads = [0] + [distance] * (distance - 1) + [0]
    _, rollout = recorded(
        TransitionSystem(arc_eager()), heads, [0] * len(heads), ["O1", "O2"], ["O2-O1"]
    )
    meeting = (rollout.word_rows == [distance, 0]).all(axis=1)
    assert rollout.attribute_rows[meeting].tolist() == [[1 + bin_]]


@pytest.mark.slow
@pytest.mark.parametrize("parameters", EVERY.values(), ids=EVERY.keys())
@settings(max_examples=3, deadline=None)
@given(heads=projective_trees(max_words=16, min_words=2), seed=SEEDS)
def test_features_equal_those_of_the_slow_model(
    parameters: SystemParameters, heads: list[int], seed: int
) -> None:
    system = TransitionSystem(parameters, LABELS)
    labels = [word % len(LABELS) for word in range(len(heads))]
    words = [*FRONT.words, *BOTH_SIDES]
    attributes = [*FRONT.attributes, *BOTH_SIDES_ATTRIBUTES]
    model, rollout = recorded(system, heads, labels, words, attributes, seed=seed)
    vectors = random_vectors(len(heads), 8, seed)
    slow = slow_model.roll_out(system, model, vectors, [heads], labels, Oracle("static"))
    rows = [
        [*word_row, *attribute_row]
        for state in slow.states
        for word_row, attribute_row in zip(state.words, state.attributes)
    ]
    actual = numpy.concatenate([rollout.word_rows, rollout.attribute_rows], axis=1).tolist()
    if parameters.is_anchored:
        # A row serves until its features change, and some anchors have no legal transition.
        assert set(map(tuple, rows)) <= set(map(tuple, actual))
    else:
        assert actual == rows


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_every_value_of_an_attribute_has_a_row(name: str) -> None:
    address = parse_attribute("O2-O1" if name == "distance" else f"O1.{name}")
    assert table_size(address, len(LABELS)) == slow_model.table_sizes(len(LABELS))[name]
