"""Boundaries that were given and those that the parser found: parsing again changes nothing."""

import random
import warnings
from collections.abc import Iterable

import numpy
import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation.boundaries import given_boundaries, write_boundaries
from spacy_arceager.search.settings import BeamSettings
from tests.annotation.parsers import build_parser
from tests.conftest import annotation, read_corpus
from tests.search.systems import SEGMENTING

WIDTHS = (1, 2, 4, 8)
N_DOCS = 20     # for each system, with trained and with random weights


def unparsed(vocab: spacy.Vocab, words: Iterable[str], given: Iterable[bool | None]) -> Doc:
    doc = Doc(vocab, words=list(words))
    for token, start in zip(doc, given):
        if token.i and start is not None:
            token.is_sent_start = start
    return doc


@pytest.fixture(scope="module")
def texts() -> list[tuple[list[str], list[bool | None]]]:
    """Words of some sentences, and boundaries that are given: none, or one word in five."""
    examples = read_corpus(spacy.blank("xx"), "en_small-train.conllu", sentences_per_doc=3)
    draw = random.Random(0)
    texts = []
    for i in range(N_DOCS):
        words = [token.text for token in examples[i % len(examples)].predicted][:40]
        draw.shuffle(words)
        weights = (1, 0, 0) if i % 2 else (8, 1, 1)
        texts.append((words, draw.choices((None, True, False), weights, k=len(words))))
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("learns", [True, False], ids=["trained", "random"])
@pytest.mark.parametrize("name", SEGMENTING)
def test_parsing_twice_changes_nothing_and_given_boundaries_hold(
    name: str, learns: bool, texts: list
) -> None:
    nlp = spacy.blank("xx")
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    parser = build_parser(nlp.vocab, SEGMENTING[name], examples, learns)
    n_found = 0
    for parser.beam in [None, *map(BeamSettings, WIDTHS)]:
        docs = [unparsed(nlp.vocab, *text) for text in texts]
        parser.set_annotations(docs, parser.predict(docs))
        first = [annotation(doc) for doc in docs]
        parser.set_annotations(docs, parser.predict(docs))
        assert [annotation(doc) for doc in docs] == first
        for doc, (_, given) in zip(docs, texts):
            n_found += sum(token.is_sent_start for token in doc) - 1
            for token, start in zip(doc[1:], given[1:]):
                assert start is None or token.is_sent_start == start
    assert n_found > N_DOCS


def test_what_was_given_survives_serialisation(texts: list) -> None:
    nlp = spacy.blank("xx")
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    parser = build_parser(nlp.vocab, SEGMENTING["arc_standard"], examples, learns=False)
    parser.beam = BeamSettings(4)
    for text in texts:
        doc = unparsed(nlp.vocab, *text)
        given = given_boundaries(doc).tolist()
        loaded = Doc(nlp.vocab).from_bytes(parser(doc).to_bytes())
        assert given_boundaries(loaded).tolist() == given
        assert annotation(parser(loaded)) == annotation(doc)


def test_boundaries_changed_after_parsing_are_given(texts: list) -> None:
    nlp = spacy.blank("xx")
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    parser = build_parser(nlp.vocab, SEGMENTING["arc_standard"], examples, learns=False)
    parser.beam = BeamSettings(4)
    doc = parser(unparsed(nlp.vocab, *texts[1]))
    assert given_boundaries(doc).tolist() == [1] + [0] * (len(doc) - 1)
    for word in range(1, len(doc)):
        wanted = [token.is_sent_start for token in doc]
        wanted[word] = not wanted[word]
        changed = Doc(nlp.vocab, texts[1][0], sent_starts=wanted, user_data=doc.user_data)
        assert [start == 1 for start in given_boundaries(changed)] == wanted
        assert [token.is_sent_start for token in parser(changed)] == wanted


def test_docs_with_found_boundaries_are_joined_without_a_warning(texts: list) -> None:
    nlp = spacy.blank("xx")
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    parser = build_parser(nlp.vocab, SEGMENTING["arc_standard"], examples, learns=False)
    parser.beam = BeamSettings(2)
    docs = [parser(unparsed(nlp.vocab, *text)) for text in texts[:3]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        joined = Doc.from_docs(docs)
    starts = [token.is_sent_start for doc in docs for token in doc]
    assert [token.is_sent_start for token in parser(joined)] == starts


@pytest.mark.parametrize("heads", [None, [1, 1, 1, 2]])
def test_boundaries_are_written_whether_a_doc_is_parsed_or_not(heads: list[int] | None) -> None:
    deps = None if heads is None else ["det", "ROOT", "obj", "case"]
    doc = Doc(spacy.Vocab(), words=["a", "b", "c", "d"], heads=heads, deps=deps)
    write_boundaries(doc, numpy.array([1, -1, 1, -1], dtype="i1"))
    assert [token.is_sent_start for token in doc] == [True, False, True, False]
    assert given_boundaries(doc).tolist() == [1, -1, 1, -1]
