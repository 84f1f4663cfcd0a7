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
    drawn = parse("--confidence", "-f", "tree").stdout.split("\n")
    for line, token in zip(drawn, doc):
        assert line.endswith(f"  {token._.arceager_confidence:.2f}")
    assert not re.search(r"\d\.\d\d$", parse("-f", "tree").stdout, re.MULTILINE)


@pytest.mark.parametrize("form", ["html", "svg", "derivation"])
def test_a_format_that_has_no_place_for_them_is_refused(saved: str, form: str) -> None:
    result = command("parse", "She left .", "-m", saved, "--confidence", "-f", form)
    assert result.exit_code == 2 and "--confidence goes with --format conllu" in result.stderr
