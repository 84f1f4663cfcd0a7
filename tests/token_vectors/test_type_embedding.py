"""Embeddings of word types equal spaCy's, and keep vectors only until weights change."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy
import pytest
import spacy
from spacy.ml.models.tok2vec import CharacterEmbed, MultiHashEmbed
from spacy.tokens import Doc
from spacy.vectors import Vectors
from spacy.vocab import Vocab
from thinc.api import Model, set_dropout_rate

from spacy_arceager.token_vectors import type_embedding
from spacy_arceager.token_vectors.speed_up import is_multi_hash_embed, speed_up_model
from spacy_arceager.token_vectors.subword_embed import build_subword_embed
from spacy_arceager.token_vectors.types import hash_affixes, hash_ngrams

from ..learning import loss, slope
from .test_window_encoder import assert_close, gradients, randomise

NLP = spacy.blank("xx")
for word in ("They", "do", "n't", "know", "knew", "the", "known", "unknowns", ".", "Ünïcödé", "𝔘"):
    NLP.vocab.set_vector(word, numpy.random.default_rng(len(word)).normal(size=7).astype("f"))
TEXTS = ["They don't know the knew.", "", "the known unknowns", "Ünïcödé 𝔘 . . the"]
MULTI_HASH = {
    "four attributes": (["NORM", "PREFIX", "SUFFIX", "SHAPE"], False),
    "one attribute": (["ORTH"], False),
    "vectors": (["LOWER", "SHAPE"], True),
    "one attribute and vectors": (["NORM"], True),
    "attributes of tokens": (["SPACY", "POS", "IS_ALPHA"], False),
}
SUBWORD = {
    "n-grams": {},
    "n-grams and vectors": {"include_static_vectors": True},
    "n-grams alone": {"attrs": [], "rows": []},
    "of the form": {"feature": "ORTH", "min_n": 1, "max_n": 3},
    "affixes": {"prefixes": [1, 3], "suffixes": [2], "affix_rows": 30, "max_n": 0},
    "dropped": {"word_dropout": 0.5, "ngram_dropout": 0.5},
    "all": {"include_static_vectors": True, "prefixes": [2], "suffixes": [3], "affix_rows": 9},
}


def read_docs() -> list[Doc]:
    return [NLP(text) for text in TEXTS]


def build_twins(case: str) -> tuple[Model, Model]:
    """spaCy's embedding and ours, which shares its weights."""
    attrs, vectors = MULTI_HASH[case]
    theirs = MultiHashEmbed(
        width=8, attrs=attrs, rows=[40] * len(attrs), include_static_vectors=vectors
    )
    theirs.initialize(X=read_docs())
    randomise(theirs)
    return theirs, speed_up_model(theirs)


def build_subword(case: str = "n-grams", **settings: object) -> Model:
    ours = build_subword_embed(**{
        "width": 8, "attrs": ["NORM", "SHAPE"], "rows": [40, 30], "ngram_rows": 50,
        **SUBWORD[case], **settings,
    })
    ours.initialize(X=read_docs())
    randomise(ours)
    return ours


def draw_gradients(docs: list[Doc]) -> list[numpy.ndarray]:
    generator = numpy.random.default_rng(3)
    return [generator.normal(size=(len(doc), 8)).astype("f") for doc in docs]


@pytest.mark.parametrize("case", MULTI_HASH)
@pytest.mark.parametrize("is_train", [False, True])
def test_vectors_are_those_of_spacy(case, is_train) -> None:
    theirs, ours = build_twins(case)
    docs = read_docs()
    for _ in range(2):   # the second time, all types are known
        for actual, y in zip(ours(docs, is_train)[0], theirs(docs, is_train)[0], strict=True):
            assert_close(actual, y)


@pytest.mark.parametrize("case", MULTI_HASH)
def test_gradients_are_those_of_spacy(case) -> None:
    theirs, ours = build_twins(case)
    docs = read_docs()
    _, actual = gradients(ours, docs, draw_gradients(docs))
    _, expected = gradients(theirs, docs, draw_gradients(docs))
    assert actual.keys() == expected.keys()
    for key in actual:
        assert_close(actual[key], expected[key])


@pytest.mark.parametrize("case", SUBWORD)
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_gradients_are_finite_differences(case, dropout) -> None:
    ours = build_subword(case)
    set_dropout_rate(ours, dropout)
    docs = read_docs()
    dY = draw_gradients(docs)

    numpy.random.seed(1)
    _, actual = gradients(ours, docs, dY)
    generator = numpy.random.default_rng(0)
    step = 3e-4
    for node in ours.walk():
        for name in node.param_names:
            weights, gradient = node.get_param(name), actual[node.id, name]
            changed = numpy.flatnonzero(gradient)
            for place in generator.choice(changed if changed.size else weights.size, size=4):
                expected = slope(lambda: loss(ours, docs, dY), weights, place, step)
                assert gradient.flat[place] == pytest.approx(expected, rel=0.05, abs=0.03)


