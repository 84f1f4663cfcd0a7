"""The roll-out and its gradient, against a slow model and against finite differences."""

import numpy
import pytest
import spacy
from hypothesis import given, settings

from spacy_arceager.decoding.greedy import parse
from spacy_arceager.decoding.rollout import RollOut, roll_out
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.model.transition_model import (
    PARAMS,
    backprop_scores,
    score_gradient,
)
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import arc_eager
from tests import slow_model
from tests.conftest import (
    SEEDS,
    projective_trees,
    random_scoring,
    random_vectors,
    read_corpus,
)
from tests.systems_table import SYSTEMS, Row

LABELS = ("a", "b", "c")
WORDS = ["O1", "U1", "O2", "O2.left1", "O3.head"]
ATTRIBUTES = ["O2.label", "O1.valency", "O2-O1"]
TREES = [[1, 1, 1, 4, 2, 4], [0], [2, 0, 2, 2]]
GOLD_LABELS = [0, 1, 2, 0, 1, 2, 0, 1, -1, 0, 2]
both_dropouts = pytest.mark.parametrize("dropout", [0.0, 0.4])
every_system = pytest.mark.parametrize("row", SYSTEMS, ids=lambda row: row.name)


class Batch:
    """A small batch, rolled out once, and the gradient of its loss."""

    def __init__(self, row: Row, dropout: float, exploration: float = 0.5, seed: int = 1):
        self.system = TransitionSystem(row.parameters, LABELS)
        self.dropout = dropout
        self.exploration = exploration
        self.oracle = Oracle(row.exact[0])
        self.model = random_scoring(
            self.system, seed, width=4, hidden=3, pieces=2, words=WORDS, attributes=ATTRIBUTES
        )
        self.model.attrs["dropout_rate"] = dropout
        self.vectors = random_vectors(len(GOLD_LABELS), 4, seed)
        self.rollout = self.roll_out(seed)

    def roll_out(self, seed: int) -> RollOut:
        lengths = numpy.asarray([len(tree) for tree in TREES], dtype="i")
        gold = GoldTrees(
            lengths,
            numpy.concatenate(TREES),
            GOLD_LABELS,
            self.system.parameters.root == "right",
        )
        return roll_out(
            self.system, self.model.predict(None), self.vectors, gold, self.oracle,
            self.exploration, self.dropout, seed,
        )

    def backprop(self) -> tuple[float, numpy.ndarray]:
        """The loss and the gradient of the vectors; the rest is added up in the model."""
        loss, d_scores = score_gradient(self.rollout)
        return loss, backprop_scores(self.model, self.vectors, self.rollout, d_scores)


def close(values: numpy.ndarray, expected: numpy.ndarray) -> bool:
    return numpy.allclose(values, expected, rtol=1e-3, atol=1e-4 * abs(expected).max())


@every_system
@both_dropouts
def test_scores_equal_those_of_the_slow_model(row: Row, dropout: float) -> None:
    batch = Batch(row, dropout)
    scores = slow_model.scores_of(
        slow_model.get_weights(batch.model), batch.vectors, batch.rollout, dropout
    )
    assert numpy.allclose(batch.rollout.scores, scores, rtol=1e-4, atol=1e-4)


@every_system
@both_dropouts
def test_gradient_equals_that_of_the_slow_model(row: Row, dropout: float) -> None:
    batch = Batch(row, dropout)
    loss, d_vectors = batch.backprop()
    weights = slow_model.get_weights(batch.model)
    expected, expected_d_vectors = slow_model.gradient_of(
        weights, batch.vectors, batch.rollout, dropout
    )
    assert loss == pytest.approx(
        slow_model.loss_of(weights, batch.vectors, batch.rollout, dropout), rel=1e-4
    )
    assert close(d_vectors, expected_d_vectors)
    for name in PARAMS:
        assert close(batch.model.get_grad(name), expected[name]), name


def finite_differences(loss, values: numpy.ndarray, step: float = 1e-5) -> numpy.ndarray:
    """Central differences of loss() by each of the values, which it reads."""
    result = numpy.zeros_like(values)
    for index in numpy.ndindex(values.shape):
        value = values[index]
        values[index] = value + step
        above = loss()
        values[index] = value - step
        result[index] = (above - loss()) / (2 * step)
        values[index] = value
    return result


@both_dropouts
@pytest.mark.parametrize("name", [*PARAMS, "vectors"])
def test_gradient_equals_finite_differences(name: str, dropout: float) -> None:
    batch = Batch(next(row for row in SYSTEMS if row.name == "tree"), dropout)
    _, d_vectors = batch.backprop()
    weights = slow_model.get_weights(batch.model)
    vectors = batch.vectors.astype("d")
    expected = finite_differences(
        lambda: slow_model.loss_of(weights, vectors, batch.rollout, dropout),
        vectors if name == "vectors" else weights[name],
    )
    assert abs(expected).max() > 0.01
    assert close(d_vectors if name == "vectors" else batch.model.get_grad(name), expected)


def test_gradients_of_several_batches_add_up() -> None:
    batch = Batch(SYSTEMS[0], dropout=0.0)
    batch.backprop()
    once = {name: batch.model.get_grad(name).copy() for name in PARAMS}
    batch.backprop()
    for name in PARAMS:
        assert numpy.allclose(batch.model.get_grad(name), 2 * once[name], rtol=1e-5)


@every_system
def test_recorded_pieces_are_those_that_won(row: Row) -> None:
    batch = Batch(row, dropout=0.4)
    sums = slow_model.sums_of_rows(
        slow_model.get_weights(batch.model),
        batch.vectors,
        batch.rollout.word_rows,
        batch.rollout.attribute_rows,
    )
    kept = batch.rollout.which != slow_model.DROPPED
    assert 0.4 < kept.mean() < 0.8
    assert (batch.rollout.which == sums.argmax(axis=1))[kept].all()
    assert (batch.rollout.hidden[~kept] == 0).all()


