"""Each system has its own features, so that a config only has to name another system."""

import warnings

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.util import registry

from spacy_arceager.network import transition_model
from spacy_arceager.network.features import compile_attributes, compile_words, find_unseen
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    dag,
    easy_first,
)
from spacy_arceager.systems.catalogue import CATALOGUE
from spacy_arceager.systems.features import Features, features_of
from tests.conftest import TINY_MODEL, get_parser, parse_words, read_corpus, train
from tests.search.systems import EVERY
from tests.systems_table import SYSTEMS

ALL = {**{row.name: row.parameters for row in SYSTEMS}, **EVERY}


def pipeline(system: str, model: dict | None = None, **settings: object) -> Language:
    nlp = spacy.blank("xx")
    block = {"@misc": f"arceager.{system}.v1", **settings}
    nlp.add_pipe(
        "arceager_parser", config={"system": block, "model": {**TINY_MODEL, **(model or {})}}
    )
    return nlp


def features_in(nlp: Language) -> Features:
    attrs = get_parser(nlp).model.get_ref("scoring").attrs
    return Features(tuple(attrs["words"]), tuple(attrs["attributes"]))


@pytest.mark.parametrize(
    ("system", "settings"),
    [("arc_eager", {}), ("arc_standard", {}), ("arc_hybrid", {"swap": True}),
     ("attardi", {"degree": 3}), ("easy_first", {"distance": 3}), ("dag", {})],
)
def test_a_swap_of_the_system_block_brings_its_features(system: str, settings: dict) -> None:
    parameters = registry.misc.get(f"arceager.{system}.v1")(**settings)
    assert features_in(pipeline(system, **settings)) == features_of(parameters)


def test_systems_of_different_arcs_have_different_features() -> None:
    kinds = [arc_eager(), arc_eager(distance=2), arc_standard(), arc_hybrid(), arc_hybrid(True),
             attardi(2), attardi(3), dag()]
    assert len(set(map(features_of, kinds))) == len(kinds)


def test_what_is_set_is_kept_and_the_rest_is_the_systems_own() -> None:
    words = ["O1", "O2", "O3"]
    features = features_in(pipeline("attardi", {"words": words}, degree=2))
    assert features == Features(tuple(words), features_of(attardi(2)).attributes)


@pytest.mark.parametrize("parameters", ALL.values(), ids=ALL.keys())
def test_the_rule_shows_every_word_that_is_joined(parameters: SystemParameters) -> None:
    features = features_of(parameters)
    compile_words(features.words)
    compile_attributes(features.attributes)
    joined = [t for t in parameters.transitions if t.is_arc]
    for transition in joined:
        assert {f"O{transition.left}", f"O{transition.right}"} <= set(features.words)
        assert f"O{transition.left}-O{transition.right}" in features.attributes
    # The model also sees the word behind the farthest word that an arc can join.
    assert f"O{max(t.left for t in joined) + 1}" in features.words
    assert not find_unseen(parameters, features.words)


@given(distance=st.integers(1, 15))
def test_distance_d_sees_d_plus_two_words(distance: int) -> None:
    words = features_of(easy_first(distance=distance)).words
    assert [f"O{i}" in words for i in range(1, distance + 4)] == [True] * (distance + 2) + [False]


def test_labels_are_seen_where_dependents_stay() -> None:
    assert "O3.label" in features_of(arc_eager(distance=2)).attributes
    assert "O3.label" not in features_of(attardi(2)).attributes


def test_an_end_of_an_arc_that_the_model_cannot_see_is_named() -> None:
    words = ["O1", "O2", "O3"]      # enough for distance 2, but not for distance 3
    with pytest.warns(UserWarning, match=r"O4 \(LEFT-ARC-3\).*without seeing them"):
        pipeline("easy_first", {"words": words}, distance=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        pipeline("easy_first", {"words": words}, distance=2)


@pytest.mark.parametrize("name", CATALOGUE)
def test_no_system_is_blind_by_default(name: str) -> None:
    parameters = CATALOGUE[name].parameters()
    assert not find_unseen(parameters, features_of(parameters).words)


@pytest.mark.filterwarnings("ignore:.*as one sentence")
def test_a_saved_parser_keeps_the_features_it_was_trained_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    nlp = pipeline("arc_hybrid")
    examples = read_corpus(nlp, "en_small-dev.conllu")
    train(nlp, examples, epochs=2)
    before, parses = features_in(nlp), parse_words(nlp, examples)
    nlp.to_disk(tmp_path)
    later = Features(("O1", "O2", "O3"), ())
    monkeypatch.setattr(transition_model, "features_of", lambda _: later)
    loaded = spacy.load(tmp_path)
    assert features_in(loaded) == before
    assert parse_words(loaded, examples) == parses
