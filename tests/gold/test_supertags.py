"""Supertags: the label, the direction of the head, and its UPOS."""

import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold.supertags import supertag, supertags

VOCAB = spacy.blank("xx").vocab


def test_each_word_has_the_label_the_direction_and_the_upos_of_its_head() -> None:
    gold = Doc(
        VOCAB, ["She", "reads", "old", "books"], pos=["PRON", "VERB", "ADJ", "NOUN"],
        heads=[1, 1, 3, 1], deps=["nsubj", "ROOT", "amod", "obj"],
    )
    example = Example(Doc(VOCAB, [token.text for token in gold]), gold)
    assert supertags(example) == ["nsubj>VERB", "ROOT", "amod>NOUN", "obj<VERB"]


def test_words_without_annotation_or_of_other_tokens_have_none() -> None:
    gold = Doc(VOCAB, ["a", "b", "c"], spaces=[False] * 3, heads=[1, 1, 2],
               deps=["x", "ROOT", ""], pos=["X", "X", "X"])
    predicted = Doc(VOCAB, ["ab", "c"], spaces=[False] * 2)
    assert supertags(Example(predicted, gold)) == [None, None]
    assert supertags(Example(gold.copy(), gold)) == ["x>X", "ROOT", None]


@pytest.mark.parametrize(
    ("word", "head", "label", "upos", "expected"),
    [
        (1, 0, "obj", "VERB", "obj<VERB"),
        (0, 1, "obj", None, "obj>"),
        (0, 0, "root", "VERB", "root"),
        (0, -1, "obj", "VERB", None),
        (1, 0, "", "VERB", None),
    ],
)
def test_of_one_word(
    word: int, head: int, label: str, upos: str | None, expected: str | None
) -> None:
    assert supertag(word, head, label, upos) == expected
