"""The roll-out and its gradient, against a slow model and against finite differences."""

import numpy
import pytest
import spacy
from hypothesis import given, settings

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.weights import PARAMS
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.rollout import RollOut, roll_out
from spacy_arceager.systems import SystemParameters, arc_eager
from tests import slow_model
from tests.conftest import (
    SEEDS,
    float_scorer,
    projective_trees,
    random_scoring,
    random_vectors,
    read_corpus,
)
from tests.learning import slope
from tests.search.systems import (
    ANCHORED,
    BOTH_SIDES,
    BOTH_SIDES_ATTRIBUTES,
    EASY_FIRST,
    EVERY,
    STACK,
)
from tests.systems_table import ARC_EAGER as SYSTEMS
from tests.systems_table import Row

pytestmark = pytest.mark.usefixtures("exact_gradients")
LABELS = ("a", "b", "c")
WORDS = ["O1", "U1", "O2", "O2.left1", "O3.head", "U2.right1", "O5"]
ATTRIBUTES = ["O2.label", "O1.valency", "O2-O1", "U1.left1.label"]
TREES = [[1, 1, 1, 4, 2, 4], [0], [2, 0, 2, 2]]
GOLD_LABELS = [0, 1, 2, 0, 1, 2, 0, 1, -1, 0, 2]
both_dropouts = pytest.mark.parametrize("dropout", [0.0, 0.4])
MARGIN = 6.0    # random weights give scores that lie far apart
every_system = pytest.mark.parametrize("row", SYSTEMS, ids=lambda row: row.name)

# Parameters of a system, and an oracle; the static oracle never explores.
BATCHES = {row.name: (row.parameters, row.exact[0]) for row in SYSTEMS if row.exact} | {
    name: (parameters, "static") for name, parameters in EVERY.items()
}
STACK_BATCHES = {name: batch for name, batch in BATCHES.items() if name not in ANCHORED}


def every(batches: dict) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("parameters, oracle", batches.values(), ids=batches.keys())


class Batch:
    """A small batch, rolled out once, and the gradient of its loss."""

    def __init__(
        self,
        parameters: SystemParameters,
        oracle: str,
        dropout: float = 0.0,
        exploration: float = 0.5,
        seed: int = 1,
        aggression: float = 0.0,
    ):
        self.system = TransitionSystem(parameters, LABELS)
        self.dropout = dropout
        self.exploration = exploration
        self.aggression = aggression
        self.oracle = Oracle(oracle)
        self.model = random_scoring(
            self.system, seed, width=4, hidden=3, pieces=2, words=WORDS, attributes=ATTRIBUTES
        )
        self.model.attrs["dropout_rate"] = dropout
        self.vectors = random_vectors(len(GOLD_LABELS), 4, seed)
        self.rollout = self.roll_out(seed)
        self.seed = seed

    def roll_out(self, seed: int, first: int = 0, end: int = len(TREES)) -> RollOut:
        """A batch of some of the sentences."""
        lengths = [len(tree) for tree in TREES]
        words = slice(sum(lengths[:first]), sum(lengths[:end]))
        gold = GoldTrees(
            lengths[first:end],
            numpy.concatenate(TREES[first:end]),
            GOLD_LABELS[words],
            self.system.parameters.root != "none",
        )
        return roll_out(
            self.system, float_scorer(self.model), self.vectors[words], gold, self.oracle,
            self.exploration, self.dropout, seed, self.aggression, MARGIN,
        )

    def roll_out_slowly(self) -> slow_model.SlowRollOut:
        return slow_model.roll_out(
            self.system, self.model, self.vectors, TREES, GOLD_LABELS, self.oracle,
            self.exploration, self.dropout, self.seed, self.aggression, MARGIN,
        )

    def backprop(self) -> numpy.ndarray:
        """The gradient of the vectors. Those of the parameters are added to the model's."""
        _, backprop = self.model.begin_update(self.vectors)
        return backprop(self.rollout)