def test_same_seed_same_roll_out() -> None:
    batch = Batch(SYSTEMS[0], dropout=0.4)
    same, other = batch.roll_out(seed=1), batch.roll_out(seed=2)
    for name in ("word_rows", "attribute_rows", "hidden", "which", "scores", "targets"):
        assert numpy.array_equal(getattr(batch.rollout, name), getattr(same, name))
    assert not numpy.array_equal(batch.rollout.which, other.which)


@every_system
def test_neighbours_in_a_batch_change_nothing(row: Row) -> None:
    batch = Batch(row, dropout=0.0, exploration=1.0)
    root_right = row.parameters.root == "right"
    alone = []
    start = 0
    for tree in TREES:
        words = slice(start, start + len(tree))
        lengths = numpy.asarray([len(tree)], dtype="i")
        gold = GoldTrees(lengths, tree, GOLD_LABELS[words], root_right)
        alone.append(
            roll_out(
                batch.system, batch.model.predict(None), batch.vectors[words], gold,
                batch.oracle, 1.0, 0.0, 7,
            )
        )
        start += len(tree)
    # In lock-step: the first states of all sentences, then the second ones, ...
    order = sorted(
        (step, sentence)
        for sentence, rollout in enumerate(alone)
        for step in range(len(rollout.scores))
    )
    assert len(order) == len(batch.rollout.scores)
    assert batch.rollout.n_wrong == sum(rollout.n_wrong for rollout in alone)
    for (step, sentence), scores, targets in zip(
        order, batch.rollout.scores, batch.rollout.targets
    ):
        assert numpy.allclose(scores, alone[sentence].scores[step], atol=1e-5)
        assert numpy.array_equal(targets, alone[sentence].targets[step])


@every_system
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_greedy_parses_equal_those_of_the_slow_model(row: Row, seed: int) -> None:
    system = TransitionSystem(row.parameters, LABELS)
    model = random_scoring(system, seed)
    lengths = [1, 2, 7, 11]
    vectors = random_vectors(sum(lengths), 8, seed)
    heads, labels = parse(system, model.predict(None), vectors, lengths)
    start = 0
    for length in lengths:
        words = slice(start, start + length)
        slow = slow_model.parse_slowly(system, model, vectors[words])
        tree = slow.tree()
        assert heads[words].tolist() == tree
        assert [None if i < 0 else LABELS[i] for i in labels[words]] == [
            None if tree[word] == word else label for word, label in enumerate(slow.labels)
        ]
        start += length


def roll_out_gold(
    system: TransitionSystem, heads: list[int], labels: list[int], kind: str, seed: int = 0
) -> RollOut:
    """A roll-out of one sentence with random weights, without exploration."""
    model = random_scoring(system, seed)
    lengths = numpy.asarray([len(heads)], dtype="i")
    gold = GoldTrees(lengths, heads, labels, system.parameters.root == "right")
    return roll_out(
        system, model.predict(None), random_vectors(len(heads), 8, seed), gold, Oracle(kind),
        0.0, 0.0, 1,
    )


@pytest.mark.parametrize("name", ["en_small-train.conllu", "en_small-dev.conllu"])
@pytest.mark.parametrize("tree_constraint", [True, False])
def test_static_oracle_leads_to_the_gold_trees_of_a_treebank(
    name: str, tree_constraint: bool
) -> None:
    for example in read_corpus(spacy.blank("en"), name):
        gold = example.reference
        strings = sorted({token.dep_ for token in gold})
        system = TransitionSystem(arc_eager(tree_constraint), strings)
        heads = [token.head.i for token in gold]
        labels = [strings.index(token.dep_) for token in gold]
        rollout = roll_out_gold(system, heads, labels, "static")
        final = slow_model.replay(system, len(heads), rollout, exploration=0)[1]
        assert final.tree() == heads
        for token, label in zip(gold, final.labels):
            assert token.head == token or label == token.dep_


@every_system
@pytest.mark.parametrize("kind", ["static", "exact"])
@settings(max_examples=40, deadline=None)
@given(heads=projective_trees(max_words=30), seed=SEEDS)
def test_without_exploration_a_roll_out_leads_to_the_gold_tree(
    row: Row, kind: str, heads: list[int], seed: int
) -> None:
    oracle = row.exact[0] if kind == "exact" else kind
    system = TransitionSystem(row.parameters, LABELS)
    labels = [word % len(LABELS) for word in range(len(heads))]
    rollout = roll_out_gold(system, heads, labels, oracle, seed)
    final = slow_model.replay(system, len(heads), rollout, exploration=0)[1]
    assert final.tree() == heads
    # Non-monotonic REDUCE gives a label that SHIFT remembered from the model.
    if kind == "static" or "reduce" not in row.parameters.non_monotonic:
        for word, label in enumerate(final.labels):
            assert heads[word] == word or label == LABELS[labels[word]]


def test_static_oracle_is_never_left_for_a_costly_transition() -> None:
    system = TransitionSystem(arc_eager(), LABELS)
    model = random_scoring(system, seed=3)
    heads = [1, 1, 1, 4, 2, 4]
    lengths = numpy.asarray([len(heads)], dtype="i")
    gold = GoldTrees(lengths, heads, [0] * len(heads))
    rollout = roll_out(
        system, model.predict(None), random_vectors(len(heads), 8, 3), gold,
        Oracle("static"), 1.0, 0.0, 1,
    )
    assert rollout.n_wrong > 0
    assert slow_model.replay(system, len(heads), rollout, exploration=0)[1].tree() == heads
