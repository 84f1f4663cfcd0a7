"""Training with a beam: its gradient against finite differences, and in the component."""

from dataclasses import dataclass
from typing import Any

import numpy
import pytest
import spacy

from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.beam_update import roll_out_beam
from spacy_arceager.search.rollout import RollOut
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    easy_first,
)
from tests import slow_model
from tests.conftest import (
    blank_pipeline,
    float_scorer,
    random_scoring,
    random_vectors,
    read_corpus,
    train,
)

LABELS = ("a", "b", "c")
TREES = [[1, 1, 1, 4, 2, 4], [0], [2, 0, 2, 2]]
GOLD_LABELS = [0, 1, 2, 0, 1, 2, 0, 1, -1, 0, 2]
STARTS = numpy.asarray([word in (0, 3, 6, 7) for word in range(len(GOLD_LABELS))])
SYSTEMS = {
    "arc_eager": (arc_eager(), "exact"),
    "arc_eager_nm": (arc_eager(True, ["left", "reduce"]), "exact"),
    "arc_eager_plain": (arc_eager(False), "dynamic"),
    "arc_eager_segment": (arc_eager(segment=True), "exact"),
    "arc_standard": (arc_standard(), "static"),
    "arc_hybrid_swap": (arc_hybrid(True), "static"),
    "easy_first": (easy_first(), "static"),
    "easy_first_k4": (easy_first(4), "static"),
}
every_system = pytest.mark.parametrize("name", SYSTEMS)
pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")
both_updates = pytest.mark.parametrize("max_violation", [False, True])


class Batch:
    """A small batch with random weights; tests change the weights of the upper layer."""

    def __init__(self, parameters: SystemParameters, kind: str, width: int, seed: int = 1):
        self.system = TransitionSystem(parameters, LABELS)
        self.oracle = Oracle(kind)
        self.width = width
        self.model = random_scoring(self.system, seed)
        self.vectors = random_vectors(len(GOLD_LABELS), 8, seed)
        self.upper = {n: self.model.get_param(n).copy() for n in ("upper_W", "upper_b")}

    def roll_out(
        self, max_violation: bool, heads: list[int] | None = None, rounded: bool = False
    ) -> RollOut:
        gold = GoldTrees(
            numpy.asarray([len(tree) for tree in TREES], dtype="i"),
            numpy.concatenate(TREES) if heads is None else heads,
            GOLD_LABELS,
            False,
            STARTS,
        )
        return roll_out_beam(
            self.system, self.model.predict(None) if rounded else float_scorer(self.model),
            self.vectors, gold, self.oracle,
            BeamSettings(self.width, update="max_violation" if max_violation else "early"),
            0.0, 1,
        )

    def loss_at(self, direction: dict, step: float, max_violation: bool) -> float:
        for name, values in self.upper.items():
            self.model.set_param(name, values + (step * direction[name]).astype("f"))
        return self.roll_out(max_violation).loss


@every_system
@both_updates
@pytest.mark.parametrize("width", [1, 4])
def test_gradient_equals_finite_differences(
    name: str, max_violation: bool, width: int
) -> None:
    batch = Batch(*SYSTEMS[name], width)
    rollout = batch.roll_out(max_violation)
    assert rollout.loss > 0 and rollout.n_wrong > 0
    gradient = {
        "upper_W": rollout.hidden.T @ rollout.d_scores,
        "upper_b": rollout.d_scores.sum(axis=0),
    }
    generator = numpy.random.default_rng(0)
    step = 1e-3
    for _ in range(5):
        direction = {n: generator.normal(size=v.shape) for n, v in batch.upper.items()}
        change = batch.loss_at(direction, step, max_violation) - batch.loss_at(
            direction, -step, max_violation
        )
        expected = sum((gradient[n] * direction[n]).sum() for n in gradient)
        assert change / (2 * step) == pytest.approx(expected, rel=2e-2, abs=2e-2)


