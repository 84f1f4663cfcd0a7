"""Beam search against greedy parsing and against all derivations, scored slowly."""

import resource
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thinc.api import Model

from spacy_arceager.machine.rules import TreeRules, WordRules, kind_of
from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.machine.valid import restrict, valid_classes
from spacy_arceager.network.weights import PARAMS
from spacy_arceager.search.beam import search
from spacy_arceager.search.forbidden import Forbidden
from spacy_arceager.search.greedy import parse
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import (
    Transition,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    easy_first,
)
from tests import slow_model
from tests.conftest import SEEDS, random_scoring, random_vectors

LABELS = ("a", "b", "c")
BOTH = ["left", "reduce"]
SYSTEMS = {
    "arc_eager": arc_eager(),
    "arc_eager_nm": arc_eager(True, BOTH),
    "arc_eager_nm_labelled": arc_eager(True, BOTH, labelled_reduce=True),
    "arc_eager_right": arc_eager(root="right"),
    "arc_eager_nm_right": arc_eager(True, BOTH, root="right"),
    "arc_eager_plain": arc_eager(False),
    "arc_eager_plain_left": arc_eager(False, root="left"),
    "arc_eager_plain_right": arc_eager(False, BOTH, root="right"),
    "arc_standard": arc_standard(),
    "arc_standard_right": arc_standard(root="right"),
    "arc_standard_swap": arc_standard(True),
    "arc_hybrid": arc_hybrid(),
    "arc_hybrid_left": arc_hybrid(root="left"),
    "arc_hybrid_swap": arc_hybrid(True),
    "attardi2": attardi(2),
    "attardi3": attardi(3),
    "arc_eager_d2": arc_eager(distance=2),
    "easy_first": easy_first(),
    "easy_first_right": easy_first(root="right"),
    "easy_first_d2": easy_first(distance=2),
    "easy_first_k3": easy_first(3),
    "easy_first_k4": easy_first(4),
    "easy_first_k4_d2": easy_first(4, 2),
    "arc_eager_segment": arc_eager(segment=True),
    "arc_eager_nm_segment": arc_eager(True, BOTH, segment=True),
    "arc_standard_segment": arc_standard(segment=True),
    "arc_hybrid_swap_segment": arc_hybrid(True, segment=True),
    "arc_eager_d2_segment": arc_eager(distance=2, segment=True),
    "attardi2_segment": attardi(2, segment=True),
    "easy_first_k4_segment": easy_first(4, segment=True),
}
every_system = pytest.mark.parametrize("name", SYSTEMS)
WIDE = 1000     # the short sentences here have fewer derivations
UPDATES = st.sampled_from(["none", "early"])     # with log probabilities, with raw scores

Tree = tuple[tuple[int, ...], tuple[int, ...], tuple[bool, ...]]    # heads, labels, starts


def as_tree(heads: Any, labels: Any, starts: Any) -> Tree:
    return tuple(heads.tolist()), tuple(labels.tolist()), tuple(starts.tolist())


@pytest.mark.slow
@every_system
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, update=UPDATES)
def test_a_beam_of_one_parses_as_greedily(name: str, seed: int, update: str) -> None:
    system = TransitionSystem(SYSTEMS[name], LABELS)
    scorer = random_scoring(system, seed).predict(None)
    generator = numpy.random.default_rng(seed)
    lengths = [0, 1, 2, 3, *generator.integers(0, 30, 6).tolist()]
    vectors = random_vectors(sum(lengths), 8, seed)
    forbidden = generator.integers(0, 2, sum(lengths)).astype("i")
    expected = parse(system, scorer, vectors, lengths, forbidden)
    results = search(
        system, scorer, vectors, lengths, BeamSettings(1, update=update), forbidden
    )
    assert [len(trees) for trees in results] == [1] * len(lengths)
    for column, values in enumerate(expected, 1):
        assert numpy.array_equal(numpy.concatenate([t[0][column] for t in results]), values)


