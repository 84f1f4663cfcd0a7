"""The gold Docs of a corpus are read once, as long as that makes no difference."""

from itertools import islice

import pytest
import spacy

from spacy_arceager.corpus import corpus as reader
from spacy_arceager.corpus import kept
from spacy_arceager.corpus.conllu import doc_to_conllu
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.corpus.noise import create_noise
from tests.corpus.sentences import CROSSING, NLP, PLAIN, RICH, write_file


@pytest.fixture
def path(tmp_path):
    return write_file(tmp_path / "a.conllu", PLAIN + RICH + CROSSING)


@pytest.fixture
def n_read(monkeypatch):
    """The number of files read is the length of this list."""
    files = []

    def read_file(path):
        files.append(path)
        yield from original(path)

    original = reader.read_file
    monkeypatch.setattr(reader, "read_file", read_file)
    return files


def written(corpus, nlp=NLP):
    return [
        (doc_to_conllu(example.reference), example.predicted.to_bytes()) for example in corpus(nlp)
    ]


def test_second_call_gives_the_same_without_reading(path, n_read):
    corpus = ConlluCorpus(path, limit=2)
    first = written(corpus)
    assert len(first) == 2
    assert written(corpus) == first
    assert len(n_read) == 1


def test_predicted_docs_are_new_in_each_call(path):
    corpus = ConlluCorpus(path)
    first = written(corpus)
    for example in corpus(NLP):
        example.predicted[0].dep_ = "dep"
        example.predicted.user_data.clear()
    assert written(corpus) == first


def test_call_that_is_not_read_to_the_end_keeps_nothing(path, n_read):
    corpus = ConlluCorpus(path)
    assert len(list(islice(corpus(NLP), 1))) == 1
    assert len(written(corpus)) == 3
    assert len(n_read) == 2
    assert len(list(islice(corpus(NLP), 1))) == 1
    assert len(written(corpus)) == 3
    assert len(n_read) == 2


def test_file_that_has_changed_is_read_again(path):
    corpus = ConlluCorpus(path.parent)
    assert len(written(corpus)) == 3
    write_file(path, PLAIN)
    assert len(written(corpus)) == 1
    write_file(path.with_name("b.conllu"), RICH)
    assert len(written(corpus)) == 2
    path.unlink()
    assert len(written(corpus)) == 1


def test_docs_have_the_vocab_of_the_pipeline(path, n_read):
    corpus = ConlluCorpus(path)
    other = spacy.blank("xx")
    for nlp in (NLP, other, other, NLP):
        assert all(example.reference.vocab is nlp.vocab for example in corpus(nlp))
    assert len(n_read) == 3


@pytest.mark.parametrize(
    "settings", [{"noise": create_noise(lower_case=0.5)}, {"sentences_per_doc": [1, 3]}]
)
def test_what_is_drawn_by_lot_is_drawn_anew(path, n_read, settings):
    corpus = ConlluCorpus(path, **settings)
    written(corpus)
    written(corpus)
    assert len(n_read) == 2


def test_large_corpus_is_read_each_time(path, n_read, monkeypatch):
    corpus = ConlluCorpus(path)
    n_words = sum(len(example.reference) for example in ConlluCorpus(path)(NLP))
    n_read.clear()
    monkeypatch.setattr(kept, "MOST_WORDS", n_words - 1)
    first = written(corpus)
    assert written(corpus) == first
    assert len(n_read) == 2
    monkeypatch.setattr(kept, "MOST_WORDS", n_words)
    assert written(corpus) == written(corpus) == first
    assert len(n_read) == 3
