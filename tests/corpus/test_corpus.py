"""The reader of a training corpus."""

import logging
import re
import sys
from pathlib import Path

import pytest
import spacy

from spacy_arceager.corpus.conllu import (
    ConlluError,
    doc_to_conllu,
)
from spacy_arceager.corpus.corpus import ConlluCorpus, read_range
from tests.corpus.sentences import CROSSING, CYCLE, NLP, PLAIN, RICH, TWO_ROOTS, write_file


def test_file_that_is_not_utf8_is_named_with_the_line(tmp_path):
    path = tmp_path / "latin1.conllu"
    path.write_bytes(RICH.encode("latin-1"))
    with pytest.raises(ConlluError, match=re.escape(f"{path}, line 9: ") + ".*UTF-8"):
        list(ConlluCorpus(path)(NLP))


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.rstrip("\n").encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf# text = x\n" + PLAIN.encode(),
        b"\n\n" + PLAIN.encode() + b"\n\n",
    ],
)
def test_line_ends_byte_order_mark_and_blank_lines_make_no_difference(data, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(data)
    (example,) = ConlluCorpus(path)(NLP)
    assert [token.text for token in example.reference] == ["She", "reads", "books", "."]
    assert example.reference.text == "She reads books. "


@pytest.mark.parametrize(
    "size, lengths", [(1, [1] * 5), (2, [2, 2, 1]), (5, [5]), (9, [5])]
)
def test_docs_have_the_wanted_number_of_sentences(size, lengths, tmp_path):
    path = write_file(tmp_path / "a.conllu", (CROSSING + RICH) * 2 + PLAIN)
    references = [
        example.reference for example in ConlluCorpus(path, sentences_per_doc=size)(NLP)
    ]
    assert [len(list(doc.sents)) for doc in references] == lengths
    assert "".join(map(doc_to_conllu, references)).count("sent_id") == 2


def test_limit_counts_docs_and_max_length_leaves_out_sentences(tmp_path):
    path = write_file(tmp_path / "a.conllu", PLAIN + RICH + PLAIN + PLAIN)
    corpus = ConlluCorpus(path, sentences_per_doc=2, limit=1, max_length=4)
    assert [len(example) for example in corpus(NLP)] == [8]
    assert len(list(ConlluCorpus(path)(NLP))) == 4


@pytest.mark.parametrize("name", ["limit", "max_length"])
def test_negative_numbers_are_refused(name):
    with pytest.raises(ValueError, match=f"{name} is -1"):
        ConlluCorpus("any.conllu", **{name: -1})


def test_predicted_docs_have_the_gold_words_and_no_annotation(tmp_path):
    path = write_file(tmp_path / "a.conllu", RICH)
    (example,) = ConlluCorpus(path)(NLP)
    predicted = example.predicted
    assert predicted.text == example.reference.text
    assert [token.text for token in predicted] == [t.text for t in example.reference]
    for attribute in ["TAG", "POS", "MORPH", "LEMMA", "DEP", "HEAD", "SENT_START"]:
        assert not predicted.has_annotation(attribute)
    written = doc_to_conllu(predicted)
    assert "1-2\tDu\t" in written and "# sent_id = fr-1\n" in written
    assert "5:nsubj" not in written and "\tcase\t" not in written


def test_folder_is_read_in_the_order_of_names(tmp_path):
    (tmp_path / "b").mkdir()
    write_file(tmp_path / "b" / "1.conllu", PLAIN)
    write_file(tmp_path / "c.conllu", CROSSING)
    write_file(tmp_path / "a.conllu", RICH)
    write_file(tmp_path / "notes.txt", "not CoNLL-U")
    lengths = [len(example) for example in ConlluCorpus(tmp_path)(NLP)]
    assert lengths == [7, 4, 4]


@pytest.mark.parametrize("name", ["", "missing.conllu"])
def test_path_without_conllu_is_an_error(name, tmp_path):
    with pytest.raises(FileNotFoundError, match="No CoNLL-U"):
        list(ConlluCorpus(tmp_path / name)(NLP))


def test_paths_are_read_one_after_the_other_and_twice_if_they_stand_there_twice(tmp_path):
    gold = write_file(tmp_path / "b.conllu", PLAIN)
    silver = write_file(tmp_path / "a.conllu", RICH)
    examples = list(ConlluCorpus([gold, str(silver), gold])(NLP))
    one, other = (len(next(ConlluCorpus(path)(NLP))) for path in (gold, silver))
    assert [len(example) for example in examples] == [one, other, one]


def test_no_path_at_all_is_an_error():
    with pytest.raises(ValueError, match="paths.train"):
        ConlluCorpus([])


def test_null_path_says_where_to_set_it():
    with pytest.raises(ValueError, match="--paths.train"):
        ConlluCorpus(None)


def test_docs_without_sentences_are_refused(tmp_path):
    with pytest.raises(ValueError, match="sentences_per_doc"):
        ConlluCorpus(tmp_path, sentences_per_doc=0)


def test_config_can_name_the_reader(tmp_path):
    path = write_file(tmp_path / "a.conllu", PLAIN)
    block = {"@readers": "arceager.ConlluCorpus.v1", "path": str(path), "limit": 3}
    corpus = spacy.registry.resolve({"corpus": block})["corpus"]
    assert len(list(corpus(NLP))) == 1


def test_invalid_sentences_can_be_left_out_and_are_counted(tmp_path: Path, caplog) -> None:
    path = tmp_path / "a.conllu"
    latin = PLAIN.replace("books", "b\xfccher").encode("latin-1")
    path.write_bytes((PLAIN + TWO_ROOTS + CYCLE).encode() + latin + PLAIN.encode())
    corpus = ConlluCorpus(path, skip_invalid=True)
    with caplog.at_level(logging.WARNING, logger="spacy"):
        assert [len(list(corpus(NLP))) for _ in range(3)] == [2, 2, 2]
    (record,) = caplog.records
    assert "3 invalid sentences" in record.getMessage()
    assert f"{path}, line 8: the sentence has 2 roots" in record.getMessage()
    with pytest.raises(ConlluError, match="2 roots"):
        list(ConlluCorpus(path)(NLP))


def test_there_are_at_least_one_and_any_number_of_sentences() -> None:
    assert read_range(1) == read_range([1, 1]) == (1, 1)
    assert read_range([1, sys.maxsize]) == (1, sys.maxsize)
    for wrong in (0, [0, 1], [2, 1], [1, sys.maxsize + 1]):
        with pytest.raises(ValueError, match="a Doc needs a sentence"):
            read_range(wrong)
