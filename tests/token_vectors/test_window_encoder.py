"""The window encoder equals spaCy's, forward and backward, in every batch."""

import copy
import pickle
from collections.abc import Callable

import numpy
import pytest
from spacy.ml.models.tok2vec import MaxoutWindowEncoder, MishWindowEncoder
from thinc.api import Maxout, Model, set_dropout_rate, with_array
from thinc.types import Ragged

from spacy_arceager.token_vectors.window_encoder import (
    build_window_encoder,
    convert_window_encoder,
    is_window_encoder,
)

from ..learning import loss, slope
from .conftest import RNG

SHAPES = [
    # width, window_size, maxout_pieces, depth
    (96, 1, 3, 4),
    (5, 2, 2, 1),
    (17, 3, 1, 2),
    (64, 1, 5, 3),
    (48, 2, 2, 4),
    (1, 1, 2, 2),
]
LENGTHS = [3, 0, 1, 20, 2, 7]


def build_twins(shape: tuple[int, int, int, int]) -> tuple[Model, Model]:
    """spaCy's encoder and ours, which shares its weights, all of them random."""
    width, window_size, maxout_pieces, depth = shape
    theirs = MaxoutWindowEncoder(
        width=width, window_size=window_size, maxout_pieces=maxout_pieces, depth=depth
    )
    theirs.initialize()
    randomise(theirs)
    return theirs, convert_window_encoder(theirs)      # with products of floats


def randomise(model: Model) -> None:
    for node in model.walk():
        for name in node.param_names:
            shape = node.get_param(name).shape
            node.set_param(name, RNG.normal(scale=0.3, size=shape).astype("f"))


def draw_words(width: int, lengths: list[int] = LENGTHS) -> list[numpy.ndarray]:
    return [RNG.normal(size=(n, width)).astype("f") for n in lengths]


def gradients(
    model: Model, X: list[numpy.ndarray], dY: list[numpy.ndarray]
) -> tuple[list[numpy.ndarray], dict[tuple[int, str], numpy.ndarray]]:
    """The gradients of the inputs and of the weights."""
    for node in model.walk():
        for name in node.param_names:
            node.set_grad(name, numpy.zeros_like(node.get_param(name)))
    _, backprop = model(X, is_train=True)
    dX = backprop(dY)
    return dX, {key: d.copy() for key, (_, d) in model.get_gradients().items()}


