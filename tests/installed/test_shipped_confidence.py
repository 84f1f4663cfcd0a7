"""The shipped English pipeline is calibrated, and its parses do not depend on the temperature."""

import json

import pytest
from spacy.language import Language

import spacy_arceager
from spacy_arceager import PIPELINES
from tests.conftest import get_parser, parse_words, read_corpus


@pytest.fixture(scope="module")
def nlp() -> Language:
    return spacy_arceager.load("en")


def test_its_temperature_is_that_of_the_model_card(nlp: Language) -> None:
    card = json.loads((PIPELINES / "en" / "meta.json").read_text())["performance"]
    assert get_parser(nlp).temperature == pytest.approx(card["calibration"]["temperature"])
    assert card["calibration"]["error"] < 0.03


def test_parses_are_the_same_at_any_temperature(nlp: Language) -> None:
    examples = read_corpus(nlp, "en_small-test.conllu", limit=40)
    parser = get_parser(nlp)
    shipped = parse_words(nlp, examples)
    parser.temperature, kept = 1.0, parser.temperature
    try:
        assert parse_words(nlp, examples) == shipped
    finally:
        parser.temperature = kept
