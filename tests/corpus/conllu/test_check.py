"""Faults of a file are named."""

import pytest

from spacy_arceager.corpus.conllu import (
    ConlluError,
    read_sentences,
)
from spacy_arceager.corpus.corpus import ConlluCorpus
from tests.corpus.sentences import NLP, PLAIN, RICH, write_file


@pytest.mark.parametrize(
    "text, line, fault",
    [
        ("", 1, "no sentence"),
        ("\n\n", 1, "no sentence"),
        ("# text = a\n\n" + PLAIN, 1, "no words"),
        ("1\ta\n", 1, "2 columns"),
        (PLAIN + "1  a\n", 6, "the line has no columns"),
        (PLAIN.replace("book\t", "\t"), 3, "empty"),
        (PLAIN.replace("3\tb", "x\tb"), 3, "ID 'x'"),
        (PLAIN.replace("3\tb", "4\tb"), 3, "ID 4 is out of order, expected 3"),
        (PLAIN.replace("2\tobj", "two\tobj"), 3, "HEAD 'two'"),
        (PLAIN.replace("2\tobj", "-1\tobj"), 3, "HEAD '-1'"),
        (PLAIN.replace("2\tobj", "5\tobj"), 3, "HEAD 5 is outside"),
        (PLAIN.replace("2\tobj", "3\tobj"), 3, "its own head"),
        (PLAIN.replace("2\tobj", "4\tobj").replace("2\tpunct", "3\tpunct"), 3, "cycle"),
        (PLAIN.replace("0\troot", "1\tdep"), 1, "no root"),
        (PLAIN.replace("2\tobj", "0\troot"), 3, "2 roots"),
        (PLAIN.replace("NOUN", "noun"), 3, "UPOS 'noun'"),
        (RICH.replace("Person=1", "Person"), 12, "FEATS has 'Person'"),
        (RICH.replace("Person=1", "Person="), 12, "FEATS has 'Person='"),
        (RICH.replace("Person=1", "Person=1,"), 12, "FEATS has 'Person=1,'"),
        (RICH.replace("Person=1", "=1"), 12, "FEATS has '=1'"),
        (RICH.replace("Person=1", "Person=1=2"), 12, "FEATS has 'Person=1=2'"),
        (RICH.replace("Person=1", "A=1|A=2"), 12, "twice"),
        (RICH.replace("5-6", "6-7"), 11, "does not start at the next word"),
        (RICH.replace("5-6", "5-4"), 11, "does not start at the next word"),
        (RICH.replace("5-6", "5-8"), 14, "beyond the sentence"),
        (RICH.replace("1-2", "1-5"), 11, "overlaps"),
        (RICH.replace("4.2", "4.3"), 10, "empty node 4.3 is out of order"),
        (RICH.replace("4.1\tç", "3.1\tç"), 9, "empty node 3.1 is out of order"),
    ],
)
def test_faults_are_named_with_file_and_line(text, line, fault, tmp_path):
    path = write_file(tmp_path / "bad.conllu", text)
    with pytest.raises(ConlluError) as error:
        list(ConlluCorpus(path)(NLP))
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert fault in str(error.value)


def test_a_multi_word_token_may_have_one_word() -> None:
    [sentence] = read_sentences(RICH.replace("1-2\tDu", "1-1\tDu").split("\n"))
    assert (sentence.multi_word_tokens[0].first, sentence.multi_word_tokens[0].last) == (1, 1)
    forms = [(token.form, token.is_multi_word) for token in sentence.surface_tokens()]
    assert forms[:3] == [("Du", True), ("le", False), ("coup", False)]
