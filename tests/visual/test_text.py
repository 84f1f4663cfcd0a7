"""A text can neither break the drawing around it nor turn its direction of writing."""

from xml.etree import ElementTree

import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.pipe.derived import Gold, derive_gold
from spacy_arceager.systems import arc_eager
from spacy_arceager.visual import render_derivation, render_tree
from spacy_arceager.visual.page import DerivationPage
from spacy_arceager.visual.text import printable

BAD = ["a\0b", "\x1b[31m", "\ufffe", "\uffff", "\U0001ffff", "\u202e", "\u2066", "\ud800", "\x85"]


@pytest.mark.parametrize("text", BAD)
def test_what_would_break_a_drawing_is_escaped(text: str) -> None:
    assert printable(text) == repr(text)
    assert not set(BAD) & set(printable(text))


@pytest.mark.parametrize("text", ["é", "\u200d", "می\u200cخواهم", "שלום", "👩\u200d💻", "\xad"])
def test_words_of_all_languages_are_shown(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("bad", BAD[:-2])
def test_labels_are_escaped_in_text_and_drawings(bad: str) -> None:
    words = ["x", bad]
    parameters = arc_eager()
    gold = Gold([1, 1], [bad, None], False)
    derived = derive_gold("system", parameters, constraint_oracle(parameters), words, gold)
    view = derived.view()
    for number in range(len(view.derivation.steps)):
        svg = DerivationPage([[view]]).to_svg(number)
        assert bad not in svg and ElementTree.fromstring(svg) is not None
    text = render_derivation(derived.trace(), words)
    doc = Doc(Vocab(), words=words, heads=[1, 1], deps=[bad, "ROOT"])
    assert bad not in text and bad not in render_tree(doc)
    assert repr(bad) in text and render_tree(doc).count(repr(bad)) == 2