@every_system
@pytest.mark.parametrize("update", ["none", "early"])
def test_a_beam_of_one_parses_as_greedily_also_on_ties(name: str, update: str) -> None:
    system = TransitionSystem(SYSTEMS[name], LABELS)
    for seed in range(5):
        model = random_scoring(system, seed)
        # Small whole numbers: many scores are equal, and none is rounded.
        for param in PARAMS:
            model.set_param(param, numpy.sign(model.get_param(param)))
        scorer = model.predict(None)
        lengths = [2, 3, 5, 8, 13]
        vectors = numpy.sign(random_vectors(sum(lengths), 8, seed))
        expected = parse(system, scorer, vectors, lengths)
        results = search(system, scorer, vectors, lengths, BeamSettings(1, update=update))
        for column, values in enumerate(expected, 1):
            assert numpy.array_equal(numpy.concatenate([t[0][column] for t in results]), values)


# Against every derivation


class Slow:
    """All derivations of one sentence with their scores."""

    def __init__(self, system: TransitionSystem, model: Model, vectors: numpy.ndarray):
        self.system = system
        self.model = model
        self.vectors = vectors
        self.weights = slow_model.get_weights(model)
        self._choices: dict[tuple, list[tuple]] = {}

    def choices(self, configuration: Configuration) -> list[tuple]:
        """The legal transitions as (transition, label, score)."""
        key = configuration.state(), tuple(configuration.labels)
        if key not in self._choices:
            self._choices[key] = list(self._score(configuration))
        return self._choices[key]

    def _score(self, configuration: Configuration) -> Iterator[tuple]:
        anchors = slow_model.anchors_of(configuration)
        scores = slow_model.parse_scores(
            self.weights, self.vectors, *slow_model.features_of(configuration, self.model)
        )
        for transition in configuration.legal():
            of_anchor = scores[anchors.index(transition.anchor)]
            for label in self.system.labels if transition.is_arc else [None]:
                score = of_anchor[self.system.find_class(transition, label)]
                yield transition, label or self.remembered(transition, of_anchor), score

    def remembered(self, transition: Any, scores: numpy.ndarray) -> str | None:
        """The label that a SHIFT remembers, in case a REDUCE attaches the word later."""
        if transition.move != "SHIFT" or "reduce" not in self.system.parameters.non_monotonic:
            return None
        classes = [self.system.find_class("RIGHT-ARC", label) for label in self.system.labels]
        return self.system.labels[int(scores[classes].argmax())]

    def is_forced(self, only: Transition) -> bool:
        """Whether the only legal transition is taken without a score."""
        return only.move == "SHIFT" if self.system.parameters.is_anchored else not only.is_arc

    def derivations(
        self, configuration: Configuration, normalised: bool, score: float = 0.0
    ) -> Iterator[tuple[float, Configuration]]:
        if configuration.is_terminal:
            yield score, configuration
            return
        choices = self.choices(configuration)
        forced = len(choices) == 1 and self.is_forced(choices[0][0])
        total = numpy.logaddexp.reduce([c[2] for c in choices]) if normalised else 0.0
        for transition, label, added in choices:
            after = configuration.copy()
            after.apply(transition, label)
            yield from self.derivations(
                after, normalised, score + (0.0 if forced else added - total)
            )

    def trees(self, normalised: bool) -> dict[Tree, float]:
        """Every tree, with the score of its best derivation."""
        best: dict[Tree, float] = {}
        start = self.system.initial(len(self.vectors))
        for score, final in self.derivations(start, normalised):
            tree = self.tree_of(final)
            best[tree] = max(best.get(tree, -numpy.inf), score)
        return best

    def tree_of(self, final: Configuration) -> Tree:
        heads = final.tree()
        labels = [
            -1 if head == i or label is None else self.system.labels.index(label)
            for i, (head, label) in enumerate(zip(heads, final.labels))
        ]
        starts = tuple(i in final.sentence_starts for i in range(final.n_words))
        return tuple(heads), tuple(labels), starts


