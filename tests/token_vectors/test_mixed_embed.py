"""The mixing embedding equals a slow twin of thinc's layers, forward and backward."""

import copy
import pickle

import numpy
import pytest
import spacy
from thinc.api import Model, chain, concatenate, set_dropout_rate, with_array

from spacy_arceager.token_vectors.mixed_embed import build_mixed_embed
from spacy_arceager.token_vectors.subword_embed import build_subword_embed

from ..learning import learn, loss, slope
from .conftest import RNG
from .test_window_encoder import assert_close, gradients, ours_weight, randomise

NLP = spacy.blank("xx")
TEXTS = ["Small birds sing on small trees.", "", "Birds", "They sing and sing, and sing!"]
DOCS = [NLP(text) for text in TEXTS]
WIDTH = 6


def build_inputs() -> tuple[Model, Model]:
    """Two embeddings of different widths, in the places of the word and of its context."""
    word = build_subword_embed(4, ["NORM", "SHAPE"], [20, 10], ngram_rows=30)
    return word, build_subword_embed(5, ["SUFFIX"], [20], max_n=0)


def build(pieces: int = 3, with_word: bool = True) -> Model:
    word, context = build_inputs()
    model = build_mixed_embed(WIDTH, word if with_word else None, context, pieces)
    model.initialize(DOCS)
    randomise(model)
    return model


def slow_twin(model: Model) -> Model:
    """thinc's layers for the same, with the same weights."""
    *inputs, maxout, norm, dropout = model.layers
    read = concatenate(*inputs) if len(inputs) > 1 else inputs[0]
    return chain(read, with_array(chain(maxout, norm, dropout)))


def draw_gradient() -> list[numpy.ndarray]:
    return [RNG.normal(size=(len(doc), WIDTH)).astype("f") for doc in DOCS]


@pytest.mark.parametrize("pieces", [1, 2, 3])
@pytest.mark.parametrize("with_word", [True, False])
@pytest.mark.parametrize("is_train", [True, False])
def test_vectors_are_those_of_the_slow_twin(pieces: int, with_word: bool, is_train: bool) -> None:
    model = build(pieces, with_word)
    expected = slow_twin(model)(DOCS, is_train)[0]
    for vectors, of_twin in zip(model(DOCS, is_train)[0], expected, strict=True):
        assert_close(vectors, of_twin)


@pytest.mark.parametrize("with_word", [True, False])
def test_gradients_are_those_of_the_slow_twin(with_word: bool) -> None:
    model, dY = build(with_word=with_word), draw_gradient()
    expected = gradients(slow_twin(model), DOCS, dY)[1]
    dX, actual = gradients(model, DOCS, dY)
    assert dX == [] and actual.keys() == expected.keys()
    for key, gradient in actual.items():
        assert_close(gradient, expected[key])


@pytest.mark.parametrize("dropout", [0.0, 0.4])
def test_gradients_are_finite_differences(dropout: float) -> None:
    model, dY, step = build(), draw_gradient(), 1e-3
    set_dropout_rate(model, dropout)
    numpy.random.seed(1)
    for key, gradient in gradients(model, DOCS, dY)[1].items():
        array = ours_weight(model, key)
        for place in RNG.integers(array.size, size=4):
            expected = slope(lambda: loss(model, DOCS, dY), array, place, step)
            assert gradient.flat[place] == pytest.approx(expected, rel=0.02, abs=0.02)


def test_a_doc_has_the_same_bits_in_any_batch() -> None:
    model = build()
    together, backwards = model.predict(DOCS), model.predict(DOCS[::-1])[::-1]
    for doc, vectors, others in zip(DOCS, together, backwards, strict=True):
        (alone,) = model.predict([doc])
        assert numpy.array_equal(alone, vectors) and numpy.array_equal(alone, others)
    for vectors, of_training in zip(together, model(DOCS, is_train=True)[0], strict=True):
        assert numpy.array_equal(vectors, of_training)


@pytest.mark.parametrize("is_train", [True, False])
def test_no_docs(is_train: bool) -> None:
    model = build()
    assert model([], is_train=is_train)[0] == []
    Y, backprop = model([NLP("")], is_train=is_train)
    assert Y[0].shape == (0, WIDTH)
    if is_train:
        assert backprop(Y) == []


def test_prediction_has_no_backward_pass() -> None:
    with pytest.raises(ValueError, match="nothing was recorded"):
        build()(DOCS, is_train=False)[1]([])


@pytest.mark.parametrize("copied", [
    lambda model: build_mixed_embed(WIDTH, *build_inputs()).from_bytes(model.to_bytes()),
    lambda model: model.copy(),
    copy.deepcopy,
    lambda model: pickle.loads(pickle.dumps(model)),
], ids=["bytes", "copy", "deepcopy", "pickle"])
def test_copies_predict_the_same(copied) -> None:
    model = build()
    expected = model.predict(DOCS)
    for vectors, of_model in zip(copied(model).predict(DOCS), expected, strict=True):
        assert numpy.array_equal(vectors, of_model)


def test_it_learns() -> None:
    losses = learn(build(), DOCS, draw_gradient(), rate=0.03, updates=80)
    assert losses[-1] < 0.5 * losses[0]


def test_empty_docs_may_have_vectors_of_another_width() -> None:
    # Those of spacy-transformers have none.
    model = build()
    expected = model.predict(DOCS)
    context = model.layers[1]

    def forward(_: Model, docs: list, is_train: bool) -> tuple:
        vectors, backprop = context(docs, is_train)
        return [x if len(x) else numpy.zeros((0, 0), dtype="f") for x in vectors], backprop

    wrapped = Model("wrapped", forward, layers=[context], dims={"nO": context.get_dim("nO")})
    model.layers[1] = wrapped
    for vectors, whole in zip(model.predict(DOCS), expected, strict=True):
        assert numpy.array_equal(vectors, whole)
