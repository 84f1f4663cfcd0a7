"""`parse --confidence`."""

import json
import re
from functools import partial

import pytest
import spacy

from tests.cli.conftest import command
from tests.conftest import PARSER


def test_parse_writes_them_where_it_is_asked_to(saved: str) -> None:
    nlp = spacy.load(saved)
    nlp.get_pipe(PARSER).confidence = True
    doc = nlp("She left early .")
    parse = partial(command, "parse", "She left early .", "-m", saved)
    assert re.findall(r"HeadConfidence=([\d.]+)", parse("--confidence").stdout) == [
        f"{token._.arceager_confidence:.4f}" for token in doc
    ]
    assert "Confidence" not in parse().stdout
    written = json.loads(parse("--confidence", "-f", "json").stdout)
    assert [token["label_confidence"] for token in written["tokens"]] == pytest.approx(
        [token._.arceager_label_confidence for token in doc]
    )
    assert "head_confidence" not in parse("-f", "json").stdout
