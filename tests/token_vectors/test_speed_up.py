"""A pipeline gives the same output after `speed_up`, and is saved in the same form."""

import numpy
import pytest
import spacy
from spacy.language import Language
from spacy.training import Example

from spacy_arceager.token_vectors.speed_up import speed_up
from spacy_arceager.token_vectors.type_embedding import TypeEmbedding
from spacy_arceager.token_vectors.window_encoder import WindowEncoder

TEXTS = ["This is a sentence.", "They didn't know it.", "Another one, and a longer one!"]
ENCODE = {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 16, "window_size": 1,
          "maxout_pieces": 2, "depth": 2}
HASH_EMBED = {"@architectures": "spacy.MultiHashEmbed.v2", "width": 16, "rows": [50, 30],
              "attrs": ["NORM", "SHAPE"], "include_static_vectors": False}
CHARACTERS = {"@architectures": "spacy.CharacterEmbed.v2", "width": 16, "rows": 50, "nM": 4,
              "nC": 4, "include_static_vectors": False}
MISH = {"@architectures": "spacy.MishWindowEncoder.v2", "width": 16, "window_size": 1, "depth": 2}
TOK2VEC = {
    "HashEmbedCNN": {"@architectures": "spacy.HashEmbedCNN.v2", "width": 16, "depth": 2,
                     "embed_size": 50, "window_size": 1, "maxout_pieces": 3,
                     "subword_features": True, "pretrained_vectors": None},
    "MultiHashEmbed": {"@architectures": "spacy.Tok2Vec.v2", "embed": HASH_EMBED,
                       "encode": ENCODE},
    "CharacterEmbed": {"@architectures": "spacy.Tok2Vec.v2", "embed": CHARACTERS,
                       "encode": ENCODE},
    "MishWindowEncoder": {"@architectures": "spacy.Tok2Vec.v2", "embed": HASH_EMBED,
                          "encode": MISH},
}
REPLACED = {
    "HashEmbedCNN": {TypeEmbedding, WindowEncoder},
    "MultiHashEmbed": {TypeEmbedding, WindowEncoder},
    "CharacterEmbed": {WindowEncoder},
    "MishWindowEncoder": {TypeEmbedding},
}


def build(case: str, shared: bool) -> Language:
    """A pipeline of spaCy's layers, whose tagger has token vectors of its own or shares them."""
    nlp = spacy.blank("xx")
    model = TOK2VEC[case]
    if shared:
        nlp.add_pipe("tok2vec", config={"model": model})
        model = {"@architectures": "spacy.Tok2VecListener.v1", "width": 16, "upstream": "*"}
    nlp.add_pipe("tagger", config={"model": {"@architectures": "spacy.Tagger.v2",
                                             "tok2vec": model}})
    examples = [
        Example.from_dict(doc, {"tags": [f"T{i % 3}" for i in range(len(doc))]})
        for doc in nlp.pipe(TEXTS, disable=["tok2vec", "tagger"])
    ]
    sgd = nlp.initialize(lambda: examples)
    for _ in range(3):
        nlp.update(examples, sgd=sgd)
    return nlp


def scores(nlp: Language) -> list[numpy.ndarray]:
    docs = list(nlp.pipe(TEXTS, disable=["tagger"]))
    return nlp.get_pipe("tagger").model.predict(docs)


def functions(nlp: Language) -> set[type]:
    return {type(node._func) for _, pipe in nlp.components if hasattr(pipe, "model")
            for node in pipe.model.walk()} & {TypeEmbedding, WindowEncoder}


@pytest.mark.parametrize("case", TOK2VEC)
@pytest.mark.parametrize("shared", [True, False])
def test_a_pipeline_computes_the_same(case, shared) -> None:
    nlp = build(case, shared)
    expected = scores(nlp)
    assert speed_up(nlp) is nlp
    assert functions(nlp) == REPLACED[case]
    for actual, y in zip(scores(nlp), expected, strict=True):
        numpy.testing.assert_allclose(actual, y, atol=1e-5)


def test_it_is_saved_and_loaded_as_before(tmp_path) -> None:
    nlp = speed_up(build("HashEmbedCNN", shared=True))
    expected = scores(nlp)
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert functions(loaded) == set()
    for actual, y in zip(scores(loaded), expected, strict=True):
        numpy.testing.assert_allclose(actual, y, atol=1e-5)


def test_the_callback_of_a_config(tmp_path) -> None:
    nlp = build("HashEmbedCNN", shared=True)
    expected = scores(nlp)
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path, config={"nlp": {
        "after_pipeline_creation": {"@callbacks": "arceager.fast_token_vectors.v1"}}})
    assert functions(loaded) == {TypeEmbedding, WindowEncoder}
    for actual, y in zip(scores(loaded), expected, strict=True):
        numpy.testing.assert_allclose(actual, y, atol=1e-5)


@pytest.mark.parametrize("case", TOK2VEC)
def test_it_learns_on(case) -> None:
    nlp = speed_up(build(case, shared=True))
    before = nlp.get_pipe("tok2vec").model.to_bytes()
    examples = [Example.from_dict(doc, {"tags": ["T1"] * len(doc)})
                for doc in nlp.pipe(TEXTS, disable=["tok2vec", "tagger"])]
    sgd = nlp.resume_training()
    sgd.learn_rate = 0.05
    for _ in range(20):
        nlp.update(examples, sgd=sgd)
    assert nlp.get_pipe("tok2vec").model.to_bytes() != before
    assert {token.tag_ for doc in nlp.pipe(TEXTS) for token in doc} == {"T1"}


def test_our_layers_in_a_config(tmp_path) -> None:
    TOK2VEC["ours"] = {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {"@architectures": "arceager.SubwordEmbed.v1", "width": 16,
                  "attrs": ["NORM", "SHAPE"], "rows": [50, 30], "ngram_rows": 100},
        "encode": {**ENCODE, "@architectures": "arceager.WindowEncoder.v1"},
    }
    nlp = build("ours", shared=True)
    expected = scores(nlp)
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert functions(loaded) == {TypeEmbedding, WindowEncoder}
    assert loaded.config["components"]["tok2vec"]["model"]["embed"]["min_n"] == 2
    for actual, y in zip(scores(loaded), expected, strict=True):
        numpy.testing.assert_allclose(actual, y, atol=1e-5)
