"""Labels are added to the Vocab of the Docs that get them."""

import pickle

from spacy.vocab import Vocab

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
