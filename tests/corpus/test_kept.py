"""The gold Docs of a corpus are read once, as long as that makes no difference."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest
import spacy

from spacy_arceager.corpus import corpus as reader
from spacy_arceager.corpus import kept
from spacy_arceager.corpus.conllu import USER_DATA_KEY, doc_to_conllu
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


def test_changed_docs_change_no_later_call(path, n_read):
    corpus = ConlluCorpus(path)
    first = written(corpus)
    for _ in range(2):
        for example in corpus(NLP):
            for doc in (example.predicted, example.reference):
                doc[0].dep_ = "dep"
                doc.user_data[USER_DATA_KEY][0]["comments"].append("# mine = 1")
                doc.user_data["mine"] = 1
        assert written(corpus) == first
    assert len(n_read) == 1


def test_kept_docs_are_those_that_are_read(path):
    corpus = ConlluCorpus(path)
    list(corpus(NLP))
    for example, expected in zip(corpus(NLP), ConlluCorpus(path)(NLP), strict=True):
        for doc, other in zip((example.reference, example.predicted),
                              (expected.reference, expected.predicted)):
            assert doc.to_bytes() == other.to_bytes()
            assert doc.user_data == other.user_data
            assert doc._.arceager_graph == other._.arceager_graph
            for attribute in ("DEP", "HEAD", "MORPH", "SENT_START", "TAG"):
                assert doc.has_annotation(attribute) == other.has_annotation(attribute)


def test_docs_of_a_memory_zone_are_not_kept(path, n_read):
    nlp = spacy.blank("xx")
    corpus = ConlluCorpus(path)
    with nlp.memory_zone():
        first = written(corpus, nlp)
    assert written(corpus, nlp) == first
    with nlp.memory_zone():
        assert written(corpus, nlp) == first
    assert len(n_read) == 2


def test_another_setting_takes_effect(path):
    corpus = ConlluCorpus(path)
    assert len(written(corpus)) == 3
    corpus.limit = 2
    assert len(written(corpus)) == 2
    corpus.sentences_per_doc = (2, 2)
    assert [len([*example.reference.sents]) for example in corpus(NLP)] == [2, 1]


def test_a_file_in_the_place_of_another_is_read_though_size_and_time_are_equal(path):
    other = write_file(path.with_name("other"), path.read_text().replace("books", "looks"))
    for file in (path, other):
        os.utime(file, (1, 1))
    corpus = ConlluCorpus(path)
    assert "books" in written(corpus)[0][0]
    other.replace(path)
    assert "looks" in written(corpus)[0][0]


def test_threads_get_docs_of_their_own_vocab(path):
    corpus = ConlluCorpus(path)

    def count_others(nlp):
        return sum(example.reference.vocab is not nlp.vocab
                   for _ in range(100) for example in corpus(nlp))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor() as pool:
            found = [*pool.map(count_others, [spacy.blank("xx") for _ in range(4)])]
    finally:
        sys.setswitchinterval(interval)
    assert found == [0] * 4


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
    monkeypatch.setattr(kept, "MOST_WORDS", 1)
    write_file(path, PLAIN + RICH)
    written(corpus)
    assert corpus._kept._reading is None      # nor is what was kept before
