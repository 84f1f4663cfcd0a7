"""The recurrent encoder equals a slow twin, forward and backward, in every batch."""

import copy
import pickle

import numpy
import pytest
from thinc.api import Model, chain, set_dropout_rate
from thinc.types import Ragged

from spacy_arceager.kernels.recurrence import Cells, Recurrence
from spacy_arceager.kernels.row_product import HALVES
from spacy_arceager.kernels.strips import rounded
from spacy_arceager.token_vectors.recurrent_encoder import (
    build_recurrent_encoder,
    build_recurrent_layer,
)

from .conftest import RNG
from .test_window_encoder import (
    assert_close,
    assert_finite_differences,
    assert_same_bits,
    draw_words,
    randomise,
)

LENGTHS = [3, 0, 1, 20, 2, 7, 130]
WIDTHS = [2, 5, 16, 96, 128]


def draw(width: int, lengths: list[int] = LENGTHS) -> list[numpy.ndarray]:
    return draw_words(width, lengths)


def build_layer(width: int, pieces: int = 2) -> Model:
    layer = build_recurrent_layer(width, pieces, half_products=False)
    layer.initialize()
    randomise(layer)
    return layer


def slow_layer(model: Model, vectors: numpy.ndarray) -> numpy.ndarray:
    """The output for one Doc, computed word by word and unit by unit in float64."""
    maxout, norm, _ = model.layers
    W, b = model.get_param("W").astype("d"), model.get_param("b").astype("d")
    width = b.shape[1]
    candidates, forget, output = numpy.einsum("gui,ni->gnu", W, vectors) + b[:, None]
    candidates = numpy.tanh(candidates)
    forget, output = (1 + numpy.tanh(forget / 2)) / 2, (1 + numpy.tanh(output / 2)) / 2
    read = numpy.zeros((len(vectors), width))
    for unit in range(width):
        words = range(len(vectors))
        cell = 0.0
        for n in words if unit < width // 2 else reversed(words):
            cell = forget[n, unit] * cell + (1 - forget[n, unit]) * candidates[n, unit]
            read[n, unit] = output[n, unit] * cell
    best = (numpy.einsum("upi,ni->nup", maxout.get_param("W"), read) + maxout.get_param("b")).max(2)
    normed = (best - best.mean(1, keepdims=True)) / numpy.sqrt(best.var(1, keepdims=True) + 1e-8)
    return vectors + normed * norm.get_param("G") + norm.get_param("b")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("is_train", [False, True])
def test_vectors_are_those_of_the_slow_twin(width: int, is_train: bool) -> None:
    model = build_layer(width)
    X = draw(width)
    for actual, vectors in zip(model(X, is_train)[0], X, strict=True):
        assert_close(actual, slow_layer(model, vectors))


def test_gates_that_are_wide_open_or_shut() -> None:
    model = build_layer(16)
    model.set_param("W", 40 * model.get_param("W"))
    for actual, vectors in zip(model.predict(X := draw(16)), X, strict=True):
        assert_close(actual, slow_layer(model, vectors))
    model.set_param("W", 1e30 * model.get_param("W"))
    assert all(numpy.isfinite(actual).all() for actual in model.predict(X))


@pytest.mark.parametrize("dropout", [0.0, 0.4])
@pytest.mark.parametrize("width", [2, 7])
def test_gradients_of_a_layer_are_finite_differences(width: int, dropout: float) -> None:
    assert_finite_differences(build_layer(width), width, dropout)


def test_gradients_of_the_encoder_are_finite_differences() -> None:
    model = build_recurrent_encoder(
        6, 1, 2, window_depth=2, depth=2, recurrent_pieces=3, half_products=False)
    model.initialize()
    randomise(model)
    assert_finite_differences(model, 6, 0.0)


def test_a_doc_has_the_same_bits_in_any_batch() -> None:
    model = build_recurrent_encoder(96, 1, 3)
    model.initialize()
    assert_same_bits(model, 96)


def test_training_without_dropout_has_the_bits_of_prediction() -> None:
    model = build_recurrent_encoder(96, 1, 3, half_products=False)
    model.initialize()
    for actual, expected in zip(model(X := draw(96), True)[0], model.predict(X), strict=True):
        assert numpy.array_equal(actual, expected)


def test_half_products_change_the_vectors_a_little() -> None:
    model, floats = (
        build_recurrent_encoder(96, 1, 3, half_products=halves) for halves in (True, False))
    model.initialize()
    floats.initialize()
    floats.from_dict(model.to_dict())
    X = draw(96)
    for actual, expected in zip(model.predict(X), floats.predict(X), strict=True):
        assert numpy.allclose(actual, expected, rtol=0, atol=0.3)
        assert not len(actual) or not numpy.array_equal(actual, expected)
    for actual, expected in zip(model(X, True)[0], floats.predict(X), strict=True):
        assert numpy.allclose(actual, expected, rtol=0, atol=0.1)    # half floats are finer


def test_products_are_those_of_rounded_numbers() -> None:
    W, b = RNG.normal(size=(3, 6, 6)).astype("f"), RNG.normal(size=(3, 6)).astype("f")
    inputs, lengths = RNG.normal(size=(5, 6)).astype("f"), numpy.array([2, 3], dtype="i")
    out, expected = numpy.empty_like(inputs), numpy.empty_like(inputs)
    Recurrence(W, b, rounding=HALVES).apply(inputs, lengths, out)
    Recurrence(rounded(W), b).apply(rounded(inputs), lengths, expected)
    assert numpy.allclose(out, expected, atol=1e-5)


