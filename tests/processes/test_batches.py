"""Batches of documents through a pipeline: a faulty one takes nothing from the others."""

from collections.abc import Iterable, Iterator

import pytest
import spacy
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.util import minibatch

from spacy_arceager.formats.document import Document
from spacy_arceager.processes.batches import (
    BATCH,
    CHARACTERS,
    cut_into_batches,
    parse_batch,
    parse_stream,
)


class FailsTogether(Pipe):
    """Fails with several documents at once, and alone with one that says FAIL."""

    name = "fails_together"

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        for docs in minibatch(stream, batch_size):
            self.seen.append([doc.text for doc in docs])
            if len(docs) > 1 or docs[0].text == "FAIL":
                self.get_error_handler()(self.name, self, docs, RuntimeError("too many"))
            else:
                yield from docs


@Language.factory("fails_together")
def make_component(nlp: Language, name: str) -> FailsTogether:
    return FailsTogether()


def documents(*texts: str) -> list[Document]:
    return [Document(text, {}) for text in texts]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_what_fails_together_is_tried_alone(n: int) -> None:
    nlp = spacy.blank("xx")
    component = nlp.add_pipe("fails_together")
    texts = ["a", "b", "c"][:n]
    results = parse_batch(nlp, documents(*texts), lambda doc, _: doc.text)
    assert [result.value for result in results] == texts
    assert [result.failure for result in results] == [None] * n
    assert component.seen == ([texts] if n > 1 else []) + [[text] for text in texts]


def test_what_fails_alone_is_named_and_not_tried_again() -> None:
    nlp = spacy.blank("xx")
    component = nlp.add_pipe("fails_together")
    (result,) = parse_batch(nlp, documents("FAIL"), lambda doc, _: doc.text)
    assert result.value is None
    assert "Component 'fails_together' failed." in str(result.failure)
    assert component.seen == [["FAIL"]]
    results = parse_batch(nlp, documents("a", "FAIL"), lambda doc, _: doc.text)
    assert [result.value for result in results] == ["a", None]


def test_what_cannot_be_written_is_named() -> None:
    def write(doc: Doc, record: object) -> str:
        if doc.text == "b":
            raise ValueError("no b")
        return doc.text

    results = parse_batch(spacy.blank("xx"), documents("a", "b"), write)
    assert results[0].value == "a"
    assert "Cannot write a document." in str(results[1].failure)
    assert "no b" in str(results[1].failure)


def test_batches_have_so_many_documents_and_characters() -> None:
    def sizes(texts: list[str], batch_size: int | None) -> list[int]:
        return [len(batch) for batch in cut_into_batches(documents(*texts), batch_size)]

    assert sizes(["a"] * 5, 2) == [2, 2, 1]
    assert sizes(["a"] * (BATCH + 1), None) == [BATCH, 1]
    half = "a" * (CHARACTERS // 2)
    assert sizes([half] * 3, None) == [2, 1]
    assert sizes([half, half + "a", "a"], None) == [1, 2]
    assert sizes(["a" * (CHARACTERS + 1)] * 2, None) == [1, 1]      # one may be longer
    assert sizes([], None) == []


def test_a_stream_keeps_the_order() -> None:
    given = documents("a", "b", "c")
    found = list(parse_stream(spacy.blank("xx"), given, lambda doc, _: doc.text.upper(), 2))
    assert [document for document, _ in found] == given
    assert [parsed.value for _, parsed in found] == ["A", "B", "C"]


def test_words_are_counted_and_white_space_is_none() -> None:
    nlp = spacy.blank("xx")
    texts = documents("", " ", "She reads books.", "Go\n\non")
    results = parse_batch(nlp, texts, lambda doc, _: doc.text)
    assert [result.n_words for result in results] == [0, 0, 4, 2]
