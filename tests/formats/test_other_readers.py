"""Other people's validator and readers take the CoNLL-U that we write of raw text."""

from collections.abc import Callable
from pathlib import Path

import conllu
import pyconll
import pytest
from udapi.core.document import Document
from udtools import Validator

import spacy_arceager
from spacy_arceager.formats.document import NUMBER
from spacy_arceager.formats.trees.conllu import to_conllu

TEXTS = [
    "The letters  arrived.\n\nNobody \"read\" them (yet).\nI can't.",
    "He left at 5 p.m. and didn't come back…",
    "\ta strange\u00a0space ",
]
Rows = list[tuple[str, str, str]]       # ID, FORM and HEAD


@pytest.fixture(scope="module")
def text() -> str:
    nlp = spacy_arceager.load("en")
    records = [{"id": "first", "topic": "post"}, {}, {"note": "odd"}]
    docs = list(nlp.pipe(TEXTS))
    for number, doc in enumerate(docs, 1):
        doc.user_data[NUMBER] = number
    return "".join(map(to_conllu, docs, records))


def ours(text: str) -> Rows:
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    return [(row[0], row[1], row[6]) for row in rows if "-" not in row[0]]


def by_conllu(text: str) -> Rows:
    return [
        (str(token["id"]), token["form"], str(token["head"]))
        for sentence in conllu.parse(text) for token in sentence if isinstance(token["id"], int)
    ]


def by_pyconll(text: str) -> Rows:
    return [
        (token.id, token.form or "", token.head or "")
        for sentence in pyconll.load_from_string(text) for token in sentence
        if not token.is_multiword()
    ]


def by_udapi(text: str) -> Rows:
    document = Document()
    document.from_conllu_string(text)
    return [(str(node.ord), node.form, str(node.parent.ord)) for node in document.nodes]


@pytest.mark.parametrize("read", [by_conllu, by_pyconll, by_udapi])
def test_readers_find_the_same_words_and_heads(read: Callable[[str], Rows], text: str) -> None:
    assert read(text) == ours(text)


def test_the_official_validator_refuses_nothing_of_the_format(text: str, tmp_path: Path) -> None:
    path = tmp_path / "parsed.conllu"
    path.write_text(text, encoding="utf8")
    state = Validator(lang="ud", level=2, max_store=9, output=None).validate_files([str(path)])
    assert [str(incident) for incident in state.error_tracker] == []


def test_documents_and_paragraphs_are_marked(text: str) -> None:
    comments = [line for line in text.splitlines() if line.startswith("# new")]
    assert comments == ["# newdoc id = first", "# newpar", "# newdoc", "# newdoc"]
