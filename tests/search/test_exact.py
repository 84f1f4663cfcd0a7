"""Exact search over the scores of a model; the charts themselves are tested in test_charts.py."""

import numpy
import pytest

from spacy_arceager import TransitionSystem, arc_eager
from spacy_arceager.network.features import compile_attributes, compile_words
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.weights import Dimensions, Weights
from spacy_arceager.oracles.configured import default_oracle
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.search import charts
from spacy_arceager.search.exact import ATTRIBUTES, WORDS, confidences, learn, parse
from spacy_arceager.search.rollout import roll_out
from spacy_arceager.trees.algorithms import is_tree, non_projective_arcs

SYSTEM = TransitionSystem(arc_eager(), labels=["a", "b", "c"])
LENGTHS = [1, 5, 0, 3, 9]
N_WORDS = sum(LENGTHS)
HEADS = [0, 1, 1, 4, 4, 1, 1, 1, 1, 0, 0, 1, 4, 2, 4, 7, 5, 7]
LABELS = [-1, -1, 0, 2, 1, 0, 1, -1, 2, -1, 0, 1, 2, 0, 1, 2, 0, 1]


def make_weights(words=WORDS, attributes=ATTRIBUTES, seed=0):
    dims = Dimensions(
        tuple(compile_words(words)), tuple(compile_attributes(attributes)), 8, 6, 2,
        SYSTEM.n_labels, SYSTEM.n_classes,
    )
    rng = numpy.random.default_rng(seed)
    return Weights(dims, **{
        name: rng.normal(0, 0.5, shape).astype("f") for name, shape in dims.shapes.items()
    })


VECTORS = numpy.random.default_rng(1).normal(0, 1, (N_WORDS, 8)).astype("f")
GOLD = GoldTrees(LENGTHS, HEADS, LABELS)


def tables(scores, n):
    """The scores of a chart for the best labels, by the rows of a roll-out."""
    def find(name, label=None):
        return SYSTEM.find_class(name, label)

    made = {name: numpy.zeros((n + 1, n + 1)) for name in ("shift", "left", "right", "reduce")}
    rows = iter(scores)
    for front in range(1, n + 1):
        for top in range(front):
            row = next(rows)
            made["shift"][top, front] = row[find("SHIFT")]
            made["reduce"][top, front] = row[find("REDUCE")]
            made["left"][top, front] = max(row[find("LEFT-ARC", x)] for x in "abc")
            made["right"][top, front] = max(row[find("RIGHT-ARC", x)] for x in "abc")
    made["shift"][0, n] = 0
    return {**made, "root": numpy.zeros(n + 1)}


def test_parse_finds_the_best_tree():
    scorer = Scorer(make_weights())
    heads, labels, starts = parse(SYSTEM, scorer, VECTORS, LENGTHS, least_risk=False)
    scores = learn(SYSTEM, scorer, VECTORS, GOLD, 0, 1).scores
    first = row = 0
    for n in LENGTHS:
        if n:
            _, best = charts.best_tree(tables(scores[row:], n))
            best = [word if head == 0 else head - 1 for word, head in enumerate(best)]
            assert heads[first : first + n].tolist() == best
            assert starts[first : first + n].tolist() == [True] + [False] * (n - 1)
        first, row = first + n, row + n * (n + 1) // 2
    is_root = heads == numpy.concatenate([numpy.arange(n) for n in LENGTHS])
    assert ((labels == -1) == is_root).all()


def test_features_are_those_of_configurations():
    scorer = Scorer(make_weights())
    every = learn(SYSTEM, scorer, VECTORS, GOLD, 0, 1)
    found = {(*words, *values) for words, values in zip(
        every.word_rows.tolist(), every.attribute_rows.tolist())}
    seen = roll_out(
        SYSTEM, scorer, VECTORS, GOLD, default_oracle(SYSTEM.parameters), 1.0, 0.0, 1)
    of_search = [(*words, *values) for words, values in zip(
        seen.word_rows.tolist(), seen.attribute_rows.tolist())]
    last = (numpy.cumsum(LENGTHS) - 1).tolist()
    # After the end of the input there is no word behind the front, whichever it is.
    before_end = [row for row in of_search if row[2] < N_WORDS or row[0] in last]
    assert len(before_end) > 10
    assert all(row in found for row in before_end)


