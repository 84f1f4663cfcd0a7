"""What boundaries cost: the Docs, the kinds of places, and the scores that must hold."""

from dataclasses import replace

import pytest
import spacy
from spacy.tokens import Doc

from replication.boundary_costs import cut, kinds_of, main
from spacy_arceager.corpus.conllu import read_file
from tests.conftest import DATA

DEV = DATA / "en_small-dev.conllu"


def test_docs_are_of_so_many_sentences_or_paragraphs() -> None:
    sentences = [replace(one, comments=[]) for one in read_file(DEV)][:7]
    assert [len(part) for part in cut(sentences, 3)] == [3, 3, 1]
    assert [len(part) for part in cut(sentences, 0)] == [7]
    for i in (0, 2, 3):
        sentences[i] = replace(sentences[i], comments=["# newpar id = p"])
    parts = list(cut(sentences, 0))
    assert [len(part) for part in parts] == [2, 1, 4]
    assert [one for part in parts for one in part] == sentences


def test_kinds_of_places() -> None:
    words = ["Yes", ".", "No", '"', "it", ";", "4", "Then"]
    doc = Doc(spacy.blank("xx").vocab, words)
    assert [[*kinds_of(doc, i)] for i in range(len(words))] == [
        [],
        ["behind a word", "before a digit or punctuation"],
        ["behind .?!", "before a capital"],
        ["behind a word", "before a digit or punctuation"],
        ["behind a closing quote or bracket", "before a small letter"],
        ["behind a word", "before a digit or punctuation"],
        ["behind other punctuation", "before a digit or punctuation"],
        ["behind a word", "before a capital"],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("careless", [False, True])
def test_right_boundaries_are_found_and_cost_nothing(
    capsys: pytest.CaptureFixture[str], careless: bool
) -> None:
    main("en", DEV, 4, careless)
    table, kinds = capsys.readouterr().out.split("\n\n")
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    f1 = {name: float(value) for name, value, _ in rows}
    assert f1["the treebank's"] == 100
    assert f1["its own"] <= min(value for name, value in f1.items() if "its own, " in name)
    if careless:
        assert f1["its own"] < 90 and "missed, behind a word" in kinds
