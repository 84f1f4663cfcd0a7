"""Extension attributes."""

import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation.extensions import is_set
from spacy_arceager.annotation.fixed_arcs import NAME


def test_an_extension_is_set_once_it_has_a_value() -> None:
    doc = spacy.blank("xx")("a b")
    assert not is_set(doc, NAME)
    doc._.set(NAME, [(0, 1)])
    assert is_set(doc, NAME)
    assert is_set(Doc(doc.vocab).from_bytes(doc.to_bytes()), NAME)