@pytest.mark.parametrize("name", ["lower_b", "upper_b", "upper_W", "tables"])
def test_gradient(name):
    weights = make_weights()
    learnt = learn(SYSTEM, Scorer(weights), VECTORS, GOLD, 0, 1)
    if name == "upper_b":
        gradient = learnt.d_scores.sum(axis=0)
    elif name == "upper_W":
        gradient = learnt.hidden.T @ learnt.d_scores
    else:
        d_hidden = learnt.d_scores @ weights.upper_W.T
        d_sums = numpy.stack([d_hidden * (learnt.which == piece) for piece in range(2)], axis=1)
        gradient = d_sums.sum(axis=0)
        if name == "tables":
            gradient = numpy.zeros_like(weights.tables)
            numpy.add.at(gradient, learnt.attribute_rows[:, 0], d_sums)
    array = getattr(weights, name)
    for place in [tuple(p) for p in numpy.random.default_rng(2).integers(0, array.shape, (
            5, array.ndim))]:
        old, losses = array[place], []
        for step in (1e-2, -1e-2):
            array[place] = old + step
            losses.append(learn(SYSTEM, Scorer(weights), VECTORS, GOLD, 0, 1).loss)
        array[place] = old
        assert (losses[0] - losses[1]) / 2e-2 == pytest.approx(gradient[place], abs=3e-2)


def test_partial_annotation():
    scorer = Scorer(make_weights())
    nothing = learn(
        SYSTEM, scorer, VECTORS, GoldTrees(LENGTHS, [-1] * N_WORDS, [-1] * N_WORDS), 0, 1)
    assert nothing.loss == pytest.approx(0, abs=1e-5)
    assert abs(nothing.d_scores).max() < 1e-5
    heads = [-1 if i % 2 else head for i, head in enumerate(HEADS)]
    part = learn(SYSTEM, scorer, VECTORS, GoldTrees(LENGTHS, heads, LABELS), 0, 1)
    assert 0 < part.loss < learn(SYSTEM, scorer, VECTORS, GOLD, 0, 1).loss


def test_crossing_gold_arcs_teach_nothing():
    scorer = Scorer(make_weights())
    crossing = GoldTrees([4], [2, 3, 2, 2], [0, 0, -1, 0])
    learnt = learn(SYSTEM, scorer, VECTORS[:4], crossing, 0, 1)
    assert learnt.loss == 0 and not learnt.d_scores.any()


@pytest.mark.parametrize("n", [5, 40])
def test_confidences_sum_to_one(n):
    scorer = Scorer(make_weights())
    vectors = 3 * numpy.random.default_rng(n).normal(0, 1, (n, 8)).astype("f")
    total = numpy.zeros(n)
    for head in range(n):
        of_heads, of_labels = confidences(
            SYSTEM, scorer, vectors, [n], [head] * n,
            [-1 if word == head else 0 for word in range(n)])
        total += of_heads
        assert ((of_labels > 0) & (of_labels <= 1)).all()
    assert total == pytest.approx(1)


def test_least_risk():
    scorer = Scorer(make_weights())
    n, trees = 4, set()
    vectors = VECTORS[:n]
    of_arc = numpy.zeros((n, n))
    for head in range(n):
        of_arc[head], _ = confidences(
            SYSTEM, scorer, vectors, [n], [head] * n, [-1 if w == head else 0 for w in range(n)])
    for heads in numpy.ndindex(*[n] * n):
        array = numpy.asarray(heads, dtype="i")
        if is_tree(array) and not non_projective_arcs(array):
            trees.add(heads)
    assert len(trees) == 30
    found, _, _ = parse(SYSTEM, scorer, vectors, [n])
    expected = max(trees, key=lambda heads: sum(of_arc[h, w] for w, h in enumerate(heads)))
    assert tuple(found.tolist()) == expected


def test_threads():
    scorer = Scorer(make_weights())
    vectors = numpy.tile(VECTORS, (30, 1))
    one = parse(SYSTEM, scorer, vectors, LENGTHS * 30)
    two = parse(SYSTEM, scorer, vectors, LENGTHS * 30, threads=2)
    assert all((a == b).all() for a, b in zip(one, two))


@pytest.mark.parametrize("parameters", [
    arc_eager(tree_constraint=False), arc_eager(non_monotonic=["left"]), arc_eager(root="right"),
    arc_eager(distance=2), arc_eager(segment=True),
])
def test_other_systems(parameters):
    system = TransitionSystem(parameters, labels=["a", "b", "c"])
    dims = make_weights().dims
    weights = make_weights()
    if system.n_classes != dims.n_classes:
        return
    with pytest.raises(ValueError, match="no exact search"):
        parse(system, Scorer(weights), VECTORS, LENGTHS)


def test_other_features():
    with pytest.raises(ValueError, match="word features"):
        parse(SYSTEM, Scorer(make_weights(words=["O1", "O3"])), VECTORS, LENGTHS)
    with pytest.raises(ValueError, match="attributes"):
        parse(SYSTEM, Scorer(make_weights(attributes=["O2.label"])), VECTORS, LENGTHS)
