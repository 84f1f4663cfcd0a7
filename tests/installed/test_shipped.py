"""The English pipeline that comes with the package."""

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import DocBin

import spacy_arceager
from spacy_arceager import PIPELINES
from tests.conftest import assert_one_tree


@pytest.fixture(scope="module")
def nlp() -> Language:
    return spacy_arceager.load("en")


def test_it_parses_raw_text_into_one_tree_a_sentence(nlp: Language) -> None:
    doc = nlp("The letters arrived yesterday. Nobody read them.")
    assert len(list(doc.sents)) == 2
    for sentence in doc.sents:
        assert_one_tree([token.head.i - sentence.start for token in sentence])
    assert doc[1].head.text == "arrived" and doc[1].dep_ == "nsubj"
    assert doc[2].pos_ == "VERB" and doc[2].dep_ == "ROOT"


def test_it_has_a_model_card(nlp: Language) -> None:
    assert nlp.meta["license"] == "CC BY-SA 4.0"
    assert "UD_English-EWT" in nlp.meta["sources"][0]["name"]
    assert 0.75 < nlp.meta["performance"]["dep_las_ud"] < 1
    assert 0.75 < nlp.meta["performance"]["raw_las"] < nlp.meta["performance"]["dep_las_ud"]


def test_its_components_can_be_taken_into_another_pipeline(nlp: Language) -> None:
    other = spacy.blank("en")
    for name in nlp.pipe_names:
        other.add_pipe(name, source=nlp)
    other.get_pipe("arceager_parser").valid = "ud"
    doc = other("She saw him.")
    data = DocBin(docs=[doc], attrs=["MORPH"]).to_bytes()
    (copy,) = DocBin().from_bytes(data).get_docs(other.vocab)
    assert copy[0].morph.get("Case") == ["Nom"]


def test_it_has_nothing_that_only_training_needs() -> None:
    files = [path for path in PIPELINES.rglob("*") if path.is_file()]
    assert not any(b"supertagger" in path.read_bytes() for path in files)


def test_it_is_small() -> None:
    size = sum(path.stat().st_size for path in PIPELINES.rglob("*") if path.is_file())
    assert size < 6e6


def test_it_has_a_pipeline_name_too() -> None:
    assert spacy_arceager.load("en_arceager_sm").meta["name"] == "arceager_sm"