# Against a slow beam


@dataclass
class Derivation:
    score: float
    configuration: Configuration
    taken: tuple = ()          # the transitions with their words, sorted
    correct: bool = True       # all its transitions were optimal
    outside: bool = False      # it is the best correct one, but not among the best ones

    @property
    def is_finished(self) -> bool:
        return not slow_model.advance(self.configuration)


class SlowBeam:
    """The beam of one sentence of a batch in training, which sorts all successors."""

    def __init__(self, batch: Batch, heads: list[int], words: slice):
        self.batch = batch
        self.weights = slow_model.get_weights(batch.model)
        self.vectors = batch.vectors[words]
        self.gold = heads, GOLD_LABELS[words], batch.oracle, STARTS[words]

    def loss(self, max_violation: bool) -> float:
        beam = [Derivation(0.0, self.batch.system.initial(len(self.vectors)))]
        greatest, loss = -numpy.inf, 0.0
        while not all(derivation.is_finished for derivation in beam):
            successors = [after for derivation in beam for after in self.successors(derivation)]
            best_correct = max(
                (after for after in successors if after.correct), key=lambda after: after.score
            )
            inside = [after for after in successors if not after.outside]
            beam = slow_model.best_orders(inside)[: self.batch.width]
            for one in beam:
                one.correct = any(o.correct for o in inside if o.taken == one.taken)
            violation = beam[0].score - best_correct.score
            fallen = not any(derivation.correct for derivation in beam)
            if fallen:
                best_correct.outside = True
                beam.append(best_correct)
            if not max_violation or violation >= greatest:
                greatest, loss = violation, self.loss_of(beam)
            if fallen and not max_violation:
                break
        return loss

    def successors(self, derivation: Derivation) -> list[Derivation]:
        if derivation.is_finished:
            return [derivation]
        configuration = derivation.configuration
        scores = slow_model.parse_scores(
            self.weights, self.vectors,
            *slow_model.features_of(configuration, self.batch.model),
        )
        targets = slow_model.targets_of(configuration, *self.gold)
        made = []
        for row, class_ in zip(*slow_model.legal_cells(configuration).nonzero()):
            after = configuration.copy()
            choice = slow_model.choice_at(configuration, scores, row, class_)
            after.apply(*choice)
            one = slow_model.taken(*choice, configuration, after)
            made.append(Derivation(
                derivation.score + scores[row, class_], after,
                tuple(sorted([*derivation.taken, one])),
                derivation.correct and targets[row, class_] == slow_model.OPTIMAL,
                derivation.outside,
            ))
        return made

    @staticmethod
    def loss_of(beam: list[Derivation]) -> float:
        correct = [derivation.score for derivation in beam if derivation.correct]
        total = numpy.logaddexp.reduce([derivation.score for derivation in beam])
        return total - numpy.logaddexp.reduce(correct)


@every_system
@both_updates
@pytest.mark.parametrize("width", [1, 2, 8])
def test_the_loss_is_that_of_sorting_all_successors(
    name: str, max_violation: bool, width: int
) -> None:
    for seed in (1, 2, 3):
        batch = Batch(*SYSTEMS[name], width, seed)
        expected, first = 0.0, 0
        for tree in TREES:
            words = slice(first, first + len(tree))
            expected += SlowBeam(batch, tree, words).loss(max_violation)
            first += len(tree)
        found = batch.roll_out(max_violation, rounded=True).loss
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_what_is_correct_is_learnt_however_far_it_is_behind() -> None:
    """Scores of thousands have probabilities that no float can tell from 0."""
    batch = Batch(*SYSTEMS["arc_eager"], 4)
    for name, values in batch.upper.items():
        batch.model.set_param(name, 1e4 * values)
    rollout = batch.roll_out(True)
    assert rollout.loss > 3000
    weights = {name: 1e4 * values for name, values in batch.upper.items()}
    along = (rollout.hidden.T @ rollout.d_scores * weights["upper_W"]).sum()
    along += (rollout.d_scores.sum(axis=0) * weights["upper_b"]).sum()
    # Between single derivations the loss is the difference of their scores.
    assert along == pytest.approx(rollout.loss, rel=1e-2)


