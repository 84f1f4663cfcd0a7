"""Requests are what the schema says, and nothing else."""

import re
from typing import Any

import pytest
from pydantic import ValidationError

from spacy_arceager.serve.schema import ParseRequest, describe


@pytest.mark.parametrize(
    "wrong",
    [
        {}, {"text": 5}, {"text": None}, {"text": "a", "textt": "b"},
        {"text": "a", "fixed": {}}, {"text": "a", "fixed": [[0, 1]]},
        {"text": "a", "fixed": [{"word": True}]}, {"text": "a", "fixed": [{"word": -1}]},
        {"text": "a", "fixed": [{"word": 0, "head": 1.5}]},
        {"text": "a", "fixed": [{"word": 0, "label": "x" * 101}]},
        {"text": "a", "fixed": [{"word": 0, "head": 1}] * 1001},
        {"text": "a", "k_best": 21}, {"text": "a", "k_best": "2"}, {"text": "a", "draw": "up"},
    ],
)
def test_other_requests_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ParseRequest.model_validate(wrong)


def test_the_schema_names_all_that_a_request_takes_and_an_answer_gives() -> None:
    parts = describe()["$defs"]
    assert {"ParseRequest", "ParseAnswer", "ErrorAnswer", "Constraint", "Word"} <= set(parts)
    assert set(parts["ParseRequest"]["properties"]) == set(ParseRequest.model_fields)
    assert parts["ParseRequest"]["additionalProperties"] is False
    assert parts["ParseRequest"]["required"] == ["text"]
    named = set(re.findall(r"#/\$defs/(\w+)", str(describe())))
    assert named <= set(parts)