@pytest.mark.slow
@every_system
@pytest.mark.parametrize("update", ["none", "early"])
@pytest.mark.parametrize(("n", "n_labels"), [(1, 2), (2, 2), (3, 2), (4, 1)])
def test_a_wide_beam_finds_every_tree_by_its_best_derivation(
    name: str, update: str, n: int, n_labels: int
) -> None:
    if n == 4 and (SYSTEMS[name].swap or name.startswith("arc_eager_d2")):
        n_labels, n = 1, 3      # thousands of derivations
    system = TransitionSystem(SYSTEMS[name], LABELS[:n_labels])
    for seed in range(1 if n == 4 else 2):
        model = random_scoring(system, seed)
        vectors = random_vectors(n, 8, seed)
        expected = Slow(system, model, vectors).trees(normalised=update == "none")
        [results] = search(
            system, model.predict(None), vectors, [n], BeamSettings(WIDE, update=update)
        )
        scores = {as_tree(*tree[1:4]): tree[0] for tree in results}
        assert len(scores) == len(results)
        assert scores == pytest.approx(expected, rel=1e-4, abs=1e-4)
        assert [tree[0] for tree in results] == sorted(scores.values(), reverse=True)


@pytest.mark.slow
@every_system
@pytest.mark.parametrize(("n", "n_labels"), [(2, 2), (3, 2), (4, 1), (5, 1)])
def test_the_same_transitions_in_any_order_lead_to_the_same_configuration(
    name: str, n: int, n_labels: int
) -> None:
    if n == 5 and (SYSTEMS[name].swap or SYSTEMS[name].distance > 1):
        n = 4
    system = TransitionSystem(SYSTEMS[name], LABELS[:n_labels])
    ways: dict[tuple, Configuration] = {(): system.initial(n)}
    while ways:
        after: dict[tuple, Configuration] = {}
        for taken, configuration in ways.items():
            for transition, label in labelled(system, configuration):
                made = configuration.copy()
                made.apply(transition, label)
                one = slow_model.taken(transition, label, configuration, made)
                other = after.setdefault(tuple(sorted([*taken, one])), made)
                assert state_of(other) == state_of(made)
        ways = after


def labelled(
    system: TransitionSystem, configuration: Configuration
) -> Iterator[tuple[Transition, str | None]]:
    """The legal transitions with each label that they may get or remember."""
    remembers = "reduce" in system.parameters.non_monotonic
    for transition in configuration.legal():
        has_label = transition.is_arc or (transition.move == "SHIFT" and remembers)
        for label in system.labels if has_label else [None]:
            yield transition, label


def state_of(configuration: Configuration) -> tuple:
    labels = zip(configuration.heads, configuration.labels, strict=True)
    root = configuration.n_words
    return configuration.state(), [None if head == root else label for head, label in labels]


# Against a slow beam, with rules about dependents and with forbidden arcs


MONOTONIC = ("arc_eager", "arc_eager_right", "arc_standard", "arc_standard_swap", "arc_hybrid",
             "arc_hybrid_swap", "attardi2", "arc_eager_d2", "easy_first", "easy_first_k4_d2",
             "easy_first_right", "easy_first_d2", "easy_first_k3", "easy_first_k4_segment")
RELATIONS = ("nsubj", "det", "punct", "dep")
UPOS = ("NOUN", "VERB", "DET", "PUNCT")


class Hypothesis(NamedTuple):
    score: float
    configuration: Configuration
    taken: tuple = ()       # the transitions with their words, sorted