def close(values: numpy.ndarray, expected: numpy.ndarray) -> bool:
    return numpy.allclose(values, expected, rtol=1e-3, atol=1e-4 * abs(expected).max())


@every(BATCHES)
@both_dropouts
def test_scores_equal_those_of_the_slow_model(
    parameters: SystemParameters, oracle: str, dropout: float
) -> None:
    batch = Batch(parameters, oracle, dropout)
    scores = slow_model.scores_of(
        slow_model.get_weights(batch.model), batch.vectors, batch.rollout, dropout
    )
    assert numpy.allclose(batch.rollout.scores, scores, rtol=1e-4, atol=1e-4)


def assert_same_gradient(batch: Batch) -> None:
    weights = slow_model.get_weights(batch.model)
    slow = batch.roll_out_slowly()
    expected, expected_d_vectors = slow_model.gradient_of(
        weights, batch.vectors, slow.states, batch.dropout
    )
    assert batch.rollout.loss == pytest.approx(
        slow_model.loss_of(weights, batch.vectors, slow.states, batch.dropout), rel=1e-4
    )
    assert batch.rollout.n_states == len(slow.states)
    assert batch.rollout.n_wrong == slow.n_wrong
    assert close(batch.backprop(), expected_d_vectors)
    for name in PARAMS:
        assert close(batch.model.get_grad(name), expected[name]), name


@pytest.mark.slow
@every(BATCHES)
def test_gradient_equals_that_of_the_slow_model(
    parameters: SystemParameters, oracle: str
) -> None:
    for seed, exploration in ((1, 0.0), (2, 0.5), (3, 1.0)):
        assert_same_gradient(Batch(parameters, oracle, 0.0, exploration, seed))


@every(BATCHES)
def test_gradient_where_training_leaves_what_the_model_has_right(
    parameters: SystemParameters, oracle: str
) -> None:
    left = 0
    for seed in (3, 4, 5):
        batch = Batch(parameters, oracle, 0.0, 0.5, seed, aggression=0.7)
        assert_same_gradient(batch)
        left += batch.roll_out_slowly().n_aggressive
    assert (left > 0) == (oracle != "static")


@pytest.mark.slow
@every(STACK_BATCHES)
def test_gradient_with_dropout_equals_that_of_the_slow_model(
    parameters: SystemParameters, oracle: str
) -> None:
    for seed, exploration in ((1, 0.5), (2, 1.0)):
        assert_same_gradient(Batch(parameters, oracle, 0.4, exploration, seed))


def finite_differences(loss, values: numpy.ndarray, step: float = 1e-5) -> numpy.ndarray:
    """Central differences of loss() by each of the values, which it reads."""
    slopes = [slope(loss, values, place, step) for place in range(values.size)]
    return numpy.reshape(slopes, values.shape)


@pytest.mark.slow
@pytest.mark.parametrize(
    "system, dropout", [("tree", 0.0), ("tree", 0.4), ("easy_first inf-2, root left", 0.0),
                        ("kept 5-3", 0.0)],
)
@pytest.mark.parametrize("name", [*PARAMS, "vectors"])
def test_gradient_equals_finite_differences(name: str, system: str, dropout: float) -> None:
    batch = Batch(*BATCHES[system], dropout)
    d_vectors = batch.backprop()
    states = batch.roll_out_slowly().states
    weights = slow_model.get_weights(batch.model)
    vectors = batch.vectors.astype("d")
    expected = finite_differences(
        lambda: slow_model.loss_of(weights, vectors, states, dropout),
        vectors if name == "vectors" else weights[name],
    )
    assert abs(expected).max() > 0.01
    assert close(d_vectors if name == "vectors" else batch.model.get_grad(name), expected)


