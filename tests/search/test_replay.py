"""A replay gives the trees of the search, and scores each step as the search did."""

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search import beam, greedy
from spacy_arceager.search.derivation import ScoredStep, log_probability
from spacy_arceager.search.forbidden import Forbidden
from spacy_arceager.search.replay import replay
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import SystemParameters, arc_eager, arc_hybrid, dag, easy_first
from tests.conftest import SEEDS, random_scoring, random_vectors
from tests.search.systems import EVERY, SEGMENTING

LABELS = ("a", "b", "c")
NON_MONOTONIC = {
    "arc_eager_nm": arc_eager(True, ["left", "reduce"]),
    "arc_eager_nm_plain": arc_eager(False, ["left", "reduce"], root="right"),
}
SYSTEMS = EVERY | SEGMENTING | NON_MONOTONIC | {"dag": dag()}
every_system = pytest.mark.parametrize("parameters", SYSTEMS.values(), ids=SYSTEMS.keys())


def derive(*arguments: Any) -> list[numpy.ndarray]:
    """The choices of a greedy search, without rules."""
    return greedy.derive_by_rules(*arguments)[0]


def apply_all(system: TransitionSystem, n_words: int, steps: list[ScoredStep]) -> Configuration:
    """Take the steps with the Python class of configurations, which checks that each is legal."""
    configuration = system.initial(n_words)
    for step in steps:
        configuration.apply(step.transition, step.label)
    assert configuration.is_terminal
    return configuration


def assert_is_parse(
    configuration: Configuration, heads: numpy.ndarray, labels: numpy.ndarray
) -> None:
    assert configuration.tree() == heads.tolist()
    expected = [
        None if head == word else label
        for word, (head, label) in enumerate(zip(heads, configuration.labels))
    ]
    assert [None if label < 0 else LABELS[label] for label in labels] == expected


def assert_scores_are_sound(
    system: TransitionSystem, n_words: int, steps: list[ScoredStep]
) -> None:
    configuration = system.initial(n_words)
    for step in steps:
        legal = configuration.legal()
        if step.options:
            assert [option.transition for option in step.options] == legal
            assert step.taken in step.options and step.taken.transition == step.transition
            assert sum(option.probability for option in step.options) == pytest.approx(1, abs=1e-5)
            assert all(0 <= option.label_probability <= 1 for option in step.options)
            if step.transition.is_arc:
                assert step.taken.label == step.label
        else:
            assert step.transition in legal and not step.transition.is_arc
        configuration.apply(step.transition, step.label)


@every_system
@settings(max_examples=3, deadline=None)
@given(lengths=st.lists(st.integers(0, 14), min_size=1, max_size=3), seed=SEEDS)
def test_greedy_steps_give_the_parse_and_each_is_the_best(
    parameters: SystemParameters, lengths: list[int], seed: int
) -> None:
    system = TransitionSystem(parameters, LABELS)
    scorer = random_scoring(system, seed).predict(None)
    vectors = random_vectors(sum(lengths), 8, seed)
    heads, labels, starts = greedy.parse(system, scorer, vectors, lengths)
    start = 0
    for n, choices in zip(lengths, derive(system, scorer, vectors, lengths)):
        words = slice(start, start + n)
        steps = replay(system, scorer, vectors[words], choices)
        configuration = apply_all(system, n, steps)
        if not parameters.graph:
            assert_is_parse(configuration, heads[words], labels[words])
        assert configuration.sentence_starts == numpy.flatnonzero(starts[words]).tolist()
        assert_scores_are_sound(system, n, steps)
        for step in steps:
            if step.taken:
                assert step.taken.score == max(option.score for option in step.options)
        start += n


@settings(max_examples=30, deadline=None)
@given(n=st.integers(2, 9), seed=SEEDS)
def test_a_word_remembers_no_forbidden_label_and_the_fixed_one(n: int, seed: int) -> None:
    """So that the arc of a non-monotonic REDUCE has the label that the search gave."""
    system = TransitionSystem(arc_eager(True, ["left", "reduce"]), LABELS)
    scorer = random_scoring(system, seed).predict(None)
    vectors = random_vectors(n, 8, seed)
    generator = numpy.random.default_rng(seed)
    banned = numpy.zeros((n, len(LABELS)), dtype=bool)
    banned[numpy.arange(n), generator.integers(0, len(LABELS), n)] = True
    forbidden = Forbidden(numpy.zeros((n, n), dtype=bool), banned)
    heads = beam.search(system, scorer, vectors, [n], BeamSettings(8))[0][0].heads
    is_fixed = (generator.random(n) < 0.5) & (heads != numpy.arange(n))
    fixed = numpy.where(is_fixed, heads, -1), numpy.where(is_fixed, banned.argmin(axis=1), -1)
    call = (system, scorer, vectors, [n], BeamSettings(8), None, fixed, Oracle("exact"), 1,
            [forbidden])
    for _, heads, labels, _, choices in beam.search(*call, with_choices=True)[0]:
        steps = replay(
            system, scorer, vectors, choices, forbidden=forbidden, labels=fixed[1]
        )
        assert_is_parse(apply_all(system, n, steps), heads, labels)


