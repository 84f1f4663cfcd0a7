"""Greedy parses against a slow decoder that scores every anchor anew at every step."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thinc.api import Model

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.search.greedy import parse
from spacy_arceager.systems import SystemParameters, arc_hybrid
from tests import slow_model
from tests.conftest import SEEDS, random_scoring, random_vectors
from tests.search.systems import (
    ANCHORED,
    BOTH_SIDES,
    BOTH_SIDES_ATTRIBUTES,
    EVERY,
    SEGMENTING,
)

LABELS = ("a", "b", "c")
lengths_of_sentences = st.lists(st.integers(1, 16), min_size=1, max_size=3)


def every(systems: dict[str, SystemParameters]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("parameters", systems.values(), ids=systems.keys())


def assert_same(
    configuration: Configuration, heads: numpy.ndarray, labels: numpy.ndarray
) -> None:
    tree = configuration.tree()
    assert heads.tolist() == tree
    assert [None if i < 0 else LABELS[i] for i in labels] == [
        None if tree[word] == word else label for word, label in enumerate(configuration.labels)
    ]


def assert_same_as_slow(
    system: TransitionSystem, model: Model, lengths: list[int], seed: int
) -> None:
    vectors = random_vectors(sum(lengths), model.get_dim("nI"), seed)
    heads, labels, starts = parse(system, model.predict(None), vectors, lengths)
    start = 0
    for length in lengths:
        words = slice(start, start + length)
        slow = slow_model.parse_slowly(system, model, vectors[words])
        assert_same(slow, heads[words], labels[words])
        assert numpy.flatnonzero(starts[words]).tolist() == slow.sentence_starts
        start += length


@pytest.mark.slow
@every(EVERY)
@settings(max_examples=4, deadline=None)
@given(lengths=lengths_of_sentences, seed=SEEDS)
def test_parses_equal_those_of_the_slow_decoder(
    parameters: SystemParameters, lengths: list[int], seed: int
) -> None:
    system = TransitionSystem(parameters, LABELS)
    assert_same_as_slow(system, random_scoring(system, seed), lengths, seed)


@pytest.mark.slow
@every(ANCHORED)
def test_parses_of_long_sentences_equal_those_of_the_slow_decoder(
    parameters: SystemParameters,
) -> None:
    system = TransitionSystem(parameters, LABELS)
    assert_same_as_slow(system, random_scoring(system, 1), [60], 1)


@pytest.mark.slow
@every(ANCHORED)
@pytest.mark.parametrize("words", [["O1"], ["U1", "O2"], BOTH_SIDES], ids=len)
def test_whatever_an_anchor_sees_is_scored_again_when_it_changes(
    parameters: SystemParameters, words: list[str]
) -> None:
    system = TransitionSystem(parameters, LABELS)
    attributes = BOTH_SIDES_ATTRIBUTES if words is BOTH_SIDES else ["O1.valency"]
    model = random_scoring(system, 3, words=words, attributes=attributes)
    assert_same_as_slow(system, model, [30], 3)


@every(SEGMENTING)
@settings(max_examples=4, deadline=None)
@given(length=st.integers(1, 40), forbidden=st.sets(st.integers(1, 39)), seed=SEEDS)
def test_boundaries_equal_those_of_the_slow_decoder(
    parameters: SystemParameters, length: int, forbidden: set[int], seed: int
) -> None:
    system = TransitionSystem(parameters, LABELS)
    model = random_scoring(system, seed)
    vectors = random_vectors(length, 8, seed)
    mask = numpy.zeros((length,), bool)
    start = system.initial(length)
    for word in forbidden & set(range(1, length)):
        mask[word] = True
        start.forbid_start(word)
    heads, labels, starts = parse(system, model.predict(None), vectors, [length], mask)
    slow = slow_model.parse_slowly(system, model, vectors, start)
    assert_same(slow, heads, labels)
    assert numpy.flatnonzero(starts).tolist() == slow.sentence_starts
    assert not (starts & mask).any()


@every(ANCHORED | SEGMENTING)
@pytest.mark.parametrize("value", [numpy.nan, numpy.inf, -numpy.inf])
def test_weights_that_are_no_numbers_still_give_every_word_a_head(
    parameters: SystemParameters, value: float
) -> None:
    system = TransitionSystem(parameters, LABELS)
    model = random_scoring(system, 1)
    model.get_param("upper_b")[:] = value
    vectors = random_vectors(30, 8, 1)
    heads, _, starts = parse(system, model.predict(None), vectors, [30])
    assert starts[0]
    assert ((heads >= 0) & (heads < 30)).all()


@pytest.mark.parametrize(
    "words", [["O1", "U1"], ["O3", "O2.left1"], ["O2.left1", "O1", "O4", "U2"]], ids=str
)
def test_word_features_that_are_ready_or_computed_later(words: list[str]) -> None:
    system = TransitionSystem(arc_hybrid(), LABELS)
    model = random_scoring(system, 2, words=words)
    assert_same_as_slow(system, model, [1, 9, 2, 17], 2)


def test_many_sentences_parse_as_each_alone() -> None:
    system = TransitionSystem(arc_hybrid(), LABELS)
    scorer = random_scoring(system, 3).predict(None)
    lengths = [2, 3, 4] * 200      # several blocks, and several chunks of the lower layer
    vectors = random_vectors(sum(lengths), 8, 3)
    together = parse(system, scorer, vectors, lengths)
    ends = numpy.cumsum(lengths)
    for end, length in zip(ends, lengths):
        alone = parse(system, scorer, vectors[end - length : end], [length])
        for one, all_words in zip(alone, together):
            assert numpy.array_equal(one, all_words[end - length : end])