def test_each_half_reads_from_its_end() -> None:
    width, n = 8, 5
    W, b = RNG.normal(size=(3, width, width)).astype("f"), numpy.zeros((3, width), dtype="f")
    lengths = numpy.array([n], dtype="i")
    vectors = draw(width, [n])[0]
    changed = vectors.copy()
    changed[2] += 1

    def read(inputs: numpy.ndarray) -> numpy.ndarray:
        out = numpy.empty_like(inputs)
        Recurrence(W, b).apply(inputs, lengths, out)
        return out

    differs = read(vectors) != read(changed)
    assert differs.any(axis=1).all()
    assert not differs[:2, :4].any() and differs[2:, :4].all()
    assert not differs[3:, 4:].any() and differs[:3, 4:].all()


@pytest.mark.parametrize("form", ["ragged", "array", "none", "empty Docs"])
def test_forms_of_words(form: str) -> None:
    model = build_recurrent_encoder(4, 1, 2)
    model.initialize()
    X = draw(4, [3, 2])
    expected = model.predict(X)
    if form == "ragged":
        ragged = Ragged(numpy.concatenate(X), numpy.array([3, 2], dtype="i"))
        assert numpy.array_equal(model.predict(ragged).dataXd, numpy.concatenate(expected))
    elif form == "array":
        assert numpy.array_equal(model.predict(X[0]), expected[0])
    else:
        X = [] if form == "none" else draw(4, [0, 0])
        Y, backprop = model(X, is_train=True)
        assert [y.shape for y in Y] == [y.shape for y in backprop(Y)] == [x.shape for x in X]


@pytest.mark.parametrize("copied", [
    lambda model: build_recurrent_encoder(12, 1, 2).from_bytes(model.to_bytes()),
    lambda model: model.copy(),
    copy.deepcopy,
    lambda model: pickle.loads(pickle.dumps(model)),
], ids=["bytes", "copy", "deepcopy", "pickle"])
def test_copies_predict_the_same(copied) -> None:
    model = build_recurrent_encoder(12, 1, 2)
    model.initialize()
    X = draw(12)
    expected = model.predict(X)
    for actual, vectors in zip(copied(model).predict(X), expected, strict=True):
        assert numpy.array_equal(actual, vectors)


def test_forget_gates_start_at_different_speeds() -> None:
    layer = build_recurrent_layer(6, 2, half_products=False)
    layer.initialize()
    assert layer.get_param("b")[1].tolist() == [0, 1.5, 3, 0, 1.5, 3]
    assert not layer.get_param("b")[[0, 2]].any()


def test_dropout_reaches_both_kinds_of_layers() -> None:
    model = build_recurrent_encoder(32, 1, 2, window_depth=1, depth=1)
    model.initialize()
    X = draw(32, [9])
    set_dropout_rate(model, 0.5)
    (recurrent,) = [node for node in model.walk() if node.name == "recurrent_layer"]
    Y = recurrent(X, is_train=True)[0][0]
    assert 0.3 < numpy.equal(Y, X[0]).mean() < 0.7


@pytest.mark.parametrize("name", ["W", "b"])
def test_new_weights_are_used(name: str) -> None:
    layer = build_layer(8)
    X = draw(8, [4])
    before = layer.predict(X)[0]
    layer.set_param(name, layer.get_param(name) + 1)
    assert (layer.predict(X)[0] != before).any()
    assert_close(layer.predict(X)[0], slow_layer(layer, X[0]))


@pytest.mark.parametrize(("node", "name"), [(0, "b"), (1, "b"), (2, "b"), (2, "G")])
def test_damaged_weights_are_refused(node: int, name: str) -> None:
    layer = build_layer(8)
    damaged = [layer, *layer.layers][node]
    damaged.set_param(name, damaged.get_param(name)[:-1])
    with pytest.raises(ValueError, match="do not fit"):
        layer.predict(draw(8, [4]))


def test_wrong_sizes_are_refused() -> None:
    gates = Recurrence(numpy.zeros((3, 4, 4), dtype="f"), numpy.zeros((3, 4), dtype="f"))
    lengths = numpy.array([2], dtype="i")
    X, out = numpy.zeros((2, 4), dtype="f"), numpy.zeros((2, 4), dtype="f")
    with pytest.raises(ValueError, match="3 inputs; the layer has 4"):
        gates.apply(numpy.zeros((2, 3), dtype="f"), lengths, out)
    for wrong in (numpy.array([3], dtype="i"), numpy.array([4, -2], dtype="i")):
        with pytest.raises(ValueError, match="words and 4 units"):
            gates.apply(X, wrong, out)
    with pytest.raises(ValueError, match="words and 4 units"):
        gates.apply(X, lengths, numpy.zeros((2, 5), dtype="f"))
    for n in (1, 3):
        with pytest.raises(ValueError, match="words and 4 units"):
            gates.apply(X, lengths, out, Cells(n, gates))
        with pytest.raises(ValueError, match="words and 4 units"):
            gates.backprop(out, lengths, Cells(n, gates))


@pytest.mark.parametrize(("window_depth", "depth"), [(0, 1), (0, 2), (1, 1), (3, 2)])
def test_numbers_of_layers(window_depth: int, depth: int) -> None:
    model = build_recurrent_encoder(4, 1, 2, window_depth, depth)
    model.initialize()
    names = [node.name for node in model.walk()]
    assert names.count("recurrent_layer") == depth
    assert names.count("expand_window") == window_depth
    assert model.predict(draw(4, [2]))[0].shape == (2, 4)


def test_it_stands_in_a_chain() -> None:
    """spacy.Tok2Vec.v2 chains an encoder behind another layer."""
    model = chain(build_recurrent_encoder(4, 1, 2), build_recurrent_encoder(4, 1, 2))
    model.initialize()
    assert model.predict(draw(4, [2]))[0].shape == (2, 4)
