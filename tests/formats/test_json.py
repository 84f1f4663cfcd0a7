"""JSON that is read and written is JSON."""

import json
from typing import Any

import pytest
import spacy

from spacy_arceager.corpus.errors import InputError
from spacy_arceager.corpus.files import Line
from spacy_arceager.formats.derivations.json import finite
from spacy_arceager.formats.document import Document
from spacy_arceager.formats.inputs.jsonl import MAX_DEPTH, parse_line
from spacy_arceager.formats.trees.json import to_json


@pytest.mark.parametrize("value", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity", "[1e400]"])
def test_what_is_no_number_of_json_is_refused_with_its_line(value: str) -> None:
    item = parse_line(Line("a.jsonl", 7, f'{{"text": "a", "x": {value}}}'))
    assert isinstance(item, InputError) and str(item).startswith("a.jsonl, line 7: not JSON: ")


@pytest.mark.parametrize("value", [1e308, -0.0, 5e-324, 10**400, 0.1, None])
def test_numbers_come_out_as_they_came_in(value: Any) -> None:
    item = parse_line(Line("a", 1, json.dumps({"text": "a", "x": value})))
    assert isinstance(item, Document)
    doc = spacy.blank("xx")("a")
    assert repr(json.loads(to_json(doc, item.record))["x"]) == repr(value)


@pytest.mark.parametrize("inner", [MAX_DEPTH - 1, MAX_DEPTH])
def test_a_record_may_be_as_deep_as_json_can_be_written(inner: int) -> None:
    item = parse_line(Line("a", 1, '{"text": "[", "x": ' + "[" * inner + "]" * inner + "}"))
    if inner < MAX_DEPTH:
        assert isinstance(item, Document)
    else:
        assert isinstance(item, InputError)
        assert str(item) == "a, line 1: the object is more than 100 levels deep. Make it flatter."


def test_half_a_character_in_a_record_is_escaped() -> None:
    doc = spacy.blank("xx")("é")
    line = to_json(doc, {"author": "\ud83d"})
    assert line.isascii() and json.loads(line)["author"] == "\ud83d"
    assert "é" in to_json(doc, {"author": "\U0001f600"})


def test_a_record_that_json_does_not_have_is_an_error() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(spacy.blank("xx")("a"), {"x": float("nan")})


def test_scores_that_are_no_numbers_are_null() -> None:
    assert [finite(x) for x in (1.5, None, float("nan"), float("-inf"))] == [1.5, None, None, None]