def assert_close(actual: numpy.ndarray, expected: numpy.ndarray) -> None:
    scale = max(1, numpy.abs(expected).max(initial=0))
    assert actual.shape == expected.shape
    numpy.testing.assert_allclose(actual / scale, expected / scale, rtol=0, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("is_train", [False, True])
def test_vectors_are_those_of_spacy(shape, is_train) -> None:
    theirs, ours = build_twins(shape)
    X = draw_words(shape[0])
    for actual, expected in zip(ours(X, is_train)[0], theirs(X, is_train)[0], strict=True):
        assert_close(actual, expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_are_those_of_spacy(shape) -> None:
    theirs, ours = build_twins(shape)
    X, dY = draw_words(shape[0]), draw_words(shape[0])
    actual_X, actual = gradients(ours, X, dY)
    expected_X, expected = gradients(theirs, X, dY)
    for dX, d in zip(actual_X, expected_X, strict=True):
        assert_close(dX, d)
    assert actual.keys() == expected.keys()
    for key in actual:
        assert_close(actual[key], expected[key])


@pytest.mark.parametrize("dropout", [0.0, 0.4])
def test_gradients_are_finite_differences(dropout) -> None:
    assert_finite_differences(build_twins((6, 1, 2, 3))[1], 6, dropout)


def assert_finite_differences(model: Model, width: int, dropout: float) -> None:
    """The gradients of some inputs and weights of an encoder."""
    set_dropout_rate(model, dropout)
    X, dY = draw_words(width, [4, 2]), draw_words(width, [4, 2])
    numpy.random.seed(1)
    dX, d_weights = gradients(model, X, dY)
    arrays = [(X[0], dX[0]), (X[1], dX[1])]
    arrays += [(ours_weight(model, key), d) for key, d in d_weights.items()]
    step = 1e-3
    for array, gradient in arrays:
        for place in RNG.integers(array.size, size=4):
            expected = slope(lambda: loss(model, X, dY), array, place, step)
            assert gradient.flat[place] == pytest.approx(expected, rel=0.05, abs=0.02)


def ours_weight(model: Model, key: tuple[int, str]) -> numpy.ndarray:
    return next(node for node in model.walk() if node.id == key[0]).get_param(key[1])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_doc_has_the_same_bits_in_any_batch(shape) -> None:
    assert_same_bits(build_twins(shape)[1], shape[0])


def test_half_products_change_the_vectors_a_little() -> None:
    model, floats = (build_window_encoder(96, 1, 3, 4, halves) for halves in (True, False))
    model.initialize()
    floats.initialize()
    floats.from_dict(model.to_dict())
    assert_same_bits(model, 96)
    X = draw_words(96)
    for actual, expected in zip(model.predict(X), floats.predict(X), strict=True):
        assert numpy.allclose(actual, expected, rtol=0, atol=0.3)
        assert not len(actual) or not numpy.array_equal(actual, expected)
    for actual, expected in zip(model(X, True)[0], floats.predict(X), strict=True):
        assert numpy.allclose(actual, expected, rtol=0, atol=0.1)    # half floats are finer


def assert_same_bits(model: Model, width: int) -> None:
    """The vectors of a Doc that is encoded alone, and in batches of either order."""
    X = draw_words(width, [*range(40), 300])
    together = model.predict(X)
    backwards = model.predict(X[::-1])[::-1]
    for i, x in enumerate(X):
        alone = model.predict([x])[0]
        assert numpy.array_equal(alone, together[i])
        assert numpy.array_equal(alone, backwards[i])


def test_training_without_dropout_has_the_bits_of_prediction() -> None:
    _, ours = build_twins((96, 1, 3, 4))
    X = draw_words(96)
    for actual, expected in zip(ours(X, True)[0], ours.predict(X), strict=True):
        assert numpy.array_equal(actual, expected)


def test_other_forms_of_the_same_words() -> None:
    _, ours = build_twins((12, 1, 2, 2))
    X = draw_words(12, [4, 6])
    expected = ours.predict(X)
    ragged = ours.predict(Ragged(numpy.concatenate(X), numpy.array([4, 6], dtype="i")))
    assert numpy.array_equal(ragged.data, numpy.concatenate(expected))
    assert numpy.array_equal(ours.predict(X[0]), expected[0])
    every_other = [numpy.repeat(x, 2, axis=0)[::2] for x in X]
    assert numpy.array_equal(ours.predict(every_other)[1], expected[1])


@pytest.mark.parametrize("X", [[], [numpy.zeros((0, 12), dtype="f")]])
@pytest.mark.parametrize("is_train", [False, True])
def test_no_words(X, is_train) -> None:
    _, ours = build_twins((12, 1, 2, 2))
    Y, backprop = ours(X, is_train)
    assert [y.shape for y in Y] == [x.shape for x in X]
    if is_train:
        assert [dx.shape for dx in backprop(Y)] == [x.shape for x in X]


def test_dropout_drops_so_many_and_keeps_the_mean() -> None:
    _, ours = build_twins((64, 1, 2, 1))
    set_dropout_rate(ours, 0.25)
    X = draw_words(64, [500])
    change = (ours(X, True)[0][0] - X[0]) / (ours.predict(X)[0] - X[0])
    assert (change == 0).mean() == pytest.approx(0.25, abs=0.01)
    assert numpy.allclose(change[change != 0], 1 / 0.75, atol=1e-2)
    assert not numpy.array_equal(ours(X, True)[0][0], ours(X, True)[0][0])


def set_gain(model: Model, value: float) -> None:
    norm = next(node for node in model.walk() if node.name == "layernorm")
    norm.set_param("G", numpy.full_like(norm.get_param("G"), value))


def learn(model: Model) -> None:
    """Change weights in place, as an optimizer does."""
    X = draw_words(12)
    _, backprop = model(X, is_train=True)
    backprop(X)
    model.finish_update(lambda key, weights, gradient: (_add_one(weights), gradient))


def _add_one(weights: numpy.ndarray) -> numpy.ndarray:
    weights += 1
    return weights


@pytest.mark.parametrize("change", [lambda model: set_gain(model, 3), learn])
def test_new_weights_are_used(change: Callable[[Model], None]) -> None:
    theirs, ours = build_twins((12, 1, 2, 2))
    X = draw_words(12)
    ours.predict(X)
    change(ours)
    for actual, expected in zip(ours.predict(X), theirs.predict(X), strict=True):
        assert_close(actual, expected)


@pytest.mark.parametrize(
    "duplicate",
    [
        lambda model: model.copy(),
        copy.deepcopy,
        lambda model: pickle.loads(pickle.dumps(model)),
        lambda model: build_window_encoder(12, 1, 2, 2, half_products=False).from_bytes(
            model.to_bytes()
        ),
        lambda model: MaxoutWindowEncoder(
            width=12, window_size=1, maxout_pieces=2, depth=2
        ).from_bytes(model.to_bytes()),
    ],
    ids=["copy", "deepcopy", "pickle", "bytes", "bytes for spaCy's"],
)
def test_copies_have_the_weights(duplicate) -> None:
    _, ours = build_twins((12, 1, 2, 2))
    X = draw_words(12)
    expected = ours.predict(X)
    other = duplicate(ours)
    set_gain(ours, 5)
    for actual, y in zip(other.predict(X), expected, strict=True):
        assert_close(actual, y)


def test_weights_are_drawn_as_in_spacy() -> None:
    models = []
    for build in (build_window_encoder, MaxoutWindowEncoder):
        numpy.random.seed(0)
        models.append(build(width=12, window_size=1, maxout_pieces=2, depth=2).initialize())
    for ours, theirs in zip(models[0].walk(), models[1].walk(), strict=True):
        for name in ours.param_names:
            assert numpy.array_equal(ours.get_param(name), theirs.get_param(name))


def test_other_layers_are_not_taken_for_the_encoder() -> None:
    others = [
        MishWindowEncoder(width=8, window_size=1, depth=2),
        with_array(Maxout(8, 8)),
        Maxout(8, 8, normalize=True, dropout=0.0),
    ]
    for other in others:
        assert not is_window_encoder(other)
        with pytest.raises(ValueError, match="Not a spacy.MaxoutWindowEncoder"):
            convert_window_encoder(other)


def test_too_many_pieces_are_refused() -> None:
    model = build_window_encoder(width=2, window_size=1, maxout_pieces=128, depth=1)
    model.initialize()
    with pytest.raises(ValueError, match="maxout_pieces=128"):
        model.predict(draw_words(2))
