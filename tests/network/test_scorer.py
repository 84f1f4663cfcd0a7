"""Shapes, types and indices are checked before the compiled loops run; scores have an order."""

from dataclasses import replace

import numpy
import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.gradient import add_rows, backprop_maxout
from spacy_arceager.network.lower_layer import LowerLayer, check_vectors
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import get_weights
from spacy_arceager.network.weights import PARAMS
from spacy_arceager.search.beam import search
from spacy_arceager.search.greedy import parse
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import arc_eager
from tests.conftest import random_scoring, random_vectors

SYSTEM = TransitionSystem(arc_eager(), ("a", "b", "c"))
WRONG = {
    "float64": lambda array: array.astype("d"),
    "a row less": lambda array: array[:-1],
    "a row more": lambda array: numpy.concatenate([array, array[:1]]),
    "a column less": lambda array: array[..., :-1],
    "flat": lambda array: array.reshape((1, -1)),
    "empty": lambda array: array[:0],
    "a list": lambda array: array.tolist(),
    "nothing": lambda array: None,
}
COUNTS = ("n_labels", "n_classes", "width", "hidden", "pieces")


@pytest.mark.parametrize("change", WRONG)
@pytest.mark.parametrize("name", PARAMS)
def test_parameters_of_another_shape_or_type_are_refused(name: str, change: str) -> None:
    weights = get_weights(random_scoring(SYSTEM, 1))
    with pytest.raises(ValueError, match=f"'{name}' of a transition model"):
        replace(weights, **{name: WRONG[change](getattr(weights, name))})


@pytest.mark.parametrize("value", [-50, 0, 1, 10**6, 2.0, None, "3"])
@pytest.mark.parametrize("name", COUNTS)
def test_counts_that_do_not_fit_the_parameters_are_refused(name: str, value: object) -> None:
    model = random_scoring(SYSTEM, 1)
    dims = {"width": "nI", "hidden": "nH", "pieces": "nP"}
    if name in dims:
        model._dims[dims[name]] = value
    else:
        model.attrs[name] = value
    with pytest.raises(ValueError):
        model.predict(None)


@pytest.mark.parametrize("times", [0, 2, 50])
@pytest.mark.parametrize("name", ["words", "attributes"])
def test_features_that_do_not_fit_the_parameters_are_refused(name: str, times: int) -> None:
    model = random_scoring(SYSTEM, 1)
    model.attrs[name] = model.attrs[name] * times
    with pytest.raises(ValueError):
        model.predict(None)


def test_parameters_may_lie_anywhere() -> None:
    weights = get_weights(random_scoring(SYSTEM, 1))
    apart = {
        name: numpy.repeat(getattr(weights, name), 2, axis=-1)[..., ::2] for name in PARAMS
    }
    vectors = random_vectors(40, 8, 2)
    expected, actual = (
        parse(SYSTEM, Scorer(each), vectors, [10, 30])
        for each in (weights, replace(weights, **apart))
    )
    assert numpy.array_equal(expected, actual)


def test_a_scorer_is_made_of_weights() -> None:
    for wrong in (None, {}, 5):
        with pytest.raises(TypeError):
            Scorer(wrong)


def test_a_model_of_other_labels_is_refused() -> None:
    system = TransitionSystem(arc_eager(), ("a", "b", "c"))
    model = random_scoring(system, 1, attributes=["O2-O1"])
    model.attrs["n_labels"] = 2      # without label features the shapes are the same
    with pytest.raises(ValueError, match="knows 2 labels, but the system has 3"):
        parse(system, model.predict(None), random_vectors(4, 8, 1), [4])


def test_wrong_vectors_are_refused() -> None:
    scorer = random_scoring(SYSTEM, 1).predict(None)
    lower = LowerLayer(scorer, 5)
    for wrong in (random_vectors(6, 8, 1), random_vectors(5, 7, 1), numpy.zeros((8,), "f")):
        with pytest.raises(ValueError):
            lower.start(wrong)
    for wrong in (None, "abc", [[None] * 8], numpy.zeros((3, 8), dtype=complex)):
        with pytest.raises(TypeError):
            lower.start(wrong)
    with pytest.raises(ValueError):
        LowerLayer(scorer, -1)
    with pytest.raises(TypeError):
        LowerLayer(None, 1)
    assert check_vectors(scorer, numpy.zeros((0, 8))).dtype == numpy.float32


def test_maxout_is_not_led_back_out_of_bounds() -> None:
    d_hidden, which = numpy.ones((2, 3), dtype="f"), numpy.zeros((2, 3), dtype="B")
    assert backprop_maxout(d_hidden, which, 2, 1.0).shape == (2, 6)
    for wrong in ((d_hidden, which[:1], 2, 1.0), (d_hidden, which[:, :2].copy(), 2, 1.0),
                  (d_hidden, which, -1, 1.0), (d_hidden, which, 300, 1.0),
                  (d_hidden, which, 2, 0.0), (d_hidden, which, 2, float("nan")),
                  (d_hidden.astype("d"), which, 2, 1.0), (d_hidden.T, which.T, 2, 1.0)):
        with pytest.raises(ValueError):
            backprop_maxout(*wrong)
    with pytest.raises(TypeError):
        backprop_maxout(None, which, 2, 1.0)


def test_rows_are_not_added_out_of_bounds() -> None:
    indices, rows = numpy.asarray([1, 0, 1], dtype="i"), numpy.ones((3, 2), dtype="f")
    actual, sums = add_rows(indices, rows, 2)
    assert actual.tolist() == [0, 1] and sums.tolist() == [[1, 1], [2, 2]]
    assert add_rows(indices[::2], rows[:2], 2)[0].tolist() == [1]
    assert add_rows(indices, rows[:, :0].copy(), 2)[1].shape == (2, 0)
    for wrong in ((indices, rows, 1), (indices, rows, -1), (-indices, rows, 2),
                  (indices, rows[:2], 2), (indices.astype("l"), rows, 2), (indices, rows[0], 2)):
        with pytest.raises(ValueError):
            add_rows(*wrong)
    with pytest.raises(TypeError):
        add_rows(None, rows, 2)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("value", [numpy.nan, numpy.inf, -numpy.inf, 1e37])
def test_a_beam_of_one_is_greedy_and_scores_are_sorted_whatever_the_weights(
    value: float
) -> None:
    vectors = random_vectors(120, 8, 1)
    for seed, name in enumerate(("upper_W", "upper_b", "lower_W", "tables")):
        model = random_scoring(SYSTEM, seed)
        param = model.get_param(name).copy()
        param.flat[:: 3] = value
        model.set_param(name, param)
        scorer = model.predict(None)
        heads, labels, _ = parse(SYSTEM, scorer, vectors, [120])
        (_, best_heads, best_labels, *_), = search(
            SYSTEM, scorer, vectors, [120], BeamSettings(width=1)
        )[0]
        assert heads.tolist() == best_heads.tolist() and labels.tolist() == best_labels.tolist()
        scores = [tree[0] for tree in search(SYSTEM, scorer, vectors, [120], BeamSettings(8))[0]]
        assert scores == sorted(scores, reverse=True)