def test_constraints_of_another_number_of_words() -> None:
    system = TransitionSystem(arc_eager(), LABELS)
    scorer, vectors = random_scoring(system, 1).predict(None), random_vectors(3, 8, 1)
    (choices,) = derive(system, scorer, vectors, [3])
    none = Forbidden(numpy.zeros((2, 2), dtype=bool), numpy.zeros((2, 3), dtype=bool))
    with pytest.raises(ValueError, match="of 2 words, not of 3"):
        replay(system, scorer, vectors, choices, forbidden=none)
    with pytest.raises(ValueError, match="2 fixed labels for 3 words"):
        replay(system, scorer, vectors, choices, labels=numpy.array([-1, -1]))


def test_steps_of_a_graph_make_its_arcs() -> None:
    system = TransitionSystem(dag(), LABELS)
    scorer = random_scoring(system, 5).predict(None)
    vectors = random_vectors(9, 8, 5)
    arcs = greedy.parse_graphs(system, scorer, vectors, [9])
    steps = replay(system, scorer, vectors, derive(system, scorer, vectors, [9])[0])
    graph = apply_all(system, 9, steps).graph
    made = [[word, head, LABELS.index(label)] for word in range(9) for head, label in graph[word]]
    assert made and made == arcs.tolist()


@every_system
@settings(max_examples=3, deadline=None)
@given(n=st.integers(1, 9), width=st.integers(1, 6), seed=SEEDS)
def test_choices_of_a_beam_give_its_trees_and_their_scores(
    parameters: SystemParameters, n: int, width: int, seed: int
) -> None:
    if parameters.graph:
        return
    system = TransitionSystem(parameters, LABELS)
    scorer = random_scoring(system, seed).predict(None)
    vectors = random_vectors(n, 8, seed)
    trees = beam.search(system, scorer, vectors, [n], BeamSettings(width), with_choices=True)[0]
    for score, heads, labels, _, choices in trees:
        steps = replay(system, scorer, vectors, choices)
        assert_is_parse(apply_all(system, n, steps), heads, labels)
        assert_scores_are_sound(system, n, steps)
        assert score == pytest.approx(log_probability(steps), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("name", SEGMENTING)
def test_given_boundaries(name: str) -> None:
    system = TransitionSystem(SEGMENTING[name], LABELS)
    scorer = random_scoring(system, 2).predict(None)
    vectors = random_vectors(20, 8, 2)
    boundaries = numpy.random.default_rng(2).integers(0, 3, 20).astype("i")
    heads, labels, starts = greedy.parse(system, scorer, vectors, [20], boundaries)
    (choices,) = derive(system, scorer, vectors, [20], boundaries)
    configuration = apply_all(system, 20, replay(system, scorer, vectors, choices, boundaries))
    assert_is_parse(configuration, heads, labels)
    assert configuration.sentence_starts == numpy.flatnonzero(starts).tolist()


def parser(parameters: SystemParameters) -> tuple[TransitionSystem, Scorer, numpy.ndarray]:
    system = TransitionSystem(parameters, LABELS)
    return system, random_scoring(system, 1).predict(None), random_vectors(6, 8, 1)


@pytest.mark.parametrize("parameters", [arc_hybrid(), easy_first()], ids=["stack", "anchored"])
def test_choices_of_something_else_are_refused(parameters: SystemParameters) -> None:
    system, scorer, vectors = parser(parameters)
    choices = derive(system, scorer, vectors, [6])[0]
    assert replay(system, scorer, vectors, choices)
    with pytest.raises(ValueError, match="choices end before"):
        replay(system, scorer, vectors, choices[:-1])
    with pytest.raises(ValueError, match="derivation ends before"):
        replay(system, scorer, vectors, [*choices, choices[0]])
    for index, anchor in [(0, 99), (system.n_classes - 1, -7)]:
        with pytest.raises(ValueError, match="is not legal here"):
            replay(system, scorer, vectors, [[index, anchor]])
    for index in (-1, system.n_classes):
        with pytest.raises(ValueError, match="is no class"):
            replay(system, scorer, vectors, [[index, choices[0][1]]])


def test_a_sentence_without_words() -> None:
    system, scorer, vectors = parser(arc_eager())
    assert [len(choices) for choices in derive(system, scorer, vectors, [0, 6, 0])][::2] == [
        0, 0,
    ]
    assert replay(system, scorer, vectors[:0], []) == []


def test_weights_that_are_far_apart_still_have_probabilities() -> None:
    system = TransitionSystem(arc_eager(), LABELS)
    model = random_scoring(system, 1)
    model.get_param("upper_W")[:] *= 1e6
    vectors = random_vectors(8, 8, 1)
    scorer = model.predict(None)
    steps = replay(system, scorer, vectors, derive(system, scorer, vectors, [8])[0])
    assert_scores_are_sound(system, 8, steps)
    assert numpy.isfinite(log_probability(steps))