@pytest.mark.parametrize("case", SUBWORD)
def test_training_without_dropout_computes_what_prediction_does(case) -> None:
    ours = build_subword(case, word_dropout=0.0, ngram_dropout=0.0)
    for actual, y in zip(ours(read_docs(), True)[0], ours.predict(read_docs()), strict=True):
        assert_close(actual, y)


@pytest.mark.parametrize("build", [build_subword, lambda: build_twins("vectors")[1]])
def test_a_word_has_the_same_bits_in_any_batch(build) -> None:
    together = build_and_predict(build, read_docs())
    alone = [build_and_predict(build, [doc])[0] for doc in read_docs()]
    for actual, y in zip(alone, together, strict=True):
        assert numpy.array_equal(actual, y)


def build_and_predict(build: Callable[[], Model], docs: list[Doc]) -> list[numpy.ndarray]:
    """The vectors by a new embedding, whose weights are the same at each call."""
    ours = build()
    generator = numpy.random.default_rng(0)
    for node in ours.walk():
        for name in node.param_names:
            shape = node.get_param(name).shape
            node.set_param(name, generator.normal(size=shape).astype("f"))
    return ours.predict(docs)


def test_words_with_common_parts_are_alike() -> None:
    ours = build_subword("n-grams alone", ngram_rows=5000, min_n=2, max_n=4)
    related, unrelated = [], []
    numpy.random.seed(0)
    for _ in range(20):
        ours.initialize()
        one, other, third = ours.predict([Doc(NLP.vocab, ["unknowable", "unknown", "picnics"])])[0]
        related.append(numpy.corrcoef(one, other)[0, 1])
        unrelated.append(numpy.corrcoef(one, third)[0, 1])
    assert numpy.mean(related) > numpy.mean(unrelated) + 0.3


def test_a_token_with_a_norm_of_its_own_has_a_vector_of_its_own() -> None:
    theirs, ours = build_twins("four attributes")
    doc = Doc(NLP.vocab, ["ca", "ca"])
    doc[1].norm_ = "can"
    actual = ours.predict([doc])[0]
    assert not numpy.array_equal(actual[0], actual[1])
    assert_close(actual, theirs.predict([doc])[0])


def test_spans_have_the_vectors_of_their_docs() -> None:
    ours = build_subword()
    doc = read_docs()[0]
    assert numpy.array_equal(ours.predict([doc[2:5]])[0], ours.predict([doc])[0][2:5])


def test_docs_of_two_vocabularies() -> None:
    ours = build_subword()
    other = Doc(Vocab(), ["onlyhere"])
    assert numpy.array_equal(ours.predict([NLP("x"), other])[1], ours.predict([other])[0])


@pytest.mark.parametrize("docs", [[], [Doc(NLP.vocab)]])
@pytest.mark.parametrize("is_train", [False, True])
@pytest.mark.parametrize("case", ["n-grams", "all"])
def test_no_words(docs, is_train, case) -> None:
    vectors, backprop = build_subword(case)(docs, is_train)
    assert [y.shape for y in vectors] == [(0, 8) for _ in docs]
    if is_train:
        backprop(vectors)


def assert_like_new(ours: Model, docs: list[Doc]) -> None:
    """Assert that no outdated vector was kept."""
    for actual, y in zip(ours.predict(docs), ours.copy().predict(docs), strict=True):
        assert numpy.array_equal(actual, y)


def learn(model: Model) -> None:
    """Change weights in place, as an optimizer does."""
    docs = read_docs()
    _, backprop = model(docs, is_train=True)
    backprop(draw_gradients(docs))
    model.finish_update(lambda key, weights, gradient: (add_one(weights), gradient))


def add_one(weights: numpy.ndarray) -> numpy.ndarray:
    weights += 1
    return weights


@pytest.mark.parametrize("change", [randomise, learn])
def test_vectors_are_computed_anew_with_new_weights(change) -> None:
    ours = build_subword("all")
    before = ours.predict(read_docs())
    change(ours)
    assert_like_new(ours, read_docs())
    assert not numpy.array_equal(before[0], ours.predict(read_docs())[0])


def test_a_new_static_vector_counts() -> None:
    vocab = Vocab()
    vocab.vectors.resize((10, 7))
    vocab.set_vector("the", numpy.ones(7, dtype="f"))
    ours = build_subword("n-grams and vectors")
    doc = Doc(vocab, ["the", "new"])
    before = ours.predict([doc])[0]
    vocab.set_vector("new", numpy.ones(7, dtype="f"))
    after = ours.predict([doc])[0]
    assert numpy.array_equal(before[0], after[0]) and not numpy.array_equal(before[1], after[1])