@pytest.mark.parametrize("name", ["arc_eager", "arc_eager_nm", "arc_eager_plain"])
@both_updates
def test_nothing_is_learnt_where_all_derivations_are_correct(
    name: str, max_violation: bool
) -> None:
    missing = [-1] * len(GOLD_LABELS)
    batch = Batch(*SYSTEMS[name], 4)
    batch.oracle = Oracle(SYSTEMS[name][1], prefer_monotonic=False)
    rollout = batch.roll_out(max_violation, missing)
    assert rollout.loss == pytest.approx(0, abs=1e-9)
    assert abs(rollout.d_scores).max() < 1e-6
    assert rollout.n_wrong == 0


@pytest.mark.slow
@pytest.mark.parametrize("update", ["early", "max_violation"])
def test_training_with_a_beam_learns_the_trees(update: str) -> None:
    beam = {"@misc": "arceager.beam.v1", "width": 4, "update": update}
    nlp = blank_pipeline(beam=beam)
    examples = read_corpus(nlp, "en_small-train.conllu", limit=32)
    losses = train(nlp, examples, epochs=25)
    assert losses[-1] < 0.2 * losses[0]
    scores = nlp.evaluate(examples)
    assert scores["dep_las"] > 0.9
    assert scores["dep_multiple_roots"] == 0


def test_the_first_updates_are_greedy() -> None:
    """As many updates as asked for equal those of a parser without a beam; the next one differs."""
    block = {"@misc": "arceager.beam.v1", "width": 4, "update": "early"}
    losses = {}
    for name, beam in {
        "greedy": None, "beam": block, "both": {**block, "greedy_updates": 2}
    }.items():
        spacy.util.fix_random_seed(0)
        nlp = blank_pipeline(beam=beam)
        examples = read_corpus(nlp, "en_small-train.conllu", limit=8)
        losses[name] = train(nlp, examples, epochs=4)
        parser = nlp.get_pipe("arceager_parser")
        assert parser.n_updates == 4
    assert losses["both"][:2] == losses["greedy"][:2]
    assert losses["both"][2] != losses["greedy"][2]
    assert losses["beam"][0] != losses["greedy"][0]


def test_updates_are_counted_by_weights_and_anew_after_loading() -> None:
    beam = {"@misc": "arceager.beam.v1", "width": 4, "update": "early", "greedy_updates": 2}
    nlp = blank_pipeline(beam=beam)
    examples = read_corpus(nlp, "en_small-train.conllu", limit=8)
    train(nlp, examples, epochs=1)
    parser = nlp.get_pipe("arceager_parser")
    for part in (examples[:4], examples[4:]):
        parser.update(part)
    assert parser.n_updates == 1
    parser.finish_update(nlp.resume_training())
    assert parser.n_updates == 2
    parser.from_bytes(parser.to_bytes())
    assert parser.n_updates == 0


@pytest.mark.parametrize("greedy_updates, update", [(-1, "early"), (1.5, "early"), (1, "none")])
def test_greedy_updates_that_are_none(greedy_updates: Any, update: str) -> None:
    with pytest.raises(ValueError, match="greedy_updates"):
        BeamSettings(4, update=update, greedy_updates=greedy_updates)


def test_a_greedily_trained_parser_searches_with_a_beam() -> None:
    nlp = blank_pipeline(beam={"@misc": "arceager.beam.v1", "width": 4})
    examples = read_corpus(nlp, "en_small-train.conllu", limit=32)
    train(nlp, examples, epochs=12)
    assert nlp.evaluate(examples)["dep_las"] > 0.9
