"""The component `arceager_paragraphs`: sentences end at empty lines."""

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

import spacy_arceager

NAME = "arceager_paragraphs"


@pytest.fixture
def nlp() -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME)
    return nlp


def boundaries(doc: Doc) -> str:
    """A sign for each token but the first: + starts a sentence, - does not, ? is not known."""
    return "".join({True: "+", False: "-", None: "?"}[token.is_sent_start] for token in doc[1:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A b c d", "???"),
        ("A b\nc", "???"),
        ("A b \n\nc d", "?-+?"),
        ("A b\r\n\r\nc", "?-+"),
        ("A b\n \t\n c", "?-+"),
        ("A  b", "??"),
        ("A b\n\n", "?-"),
        ("\n\nA b", "-?"),
        ("\n\n", ""),
        ("", ""),
    ],
)
def test_empty_lines_are_boundaries_and_nothing_else_is_known(nlp, text, expected):
    assert boundaries(nlp(text)) == expected


def test_boundaries_that_are_set_are_kept(nlp):
    doc = nlp.make_doc("A b\n\nc\n\nd e")
    doc[3].is_sent_start = False
    doc[4].is_sent_start = True
    doc[6].is_sent_start = False
    assert boundaries(nlp.get_pipe(NAME)(doc)) == "?--++-"


def test_white_space_behind_an_empty_line_starts_no_sentence(nlp):
    doc = Doc(nlp.vocab, ["A", "\n\n", "\n", "b"])
    assert boundaries(nlp.get_pipe(NAME)(doc)) == "-??"


def test_other_components_keep_the_boundaries(nlp):
    nlp.add_pipe("sentencizer")
    doc = nlp("\n\nA heading\n\nA text. It has\nlines.\n\n")
    assert [sentence.text.strip() for sentence in doc.sents] == [
        "A heading", "A text.", "It has\nlines."
    ]


def test_the_shipped_pipeline_ends_sentences_at_empty_lines():
    nlp = spacy_arceager.load("en")
    doc = nlp("- first item\n\nof them\n\nRegards, John")
    assert {4, 7} <= {sentence.start for sentence in doc.sents}
    assert not any(sentence[0].is_space for sentence in doc.sents)
    before = [(token.is_sent_start, token.head.i, token.dep_) for token in doc]
    for _, pipe in nlp.pipeline:
        doc = pipe(doc)
    assert [(token.is_sent_start, token.head.i, token.dep_) for token in doc] == before
