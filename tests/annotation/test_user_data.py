"""The keys at which spaCy keeps the values of extensions."""

import spacy
from spacy.tokens import Doc, Span, Token

from spacy_arceager.annotation.fixed_arcs import NAME
from spacy_arceager.annotation.user_data import extension_of, is_set, key_of


def test_keys_are_those_of_spacy() -> None:
    for kind in (Doc, Token, Span):
        kind.set_extension("test_key", default=None, force=True)
    doc = Doc(spacy.blank("xx").vocab, words=["She", "left", "him"])
    for holder, place in ((doc, ()), (doc[1], (4,)), (doc[1:], (4, 12))):
        doc.user_data.clear()
        holder._.test_key = "value"
        assert doc.user_data == {key_of("test_key", *place): "value"}
        assert [*map(extension_of, doc.user_data)] == ["test_key"]
    for kind in (Doc, Token, Span):
        kind.remove_extension("test_key")
    assert extension_of("mine") is extension_of(("mine", 1)) is None


def test_an_extension_is_set_once_it_has_a_value() -> None:
    doc = spacy.blank("xx")("a b")
    assert not is_set(doc, NAME)
    doc._.set(NAME, [(0, 1)])
    assert is_set(doc, NAME)
    assert is_set(Doc(doc.vocab).from_bytes(doc.to_bytes()), NAME)
