"""Documents are written in a format, and the pipeline is set up for it."""

from dataclasses import replace

import pytest
import spacy
from spacy.language import Language

from spacy_arceager.formats.registry import TREES
from spacy_arceager.formats.writing import TreeWriting, derivation_writer
from tests.conftest import PARSER, Trained, get_parser

TEXT = "She reads  books."

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


@pytest.fixture
def nlp(english: Trained) -> Language:
    return english.copy()


@pytest.mark.parametrize("name", TREES)
def test_only_what_draws_heeds_ascii(nlp: Language, name: str) -> None:
    plain, in_ascii = (
        TreeWriting(TREES[name], **options)(nlp)(nlp(TEXT), {})
        for options in ({}, {"ascii_only": True})
    )
    assert in_ascii.isascii()
    assert plain.isascii() == (name != "tree") and (plain == in_ascii) == (name != "tree")


@pytest.mark.parametrize("is_written", [True, False])
def test_confidences_are_found_where_they_are_written(nlp: Language, is_written: bool) -> None:
    get_parser(nlp).confidence = False
    write = TreeWriting(TREES["conllu"], confidence=is_written)(nlp)
    assert get_parser(nlp).confidence == is_written
    assert ("HeadConfidence=" in write(nlp(TEXT), {})) == is_written


@pytest.mark.parametrize("options", [{"needs_parser": True}, {"confidence": True}, {"k_best": 2}])
def test_a_pipeline_without_our_parser_writes_only_what_needs_none(options: dict) -> None:
    blank = spacy.blank("xx")
    assert "She" in TreeWriting(TREES["conllu"])(blank)(blank(TEXT), {})
    with pytest.raises(ValueError, match="has no arceager_parser"):
        TreeWriting(TREES["conllu"], **options)(blank)


def test_half_a_character_cannot_be_written() -> None:
    blank, form = spacy.blank("xx"), replace(TREES["json"], write=lambda doc, record: "\ud800")
    with pytest.raises(UnicodeEncodeError):
        TreeWriting(form)(blank)(blank(TEXT), {})


def test_derivations_are_found_of_unparsed_documents(nlp: Language) -> None:
    derive = derivation_writer(nlp)
    assert PARSER not in nlp.pipe_names
    [derived] = derive(nlp(TEXT), {})
    assert derived.words == ["She", "reads", "books", "."]


def test_the_best_trees_are_written_with_their_ranks(nlp: Language) -> None:
    written = TreeWriting(TREES["conllu"], k_best=2, ascii_only=True)(nlp)(nlp(TEXT), {"id": "a"})
    assert written.startswith("# newdoc id = a\n# parse = 1/2\n")
    assert written.count("# parse = ") == written.count("# sent_id = a-1-") == 2
