"""The settings of the component: written once, the same in the factory, the docs and the parser."""

from dataclasses import MISSING, FrozenInstanceError, fields
from inspect import signature

import numpy
import pytest
import spacy

from spacy_arceager.pipe.factory import make_arceager_parser
from spacy_arceager.pipe.settings import Settings
from spacy_arceager.systems import arc_eager
from tests.conftest import get_parser

NAMES = [field.name for field in fields(Settings)]


def test_the_factory_takes_each_setting_and_no_other() -> None:
    others = {"nlp", "name", "model", "scorer"}
    assert set(signature(make_arceager_parser).parameters) - others == set(NAMES)


def test_the_config_has_the_defaults_of_the_settings() -> None:
    config = spacy.blank("en").get_factory_meta("arceager_parser").default_config
    for field in fields(Settings):
        if field.name == "exploration":
            assert config["exploration"]["rate"] == field.default
        elif field.default is not MISSING:
            assert config[field.name] == field.default
    assert set(config) == {*NAMES, "model", "scorer"}


def test_the_parser_has_what_is_set() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("arceager_parser", config={"threads": 3, "temperature": 2.5})
    parser = get_parser(nlp)
    assert (parser.threads, parser.temperature) == (3, 2.5)
    assert parser.parameters.name == "arc_eager"
    parser.threads, parser.temperature = numpy.int64(2), numpy.float32(1.5)
    assert (parser.threads, parser.temperature) == (2, 1.5)


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings(arc_eager()).threads = 2       # type: ignore[misc]


def test_a_beam_is_a_block() -> None:
    with pytest.raises(ValueError, match="arceager.beam.v1"):
        spacy.blank("en").add_pipe("arceager_parser", config={"beam": {"width": 4}})


def test_graphs_have_no_confidences() -> None:
    system = {"@misc": "arceager.dag.v1"}
    nlp = spacy.blank("en")
    nlp.add_pipe("arceager_parser", config={"system": system, "oracle": None})
    with pytest.raises(ValueError, match="'arceager_parser', which builds graphs"):
        get_parser(nlp).confidence = True
    assert not get_parser(nlp).confidence
    with pytest.raises(ValueError, match="builds graphs"):
        nlp.add_pipe("arceager_parser", name="other",
                     config={"system": system, "oracle": None, "confidence": True})