def test_gradients_of_several_batches_add_up() -> None:
    batch = Batch(*BATCHES["tree"])
    batch.backprop()
    once = {name: batch.model.get_grad(name).copy() for name in PARAMS}
    batch.backprop()
    for name in PARAMS:
        assert numpy.allclose(batch.model.get_grad(name), 2 * once[name], rtol=1e-5)


@every(BATCHES)
def test_recorded_pieces_are_those_that_won(parameters: SystemParameters, oracle: str) -> None:
    batch = Batch(parameters, oracle, dropout=0.4)
    sums = slow_model.sums_of_rows(
        slow_model.get_weights(batch.model),
        batch.vectors,
        batch.rollout.word_rows,
        batch.rollout.attribute_rows,
    )
    kept = batch.rollout.which != slow_model.DROPPED
    assert 0.3 < kept.mean() < 0.9
    assert (batch.rollout.which == sums.argmax(axis=1))[kept].all()
    assert (batch.rollout.hidden[~kept] == 0).all()


def test_same_seed_same_roll_out() -> None:
    batch = Batch(*BATCHES["tree"], dropout=0.4)
    same, other = batch.roll_out(seed=1), batch.roll_out(seed=2)
    for name in ("word_rows", "attribute_rows", "hidden", "which", "scores", "d_scores"):
        assert numpy.array_equal(getattr(batch.rollout, name), getattr(same, name))
    assert same.loss == batch.rollout.loss
    assert not numpy.array_equal(batch.rollout.which, other.which)


@every(BATCHES)
def test_neighbours_in_a_batch_change_nothing(
    parameters: SystemParameters, oracle: str
) -> None:
    batch = Batch(parameters, oracle, exploration=1.0)
    d_vectors = batch.backprop()
    together = {name: batch.model.get_grad(name).copy() for name in PARAMS}
    for name in PARAMS:
        batch.model.set_grad(name, 0 * together[name])
    start = 0
    alone = [batch.roll_out(7, i, i + 1) for i in range(len(TREES))]
    for tree, rollout in zip(TREES, alone):
        words = slice(start, start + len(tree))
        d_alone = batch.model.begin_update(batch.vectors[words])[1](rollout)
        assert numpy.allclose(d_vectors[words], d_alone, atol=1e-4)
        start += len(tree)
    for name in PARAMS:
        assert close(batch.model.get_grad(name), together[name]), name
    for name in ("loss", "n_states", "n_wrong"):
        total = sum(getattr(rollout, name) for rollout in alone)
        assert getattr(batch.rollout, name) == pytest.approx(total, rel=1e-5)


@pytest.mark.slow
@every({name: batch for name, batch in BATCHES.items() if name in EVERY})
@settings(max_examples=3, deadline=None)
@given(heads=projective_trees(max_words=14), seed=SEEDS)
def test_losses_of_any_tree_equal_those_of_the_slow_model(
    parameters: SystemParameters, oracle: str, heads: list[int], seed: int
) -> None:
    # With features far to both sides, many transitions change the features of a row.
    system = TransitionSystem(parameters, LABELS)
    model = random_scoring(system, seed, words=BOTH_SIDES, attributes=BOTH_SIDES_ATTRIBUTES)
    labels = [word % len(LABELS) for word in range(len(heads))]
    gold = GoldTrees([len(heads)], heads, labels, parameters.root != "none")
    vectors = random_vectors(len(heads), 8, seed)
    rollout = roll_out(
        system, float_scorer(model), vectors, gold, Oracle(oracle), 1.0, 0.0, 1
    )
    slow = slow_model.roll_out(
        system, model, vectors, [heads], labels, Oracle(oracle), exploration=1.0
    )
    weights = slow_model.get_weights(model)
    expected = slow_model.loss_of(weights, vectors, slow.states)
    assert rollout.loss == pytest.approx(expected, rel=1e-3, abs=1e-3)
    assert (rollout.n_states, rollout.n_wrong) == (len(slow.states), slow.n_wrong)


