"""Saving and loading: what is written, what is left out, what does not fit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import srsly
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language

from spacy_arceager.errors import ModelMismatchError, TruncatedModelError
from spacy_arceager.pipe.component import ArcEagerParser
from tests.conftest import (
    PARSER,
    TINY_MODEL,
    Trained,
    blank_pipeline,
    get_parser,
    las,
    parse_words,
    read_corpus,
    train,
)
from tests.round_trips import through_bytes, through_deepcopy, through_disk, through_pickle

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


@settings(max_examples=6, deadline=None)
@given(share=st.floats(0, 1, exclude_max=True))
def test_bytes_that_are_cut_short_say_so(english: Trained, share: float) -> None:
    data = get_parser(english.nlp).to_bytes(exclude=["vocab"])
    parser = get_parser(blank_pipeline())
    with pytest.raises(TruncatedModelError, match=f"'{PARSER}'.*cut short"):
        parser.from_bytes(data[: int(share * len(data))])


@pytest.mark.parametrize("file", ["cfg", "model"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_files_that_are_cut_short_say_so(
    english: Trained, tmp_path: Path, file: str, share: float
) -> None:
    get_parser(english.nlp).to_disk(tmp_path, exclude=["vocab"])
    data = (tmp_path / file).read_bytes()
    (tmp_path / file).write_bytes(data[: int(share * len(data))])
    with pytest.raises(TruncatedModelError) as error:
        get_parser(blank_pipeline()).from_disk(tmp_path, exclude=["vocab"])
    assert str(tmp_path) in str(error.value)


@pytest.mark.parametrize("data", [b"", b"not a parser", b"\x81\xa3cfg\xa2{}"])
def test_bytes_that_are_no_parser_say_so(data: bytes) -> None:
    with pytest.raises(TruncatedModelError, match="not a saved parser"):
        get_parser(blank_pipeline()).from_bytes(data)


def test_a_missing_file_is_named(english: Trained, tmp_path: Path) -> None:
    get_parser(english.nlp).to_disk(tmp_path, exclude=["vocab"])
    (tmp_path / "model").unlink()
    with pytest.raises(FileNotFoundError, match="model"):
        get_parser(blank_pipeline()).from_disk(tmp_path, exclude=["vocab"])


def test_a_parser_of_a_newer_version_says_so(
    english: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        newer.setattr("spacy_arceager.pipe.serialize.FORMAT", 1000)
        data = get_parser(english.nlp).to_bytes(exclude=["vocab"])
    with pytest.raises(ModelMismatchError, match="newer version.*update spacy_arceager"):
        get_parser(blank_pipeline()).from_bytes(data)


def parser_of(**system: Any) -> ArcEagerParser:
    """A parser with weights and another system."""
    kind = "exact" if system.get("tree_constraint", True) else "dynamic"
    nlp = blank_pipeline(
        system={"@misc": "arceager.arc_eager.v1", **system},
        oracle={"@misc": f"arceager.{kind}_oracle.v1"},
    )
    examples = read_corpus(nlp, "en_small-dev.conllu", limit=5)
    nlp.initialize(lambda: examples)
    return get_parser(nlp)


@pytest.mark.slow
@pytest.mark.parametrize(
    "saved, loaded",
    [
        ({}, {"tree_constraint": False}),
        ({"tree_constraint": False}, {}),
        ({}, {"non_monotonic": ["left"]}),
        ({"non_monotonic": ["left", "reduce"]}, {}),
        ({"tree_constraint": False}, {"tree_constraint": False, "root": "right"}),
    ],
)
def test_a_parser_of_another_system_is_not_loaded(
    saved: dict, loaded: dict, tmp_path: Path
) -> None:
    parser, other = parser_of(**saved), parser_of(**loaded)
    with pytest.raises(ModelMismatchError, match="config"):
        other.from_bytes(parser.to_bytes(exclude=["vocab"]))
    parser.to_disk(tmp_path, exclude=["vocab"])
    with pytest.raises(ModelMismatchError, match="config"):
        other.from_disk(tmp_path, exclude=["vocab"])


@pytest.mark.parametrize(
    "other", [{"hidden_width": 16}, {"maxout_pieces": 3}, {"projection": 8}]
)
def test_a_parser_of_another_size_is_not_said_to_be_cut_short(
    english: Trained, other: dict
) -> None:
    parser = get_parser(blank_pipeline(model={**TINY_MODEL, **other}))
    with pytest.raises(ModelMismatchError):
        parser.from_bytes(get_parser(english.nlp).to_bytes(exclude=["vocab"]))


def test_labels_and_model_are_loaded_together(english: Trained) -> None:
    parser = get_parser(english.copy())
    other = get_parser(english.copy())
    other.add_label("another")
    with pytest.raises(ModelMismatchError, match="labels"):
        parser.from_bytes(other.to_bytes(), exclude=["cfg"])


@pytest.mark.parametrize(
    "round_trip", [through_bytes, through_disk, through_pickle, through_deepcopy]
)
def test_a_pipeline_parses_and_scores_the_same_after(
    round_trip: Callable[[Language, Path], Language], english: Trained, tmp_path: Path
) -> None:
    loaded = round_trip(english.nlp, tmp_path / "model")
    held_out = read_corpus(english.nlp, "en_small-dev.conllu")
    assert parse_words(loaded, held_out) == parse_words(english.nlp, held_out)
    scores, loaded_scores = (
        nlp.evaluate(read_corpus(nlp, "en_small-dev.conllu")) for nlp in (english.nlp, loaded)
    )
    for each in (scores, loaded_scores):
        each.pop("speed")
    assert loaded_scores == scores


@pytest.mark.parametrize("round_trip", [through_bytes, through_disk, through_pickle])
def test_a_training_goes_on_after(
    round_trip: Callable[[Language, Path], Language], english: Trained, tmp_path: Path
) -> None:
    nlp = round_trip(english.nlp, tmp_path / "model")
    examples = english.read(nlp)
    train(nlp, examples, epochs=1, sgd=nlp.resume_training())
    assert las(nlp, examples) > 0.9


@pytest.mark.parametrize("left_out", ["cfg", "vocab", "model"])
def test_excluded_parts_are_not_saved(
    english: Trained, left_out: str, tmp_path: Path
) -> None:
    parser = get_parser(english.nlp)
    saved = srsly.msgpack_loads(parser.to_bytes(exclude=[left_out]))
    assert set(saved) == {"cfg", "vocab", "model"} - {left_out}
    parser.to_disk(tmp_path, exclude=[left_out])
    assert {path.name for path in tmp_path.iterdir()} == set(saved)


def test_excluded_parts_are_not_loaded(english: Trained, tmp_path: Path) -> None:
    nlp, other = english.copy(), blank_pipeline()
    nlp.vocab.strings.add("frobnicate")
    parser, loaded = get_parser(nlp), get_parser(other)
    parser.to_disk(tmp_path)
    loaded.from_bytes(parser.to_bytes(), exclude=["model", "vocab"])
    assert loaded.labels == parser.labels
    assert not loaded.model.get_ref("scoring").has_param("upper_W")
    loaded.from_disk(tmp_path, exclude=["vocab"])
    assert loaded.model.to_bytes() == parser.model.to_bytes()
    assert "frobnicate" not in other.vocab.strings
    loaded.from_disk(tmp_path)
    assert "frobnicate" in other.vocab.strings


def test_a_parser_without_weights_is_saved_and_loaded() -> None:
    parser = get_parser(blank_pipeline())
    parser.add_label("nsubj")
    assert get_parser(blank_pipeline()).from_bytes(parser.to_bytes()).labels == ("nsubj",)


def test_our_token_vectors_in_the_parser_are_saved_and_loaded(tmp_path: Path) -> None:
    tok2vec = {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {"@architectures": "arceager.SubwordEmbed.v1", "width": 32, "attrs": ["NORM"],
                  "rows": [100], "ngram_rows": 100},
        "encode": {"@architectures": "arceager.RecurrentEncoder.v1", "width": 32, "depth": 1,
                   "window_size": 1, "maxout_pieces": 2},
    }
    nlp = blank_pipeline(model={**TINY_MODEL, "tok2vec": tok2vec})
    examples = read_corpus(nlp, "en_small-dev.conllu")
    nlp.initialize(lambda: examples)
    loaded = through_disk(nlp, tmp_path / "model")
    assert parse_words(loaded, examples) == parse_words(nlp, examples)
