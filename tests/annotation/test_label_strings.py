"""Labels are added to the Vocab of the Docs that get them."""

import pickle

import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

import spacy_arceager
from spacy_arceager.annotation.label_strings import LabelStrings


class Counted(list):
    """Labels that count how often somebody goes through them."""

    times = 0

    def __iter__(self):
        self.times += 1
        return super().__iter__()


def test_labels_are_added_to_each_vocab_and_looked_through_once_in_a_row() -> None:
    labels = Counted(["a", "b||c"])
    strings = LabelStrings(labels)
    first, second = Vocab(), Vocab()
    for vocab, times in ((first, 1), (first, 1), (second, 2), (second, 2), (first, 3)):
        strings.add_to(vocab)
        assert labels.times == times
        assert "a" in vocab.strings and "b||c" in vocab.strings


def test_a_copy_adds_them_too() -> None:
    vocab = Vocab()
    strings = LabelStrings(["a"])
    strings.add_to(vocab)
    other = Vocab()
    pickle.loads(pickle.dumps(strings)).add_to(other)
    assert "a" in other.strings


def test_a_label_that_is_a_word_of_a_memory_zone_is_added_again() -> None:
    vocab = Vocab()
    strings = LabelStrings(["a"])
    with vocab.memory_zone():
        Doc(vocab, ["a"])
        strings.add_to(vocab)
    strings.add_to(vocab)
    assert "a" in vocab.strings


@pytest.mark.parametrize("label", ["ROOT", "dep"])
def test_parses_after_a_memory_zone_whose_texts_have_labels_as_words(label: str) -> None:
    """As in a released pipeline, whose strings are its labels alone."""
    nlp = spacy_arceager.load("en")
    with nlp.memory_zone():
        nlp(f"The user {label} owns all files.")
    assert [token.dep_ for token in nlp("She left.")][1] == "ROOT"
    other = Vocab()
    with other.memory_zone():
        nlp.get_pipe("arceager_parser")(Doc(other, ["user", label]))
    doc = nlp.get_pipe("arceager_parser")(Doc(other, ["She", "left"]))
    assert "ROOT" in [token.dep_ for token in doc]
