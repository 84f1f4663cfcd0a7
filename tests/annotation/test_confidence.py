"""Confidences can be read as extensions of tokens and sentences."""

import importlib
import math

import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.annotation import confidence
from spacy_arceager.annotation.confidence import (
    HEAD,
    LABEL,
    forget_confidences,
    of_span,
    set_confidences,
    values_of,
)
from spacy_arceager.annotation.user_data import key_of


def new_doc() -> Doc:
    return Doc(spacy.blank("xx").vocab, ["She", " ", "left", "early"])


def test_tokens_have_values_and_white_space_has_none() -> None:
    doc = new_doc()
    set_confidences(doc, [0, 2, 3], [0.5, 1.0, 0.25], [0.1, 0.2, 0.3])
    assert [token._.arceager_confidence for token in doc] == [0.5, None, 1.0, 0.25]
    assert [token._.arceager_label_confidence for token in doc] == [0.1, None, 0.2, 0.3]
    assert values_of(doc, HEAD) == [0.5, None, 1.0, 0.25]
    assert values_of(doc[1:3], LABEL) == [None, 0.2]
    assert values_of(doc[1:2], HEAD) is None


def test_a_span_has_the_geometric_mean_over_the_words_that_have_values() -> None:
    doc = new_doc()
    set_confidences(doc, [0, 2], [0.5, 1.0], [1.0, 0.25])
    assert doc[:]._.arceager_confidence == pytest.approx(math.sqrt(0.5 * 0.25))
    assert of_span(doc[0:2]) == pytest.approx(0.5)
    assert of_span(doc[3:4]) is None
    del doc.user_data[key_of(LABEL, doc[0].idx)]
    assert of_span(doc[:]) == pytest.approx(0.25)
    doc.user_data[key_of(LABEL, doc[0].idx)] = 1.0
    del doc.user_data[key_of(HEAD, doc[0].idx)]
    assert of_span(doc[:]) == pytest.approx(0.25)


def test_a_confidence_of_none_at_all_has_a_logarithm() -> None:
    doc = new_doc()
    set_confidences(doc, [0, 2], [0.0, 1.0], [1.0, 1.0])
    assert 0 < of_span(doc[:]) < 1e-100


def test_a_new_parse_takes_the_values_of_the_old_one_away() -> None:
    doc = new_doc()
    doc.user_data["mine"] = 1
    doc.user_data[("._.", "other", 0, None)] = 2
    set_confidences(doc, [0, 2, 3], [0.5] * 3, [0.5] * 3)
    set_confidences(doc, [2], [0.1], [0.2])
    assert values_of(doc, HEAD) == [None, None, 0.1, None]
    assert values_of(doc, LABEL) == [None, None, 0.2, None]
    forget_confidences(doc)
    assert doc.user_data == {"mine": 1, ("._.", "other", 0, None): 2}
    assert values_of(doc, HEAD) is None and of_span(doc[:]) is None


def test_keys_of_other_programs_may_be_any_tuples() -> None:
    doc = new_doc()
    doc.user_data = {("short",): 1, (): 2, 3: 4}
    assert values_of(doc, HEAD) is None
    set_confidences(doc, [2], [0.1], [0.2])
    assert values_of(doc, HEAD) == [None, None, 0.1, None]
    forget_confidences(doc)
    assert doc.user_data == {("short",): 1, (): 2, 3: 4}


def test_importing_twice_keeps_the_confidences_of_docs() -> None:
    doc = new_doc()
    set_confidences(doc, [0], [0.5], [0.25])
    importlib.reload(confidence)
    assert doc[0]._.arceager_confidence == 0.5
    assert doc[:]._.arceager_confidence == pytest.approx(0.125)


def test_a_span_without_a_word_that_has_both_has_none() -> None:
    doc = new_doc()
    doc[0]._.arceager_confidence = 0.5
    doc[2]._.arceager_label_confidence = 0.5
    assert of_span(doc[:]) is None
