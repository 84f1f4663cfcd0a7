"""Files of spaCy's Docs."""

import zlib
from pathlib import Path

import pytest
from spacy.tokens import DocBin

from spacy_arceager.corpus import spacy_files
from spacy_arceager.corpus.errors import InputError
from tests.corpus.sentences import NLP


def test_docs_that_would_fill_the_memory_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spacy_files, "ALWAYS_UNPACKED", 2**20)
    path = tmp_path / "a.spacy"
    path.write_bytes(zlib.compress(bytes(2**23)))
    with pytest.raises(InputError, match="a.spacy: the file unpacks to much more than its size"):
        list(spacy_files.read_docs(path, NLP.vocab))
    doc = NLP("some words")
    DocBin(docs=[doc] * 100).to_disk(path)
    assert [doc.text for doc in spacy_files.read_docs(path, NLP.vocab)] == [doc.text] * 100