class SlowBeam(Slow):
    """A beam in plain Python, which sorts all successors."""

    def __init__(
        self, system: TransitionSystem, model: Model, vectors: numpy.ndarray, normalised: bool,
        rules: WordRules | None, forbidden: Forbidden | None,
    ):
        super().__init__(system, model, vectors)
        self.normalised = normalised
        self.rules = rules
        self.forbidden = forbidden

    def search(self, width: int) -> list[Hypothesis]:
        start = self.system.initial(len(self.vectors))
        if self.rules is not None:
            restrict(start, self.rules)
        beam = [self.settled(Hypothesis(0.0, start))]
        while not all(one.configuration.is_terminal for one in beam):
            after = [successor for one in beam for successor in self.successors(one)]
            beam = [*map(self.settled, slow_model.best_orders(after)[:width])]
        return beam

    def settled(self, one: Hypothesis) -> Hypothesis:
        while not one.configuration.is_terminal:
            choices = self.choices(one.configuration)
            if len(choices) > 1 or not self.is_forced(choices[0][0]):
                break
            one = self.after(one, *choices[0][:2], one.score)
        return one

    def after(
        self, before: Hypothesis, transition: Transition, label: str | None, score: float
    ) -> Hypothesis:
        configuration = before.configuration.copy()
        configuration.apply(transition, label)
        one = slow_model.taken(transition, label, before.configuration, configuration)
        return Hypothesis(score, configuration, tuple(sorted([*before.taken, one])))

    def successors(self, before: Hypothesis) -> Iterator[Hypothesis]:
        if before.configuration.is_terminal:
            yield before
            return
        choices = self.choices(before.configuration)
        total = numpy.logaddexp.reduce([one[2] for one in choices]) if self.normalised else 0.0
        made = {}
        for transition, label, added in choices:
            after = self.after(before, transition, label, before.score + added - total)
            if not self.is_forbidden(before.configuration, after.configuration):
                made[transition, label] = after
        valid = made
        if self.rules is not None:
            allowed = valid_classes(before.configuration)
            # The rules yield where they leave nothing.
            valid = {choice: made[choice] for choice in made if choice in allowed} or made
        yield from valid.values()

    def is_forbidden(self, before: Configuration, after: Configuration) -> bool:
        if self.forbidden is None:
            return False
        for word, (old, head) in enumerate(zip(before.heads, after.heads)):
            if head not in (None, old):
                if head == after.n_words:
                    return bool(self.forbidden.arcs[word, word])
                label = self.system.labels.index(after.labels[word])
                return bool(self.forbidden.arcs[word, head] or self.forbidden.labels[word, label])
        return False


@pytest.mark.parametrize("name", MONOTONIC)
@pytest.mark.parametrize("update", ["none", "early"])
@pytest.mark.parametrize("constraint", ["rules", "forbidden", "both", "neither"])
def test_a_beam_is_that_of_sorting_all_successors(
    name: str, update: str, constraint: str
) -> None:
    system = TransitionSystem(SYSTEMS[name], RELATIONS)
    tree_rules = TreeRules(SYSTEMS[name], RELATIONS)
    n = 5
    for seed, width in ((0, 1), (1, 2), (2, 3), (3, 8)):
        rng = numpy.random.default_rng(seed)
        rules = forbidden = None
        if constraint in ("rules", "both"):
            rules = WordRules(tree_rules, numpy.asarray(
                [kind_of(str(tag), "") for tag in rng.choice(UPOS, n)], dtype="i"))
        if constraint in ("forbidden", "both"):
            arcs = rng.random((n, n)) < 0.2
            numpy.fill_diagonal(arcs, False)
            forbidden = Forbidden(arcs, rng.random((n, len(RELATIONS))) < 0.2)
        assert_slow_beam(system, seed, n, BeamSettings(width, update=update), rules, forbidden)


def assert_slow_beam(
    system: TransitionSystem, seed: int, n: int, settings: BeamSettings,
    rules: WordRules | None, forbidden: Forbidden | None,
) -> None:
    model, vectors = random_scoring(system, seed), random_vectors(n, 8, seed)
    slow = SlowBeam(system, model, vectors, settings.update == "none", rules, forbidden)
    best: dict[Tree, float] = {}
    for score, final, _ in slow.search(settings.width):
        best.setdefault(slow.tree_of(final), score)
    [results] = search(
        system, model.predict(None), vectors, [n], settings, rules=rules, forbidden=[forbidden]
    )
    # Of several derivations of one tree, a search returns the best.
    expected = pytest.approx([*best.values()], rel=1e-4, abs=1e-4)
    assert [tree[0] for tree in results] == expected


@pytest.mark.parametrize("seed", [215, *range(20)])
def test_rules_yield_where_what_they_leave_is_forbidden(seed: int) -> None:
    system = TransitionSystem(SYSTEMS["easy_first"], RELATIONS)
    rng = numpy.random.default_rng(seed)
    n = 5
    kinds = [kind_of(str(tag), "") for tag in rng.choice(UPOS, n)]
    rules = WordRules(TreeRules(SYSTEMS["easy_first"], RELATIONS), numpy.asarray(kinds, "i"))
    arcs = rng.random((n, n)) < rng.random()
    numpy.fill_diagonal(arcs, False)
    forbidden = Forbidden(arcs, rng.random((n, len(RELATIONS))) < rng.random())
    assert_slow_beam(system, seed, n, BeamSettings(2), rules, forbidden)


