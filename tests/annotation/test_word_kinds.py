"""What words of Docs are to the rules about dependents."""

import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_arceager.annotation.layout import find_layout
from spacy_arceager.annotation.word_kinds import training_kinds, word_kinds
from spacy_arceager.machine.rules import kind_of

VOCAB = spacy.blank("xx").vocab
WORDS = ["\n", "Do", "n't", "go", " ", "!"]
SPACES = [False, False, True, False, False, False]
TAGS = ["SPACE", "AUX", "PART", "VERB", "SPACE", "PUNCT"]
FEATURES = ["", "", "Polarity=Neg", "Mood=Imp", "", ""]
KINDS = [
    kind_of("AUX", "", touches=True), kind_of("PART", "Polarity=Neg"), kind_of("VERB", "Mood=Imp"),
    kind_of("PUNCT", ""),
]


def make_doc(tags: list[str] | None = None) -> Doc:
    return Doc(VOCAB, words=WORDS, spaces=SPACES, pos=tags, morphs=tags and FEATURES)


def test_kinds_come_from_tags_features_and_white_space() -> None:
    docs = [make_doc(TAGS), Doc(VOCAB), make_doc(), make_doc(TAGS)]
    kinds = word_kinds(docs, [*map(find_layout, docs)]).tolist()
    without_tags = [kind_of("", "", touches=True), 0, 0, 0]
    assert kinds == [*KINDS, *without_tags, *KINDS]
    assert word_kinds([], []).tolist() == []


def test_training_takes_gold_tags_where_there_are_no_others() -> None:
    tagged, bare = make_doc(TAGS), make_doc()
    other = Doc(VOCAB, words=["Don't", "go", "!"], pos=["VERB", "VERB", "PUNCT"])
    expected = [0, *KINDS[:3], 0, KINDS[3]]
    assert training_kinds([Example(bare, tagged)]).tolist() == expected
    verbs = make_doc(["SPACE", "VERB", "VERB", "VERB", "SPACE", "VERB"])
    assert training_kinds([Example(tagged, verbs)]).tolist() == expected
    assert training_kinds([Example(bare, other)]).tolist() == [
        0, kind_of("", "", touches=True), 0, 0, 0, 0]


def test_words_with_the_same_features_are_told_apart_by_their_tags() -> None:
    tags = ["NOUN", "VERB", "ADJ", "NOUN", "X", ""]
    doc = Doc(VOCAB, ["w"] * 6, pos=tags, morphs=["Number=Sing"] * 5 + [""])
    expected = [kind_of(tag, "Number=Sing" if tag else "") for tag in tags]
    assert word_kinds([doc], [find_layout(doc)]).tolist() == expected


def test_docs_may_have_different_vocabularies() -> None:
    other = Doc(Vocab(), ["w"], pos=["NOUN"], morphs=["Case=Ess"])
    docs = [make_doc(TAGS), other]
    kinds = word_kinds(docs, [*map(find_layout, docs)]).tolist()
    assert kinds == [*KINDS, kind_of("NOUN", "Case=Ess")]