def derive(
    system: TransitionSystem, heads: list[int], labels: list[int], kind: str, seed: int = 0,
    exploration: float = 0.0,
) -> slow_model.Configuration:
    """Where a roll-out of one sentence with random weights ends."""
    model = random_scoring(system, seed)
    vectors = random_vectors(len(heads), 8, seed)
    gold = GoldTrees([len(heads)], heads, labels, system.parameters.root != "none")
    rollout = roll_out(
        system, float_scorer(model), vectors, gold, Oracle(kind), exploration, 0.0, 1
    )
    slow = slow_model.roll_out(
        system, model, vectors, [heads], labels, Oracle(kind), exploration
    )
    assert (rollout.n_states, rollout.n_wrong) == (len(slow.states), slow.n_wrong)
    return slow.final[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["en_small-train.conllu", "en_small-dev.conllu"])
@pytest.mark.parametrize("tree_constraint", [True, False])
def test_static_oracle_leads_to_the_gold_trees_of_a_treebank(
    name: str, tree_constraint: bool
) -> None:
    for example in read_corpus(spacy.blank("xx"), name):
        gold = example.reference
        strings = sorted({token.dep_ for token in gold})
        system = TransitionSystem(arc_eager(tree_constraint), strings)
        heads = [token.head.i for token in gold]
        final = derive(system, heads, [strings.index(token.dep_) for token in gold], "static")
        assert final.tree() == heads
        for token, label in zip(gold, final.labels):
            assert token.head == token or label == token.dep_


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "oracle"), [(row, kind) for row in SYSTEMS for kind in ("static", *row.exact)],
    ids=lambda value: getattr(value, "name", value),
)
@settings(max_examples=10, deadline=None)
@given(heads=projective_trees(max_words=20), seed=SEEDS)
def test_without_exploration_a_roll_out_leads_to_the_gold_tree(
    row: Row, oracle: str, heads: list[int], seed: int
) -> None:
    system = TransitionSystem(row.parameters, LABELS)
    labels = [word % len(LABELS) for word in range(len(heads))]
    final = derive(system, heads, labels, oracle, seed)
    assert final.tree() == heads
    # A non-monotonic REDUCE makes an arc with the label that SHIFT remembered from the model.
    if oracle == "static" or "reduce" not in row.parameters.non_monotonic:
        for word, label in enumerate(final.labels):
            assert heads[word] == word or label == LABELS[labels[word]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters",
    [p for p in (STACK | EASY_FIRST).values() if not p.graph],
    ids=lambda p: f"{p.name} {p.capacity}-{p.distance}, root {p.root}",
)
@settings(max_examples=3, deadline=None)
@given(heads=projective_trees(max_words=12), seed=SEEDS)
def test_the_static_oracle_is_never_left_for_a_costly_transition(
    parameters: SystemParameters, heads: list[int], seed: int
) -> None:
    system = TransitionSystem(parameters, LABELS)
    assert derive(system, heads, [0] * len(heads), "static", seed, 1.0).tree() == heads


def test_a_long_step_is_recorded_like_short_ones() -> None:
    # More sentences than the lower layer takes at once.
    system = TransitionSystem(arc_eager(), LABELS)
    model = random_scoring(system, 4)
    n = 300
    vectors = random_vectors(2 * n, 8, 4)

    def record(first: int, end: int) -> RollOut:
        count = end - first
        gold = GoldTrees([2] * count, [0, 0] * count, [-1, 0] * count, False)
        return roll_out(system, float_scorer(model), vectors[2 * first : 2 * end], gold,
                        Oracle("exact"), 0.0, 0.0, 1)

    together = record(0, n)
    for first in (0, 255, 256, n - 1):
        alone = record(first, first + 1)
        # A BLAS sums matrices of another height in another order.
        numpy.testing.assert_allclose(together.scores[first], alone.scores[0], rtol=1e-5)