# What every search gives


def search_random(
    name: str, settings: BeamSettings, seed: int, lengths: list[int], scale: float = 1.0
) -> list[list[tuple]]:
    system = TransitionSystem(SYSTEMS[name], LABELS)
    model = random_scoring(system, seed)
    model.set_param("upper_W", model.get_param("upper_W") * numpy.float32(scale))
    vectors = random_vectors(sum(lengths), 8, seed)
    return search(system, model.predict(None), vectors, lengths, settings)


@every_system
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS)
def test_scores_are_sorted_log_probabilities_of_distinct_trees(name: str, seed: int) -> None:
    for trees in search_random(name, BeamSettings(8), seed, [0, 1, 2, 9, 25]):
        scores = [tree[0] for tree in trees]
        assert 1 <= len(trees) <= 8
        assert scores == sorted(scores, reverse=True)
        assert scores[0] <= 1e-6
        assert len({as_tree(*tree[1:4]) for tree in trees}) == len(trees)


@pytest.mark.parametrize("name", ["arc_standard_right", "easy_first", "easy_first_right",
                                  "easy_first_d2", "easy_first_k4"])
@pytest.mark.parametrize("update", ["none", "early"])
def test_the_places_of_a_beam_have_different_trees(name: str, update: str) -> None:
    """They would have one tree by many orders, or with many labels of its root."""
    for trees in search_random(name, BeamSettings(16, update=update), 1, [10] * 20):
        assert len(trees) == 16


@pytest.mark.parametrize("name", ["arc_eager", "arc_standard_swap", "easy_first_k4"])
def test_a_wider_beam_is_better_on_average(name: str) -> None:
    lengths = [8] * 40
    best = [
        sum(trees[0][0] for trees in search_random(name, BeamSettings(width), 1, lengths, 0.1))
        for width in (1, 4, 16)
    ]
    assert best[0] < best[1] < best[2]


def test_density_drops_what_is_far_behind() -> None:
    lengths = [12] * 20
    counts = []
    for density in (0.0, 1e-3, 0.5):
        results = search_random("arc_eager", BeamSettings(8, density), 2, lengths)
        counts.append(sum(map(len, results)))
        for trees in results:
            assert numpy.exp(trees[-1][0] - trees[0][0]) >= density
    assert counts[0] > counts[1] > counts[2] >= len(lengths)


@every_system
def test_nothing_and_short_sentences(name: str) -> None:
    assert search_random(name, BeamSettings(), 1, []) == []
    empty, one = search_random(name, BeamSettings(), 1, [0, 1])
    assert [as_tree(*tree[1:4]) for tree in empty] == [((), (), ())]
    assert [as_tree(*tree[1:4]) for tree in one] == [((0,), (-1,), (True,))]
    assert empty[0][0] == 0


def test_vectors_and_settings_are_checked() -> None:
    system = TransitionSystem(SYSTEMS["arc_eager"], LABELS)
    scorer = random_scoring(system, 1).predict(None)
    with pytest.raises(ValueError, match="3 vectors for 4 words"):
        search(system, scorer, random_vectors(3, 8, 1), [4], BeamSettings())
    for width in (0, 10**6, 2**31, 1.5, "8"):
        with pytest.raises(ValueError, match=f"width={width!r}"):
            BeamSettings(width=width)
    with pytest.raises(ValueError, match="density=1.0"):
        BeamSettings(density=1.0)
    with pytest.raises(ValueError, match="update='late' is unknown"):
        BeamSettings(update="late")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arc_eager", "arc_hybrid_swap", "easy_first"])
def test_memory_is_given_back(name: str) -> None:
    lengths = numpy.random.default_rng(0).integers(0, 61, 60).tolist()

    def run() -> int:
        search_random(name, BeamSettings(8), 3, lengths)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = [run() for _ in range(2)][-1]
    assert max(run() for _ in range(5)) < before + 8 * 1024     # kB; one run takes more
