"""Sets of labels of children, along random derivations of every kind, against the slow model."""

import random

import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.search import beam
from spacy_arceager.search.derivation import ScoredStep, log_probability
from spacy_arceager.search.replay import Replay, replay
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    dag,
    easy_first,
)
from tests import slow_model
from tests.conftest import random_scoring, random_vectors
from tests.systems_table import kept_on_stack

TOP = -4    # the anchor of systems that have only one
LABELS = ("a", "b", "c", "d", "e")
BOTH = ["left", "reduce"]
TREES = {
    "arc_eager": arc_eager(),
    "arc_eager_nm": arc_eager(True, BOTH),
    "arc_eager_nm, labelled": arc_eager(True, BOTH, labelled_reduce=True),
    "arc_eager_plain_nm, root right": arc_eager(False, BOTH, root="right"),
    "arc_eager_plain, root left": arc_eager(False, root="left"),
    "arc_eager 2": arc_eager(distance=2),
    "arc_eager_nm, segment": arc_eager(True, BOTH, segment=True),
    "arc_standard+swap, root left": arc_standard(True, "left"),
    "arc_standard+swap, segment": arc_standard(True, segment=True),
    "arc_hybrid+swap, root right": arc_hybrid(True, "right"),
    "attardi 3": attardi(3),
    "kept on the stack": kept_on_stack(3, "left"),
    "easy_first": easy_first(),
    "easy_first, root left": easy_first(None, 2, "left"),
    "easy_first 4, segment": easy_first(4, segment=True),
}
GRAPHS = {"dag": dag(), "dag_cyclic": dag(acyclic=False)}
SETS = [
    f"{word}.{side}_labels"
    for word in ("O1", "O2", "O3", "U1", "O1.head", "O2.left1")
    for side in ("left", "right")
]


class RandomDerivation:
    """A sentence that is parsed at random; a model with random weights scores each step."""

    def __init__(self, parameters: SystemParameters, n_words: int, seed: int):
        self.system = TransitionSystem(parameters, LABELS)
        self.model = random_scoring(self.system, seed, words=["O1"], attributes=SETS)
        self.weights = slow_model.get_weights(self.model)
        self.vectors = random_vectors(n_words, 8, seed)
        self.configuration = self.system.initial(n_words)
        self.replay = Replay(self.system, self.model.predict(None), self.vectors, None)
        self.random = random.Random(seed)

    def step(self) -> ScoredStep:
        """Take the next step; `configuration` stays as it was when the step was scored."""
        forced = self.replay.forced_step()
        if forced is not None:
            return forced
        transition = self.random.choice(self.configuration.legal())
        label = self.random.choice(LABELS) if transition.is_arc else None
        anchored = self.system.parameters.is_anchored
        anchor = self.configuration.operative[-transition.anchor] if anchored else TOP
        return self.replay.step(self.system.find_class(transition.at(1), label), anchor)

    def assert_same_scores(self, step: ScoredStep) -> None:
        words, attributes = slow_model.features_of(self.configuration, self.model)
        scores = slow_model.parse_scores(self.weights, self.vectors, words, attributes)
        anchors = slow_model.anchors_of(self.configuration)
        for option in step.options:
            of_anchor = scores[anchors.index(option.transition.anchor)]
            expected = of_anchor[self.system.find_class(option.transition.at(1), option.label)]
            assert option.score == pytest.approx(expected, rel=1e-3, abs=1e-3)

    def largest_set(self) -> int:
        """The most labels that the children of one word have on one side."""
        sets: dict[tuple[int, bool], set[str]] = {}
        for word, arcs in enumerate(self.configuration.graph):
            for head, label in arcs:
                sets.setdefault((head, word < head), set()).add(label)
        return max(map(len, sets.values()), default=0)


@pytest.mark.parametrize("parameters", (TREES | GRAPHS).values(), ids=(TREES | GRAPHS).keys())
def test_sets_along_random_derivations(parameters: SystemParameters) -> None:
    largest = 0
    for seed in range(6):
        derivation = RandomDerivation(parameters, 14, seed)
        while not derivation.replay.is_over:
            step = derivation.step()
            derivation.assert_same_scores(step)
            derivation.configuration.apply(step.transition, step.label)
            largest = max(largest, derivation.largest_set())
    assert largest > 1


@pytest.mark.parametrize("parameters", TREES.values(), ids=TREES.keys())
def test_sets_of_the_hypotheses_of_a_beam(parameters: SystemParameters) -> None:
    system = TransitionSystem(parameters, LABELS)
    scorer = random_scoring(system, 1, words=["O1", "O2"], attributes=SETS).predict(None)
    vectors = random_vectors(10, 8, 1)
    trees = beam.search(system, scorer, vectors, [10], BeamSettings(4), with_choices=True)[0]
    assert len(trees) > 1
    for tree in trees:
        steps = replay(system, scorer, vectors, tree.choices)
        assert tree.score == pytest.approx(log_probability(steps), rel=1e-3, abs=1e-3)