@pytest.mark.parametrize("is_train", [False, True])
def test_floret_vectors_are_those_of_spacy(is_train: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    table = numpy.random.default_rng(5).normal(size=(50, 7)).astype("f")
    floret = Vectors(strings=NLP.vocab.strings, data=table, mode="floret", minn=2, maxn=3)
    monkeypatch.setattr(NLP.vocab, "vectors", floret)
    theirs, ours = build_twins("vectors")
    docs = read_docs()
    for actual, y in zip(ours(docs, is_train)[0], theirs(docs, is_train)[0], strict=True):
        assert_close(actual, y)


@pytest.mark.parametrize("is_train", [False, True])
@pytest.mark.parametrize("width", [3, 12])
def test_static_vectors_of_another_width(width: int, is_train: bool) -> None:
    vocab = Vocab()
    vocab.set_vector("the", numpy.ones(width, dtype="f"))
    with pytest.raises(RuntimeError, match="E896"):     # as spaCy's
        build_subword("n-grams and vectors")([Doc(vocab, ["the"])], is_train)


def test_more_types_than_are_kept(monkeypatch) -> None:
    monkeypatch.setattr(type_embedding, "MAX_TYPES", 7)
    ours = build_subword()
    docs = [Doc(NLP.vocab, [f"w{i * j % 23}" for j in range(9)]) for i in range(30)]
    expected = ours.copy().predict(docs)
    for doc, y in zip(docs, expected, strict=True):
        assert numpy.array_equal(ours.predict([doc])[0], y)


def test_many_types() -> None:
    ours = build_subword()
    docs = [Doc(NLP.vocab, [f"w{i}" for i in range(start, start + 500)])
            for start in range(0, 5000, 250)]
    together = ours.copy().predict(docs)
    for doc, y in zip(docs, together, strict=True):
        assert numpy.array_equal(ours.predict([doc])[0], y)


def test_threads_share_a_model() -> None:
    ours = build_subword()
    docs = [Doc(NLP.vocab, [f"w{i * j % 997}" for j in range(50)]) for i in range(200)]
    expected = ours.copy().predict(docs)
    with ThreadPoolExecutor(8) as pool:
        actual = list(pool.map(lambda doc: ours.predict([doc])[0], docs))
    for a, b in zip(actual, expected, strict=True):
        assert numpy.array_equal(a, b)


@pytest.mark.parametrize(
    "duplicate",
    [
        lambda model: model.copy(),
        copy.deepcopy,
        lambda model: pickle.loads(pickle.dumps(model)),
        lambda model: build_subword("all").from_bytes(model.to_bytes()),
    ],
    ids=["copy", "deepcopy", "pickle", "bytes"],
)
def test_copies_have_the_weights(duplicate) -> None:
    ours = build_subword("all")
    expected = ours.predict(read_docs())
    other = duplicate(ours)
    randomise(ours)
    for actual, y in zip(other.predict(read_docs()), expected, strict=True):
        assert numpy.array_equal(actual, y)


def test_other_embeddings_are_not_taken_for_multi_hash_embed() -> None:
    other = CharacterEmbed(width=8, rows=10, nM=4, nC=4, include_static_vectors=False)
    assert not is_multi_hash_embed(other)
    assert not is_multi_hash_embed(build_subword())


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"attrs": ["NORM"]}, "1 attrs, but 2 rows"),
        ({"min_n": 3, "max_n": 2}, "min_n=3, max_n=2"),
        ({"min_n": 0}, "min_n=0"),
        ({"prefixes": [0]}, "1 or more characters"),
        ({"attrs": [], "rows": [], "max_n": 0}, "Nothing to embed"),
        ({"attrs": ["NORM", "SHAEP"]}, "'SHAEP' is no attribute of tokens"),
        ({"feature": "NROM"}, "'NROM' is no attribute of tokens"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings, message) -> None:
    with pytest.raises(ValueError, match=message):
        build_subword(**settings)


def test_ngrams_of_a_word() -> None:
    hashes, starts = hash_ngrams(["abc", "a", "xabc"], 2, 3)
    # <a ab bc c> <ab abc bc>, and the word; <a a> <a>, and the word
    assert starts.tolist() == [0, 8, 12, 22]
    first, second, third = (set(hashes[a:b].tolist()) for a, b in pairwise(starts))
    assert len(first) == 8 and len(second) == 4
    assert len(first & second) == 1           # <a
    assert len(first & third) == 5            # ab bc c> abc bc>


def test_affixes_of_a_word() -> None:
    hashes = hash_affixes(["abc", "abd", "ab", "xbc"], [2], [2])
    prefixes, suffixes = hashes.T.tolist()
    assert prefixes[0] == prefixes[1] == prefixes[2] != prefixes[3]
    assert suffixes[0] == suffixes[3] and len(set(suffixes)) == 3
