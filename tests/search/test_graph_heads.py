"""Parsed graphs are those of a slow decoder; they have one root, and every word is reached."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thinc.api import Model

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.search.greedy import parse_graphs
from spacy_arceager.systems import SystemParameters, Transition, dag
from tests import slow_model
from tests.conftest import SEEDS, random_scoring, random_vectors

LABELS = ("a", "b", "c")
SYSTEMS = {
    "dag": dag(), "dag_cyclic": dag(acyclic=False), "published": dag(reduce_headless=False)
}
every_system = pytest.mark.parametrize("parameters", SYSTEMS.values(), ids=SYSTEMS.keys())


class Arc(NamedTuple):
    dependent: int
    head: int
    label: str


class Option(NamedTuple):
    """A legal transition, the sum of the probabilities of its classes, and its best label."""

    probability: float
    transition: Transition
    label: str | None


# The slow decoder


def options_of(configuration: Configuration, model: Model, vectors: numpy.ndarray) -> list[Option]:
    system = configuration.system
    weights = slow_model.get_weights(model)
    (scores,) = slow_model.parse_scores(
        weights, vectors, *slow_model.features_of(configuration, model)
    )
    (legal,) = slow_model.legal_cells(configuration)
    shares = numpy.where(legal, numpy.exp(scores - scores[legal].max()), 0)
    classes = [system.describe_class(i) for i in range(system.n_classes)]
    options = []
    for transition in configuration.legal():
        classes_of = [i for i, (move, _) in enumerate(classes) if move == transition.at(1)]
        label = classes[max(classes_of, key=lambda i: scores[i])][1]
        options.append(Option(float(shares[classes_of].sum() / shares.sum()), transition, label))
    return options


def arc_of(configuration: Configuration, option: Option) -> Arc:
    left, right = configuration.stack[-1], configuration.buffer[0]
    if option.transition.move == "LEFT":
        left, right = right, left
    return Arc(right, left, option.label or "")


def parse_slowly(
    system: TransitionSystem, model: Model, vectors: numpy.ndarray
) -> tuple[set[Arc], int]:
    """The arcs of a graph, and how many of them were added to reach a word."""
    configuration = system.initial(len(vectors))
    made: set[Arc] = set()
    unmade: list[tuple[float, Arc]] = []
    while slow_model.advance(configuration):
        headless = {*range(len(vectors))} - {arc.dependent for arc in made}
        options = options_of(configuration, model, vectors)
        arcs = {option: arc_of(configuration, option)
                for option in options if option.transition.is_arc}
        allowed = [option for option in options
                   if option not in arcs or headless != {arcs[option].dependent}]
        chosen = max(allowed)
        unmade += [(option.probability, arc) for option, arc in arcs.items() if option != chosen]
        if chosen in arcs:
            made.add(arcs[chosen])
        configuration.apply(chosen.transition, chosen.label)
    added = connect(made, unmade, len(vectors), system.parameters.acyclic)
    return made | added, len(added)


def connect(
    made: set[Arc], unmade: Sequence[tuple[float, Arc]], n_words: int, acyclic: bool
) -> set[Arc]:
    headless = sorted({*range(n_words)} - {arc.dependent for arc in made})
    added: set[Arc] = set()
    root = max(headless, key=lambda word: len(reached_from(word, made)))
    while True:
        reached = reached_from(root, made | added)
        useful = [
            (p, arc) for p, arc in unmade
            if arc.head in reached and arc.dependent not in reached
            and not (acyclic and arc.head in reached_from(arc.dependent, made | added))
        ]
        if not useful:
            return added
        added.add(max(useful)[1])


def reached_from(word: int, arcs: Iterable[Arc]) -> set[int]:
    arcs, reached = list(arcs), {word}
    while more := {arc.dependent for arc in arcs if arc.head in reached} - reached:
        reached |= more
    return reached


# What is compared


def parse_fast(
    system: TransitionSystem, model: Model, vectors: numpy.ndarray, lengths: list[int]
) -> list[set[Arc]]:
    arcs = parse_graphs(system, model.predict(None), vectors, lengths)
    ends = numpy.cumsum(lengths)
    graphs: list[set[Arc]] = [set() for _ in lengths]
    for dependent, head, label in arcs.tolist():
        sentence = int(numpy.searchsorted(ends, dependent, side="right"))
        start = int(ends[sentence]) - lengths[sentence]
        arc = Arc(dependent - start, head - start, LABELS[label])
        assert arc not in graphs[sentence]
        graphs[sentence].add(arc)
    return graphs


@every_system
@settings(max_examples=8, deadline=None)
@given(lengths=st.lists(st.integers(1, 14), min_size=1, max_size=3), seed=SEEDS)
def test_graphs_equal_those_of_the_slow_decoder(
    parameters: SystemParameters, lengths: list[int], seed: int
) -> None:
    system = TransitionSystem(parameters, LABELS)
    model = random_scoring(system, seed)
    vectors = random_vectors(sum(lengths), model.get_dim("nI"), seed)
    start = 0
    for length, arcs in zip(lengths, parse_fast(system, model, vectors, lengths)):
        slow, _ = parse_slowly(system, model, vectors[start:start + length])
        assert arcs == slow
        start += length


def test_arcs_are_added_where_words_are_not_reached() -> None:
    system = TransitionSystem(dag(acyclic=False), LABELS)
    added = [
        parse_slowly(system, model, random_vectors(12, model.get_dim("nI"), seed))[1]
        for seed in range(10) for model in [random_scoring(system, seed)]
    ]
    assert sum(n > 0 for n in added) > 2


@settings(max_examples=20, deadline=None)
@given(n=st.integers(1, 30), seed=SEEDS, acyclic=st.booleans())
def test_there_is_one_root_and_every_word_beside_another_is_reached(
    n: int, seed: int, acyclic: bool
) -> None:
    system = TransitionSystem(dag(acyclic=acyclic), LABELS)
    model = random_scoring(system, seed)
    (arcs,) = parse_fast(system, model, random_vectors(n, model.get_dim("nI"), seed), [n])
    roots = {*range(n)} - {arc.dependent for arc in arcs}
    assert len(roots) >= 1
    if not acyclic:     # where no arc may close a cycle, some words can be out of reach
        reached = set().union(*(reached_from(root, arcs) for root in roots))
        assert reached == {*range(n)}
    else:
        assert all(arc.head not in reached_from(arc.dependent, arcs) for arc in arcs)
