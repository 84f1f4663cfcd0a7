"""`compare`: what it needs is looked for first, and old and new scipy both serve."""

from importlib import import_module

import pytest
from click.testing import Result
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.cli.compare import Measure
from spacy_arceager.evaluation.outcomes import MEASURES
from tests.conftest import DATA

GOLD = DATA / "en_small-dev.conllu"


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


def test_scipy_is_looked_for_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("spacy_arceager.cli.messages"), "find_spec", lambda _: None)
    # There are no such pipelines: parsing would fail for another reason.
    result = compare("no/pipeline", "no/pipeline", GOLD)
    assert result.exit_code == 1
    assert 'pip install "spacy-arceager[significance]"' in result.stderr
    assert "pipeline" not in result.stderr


def test_there_is_each_measure() -> None:
    assert tuple(measure.value for measure in Measure) == MEASURES


def test_a_measure_may_be_in_capitals_and_an_unknown_one_is_wrong_usage() -> None:
    assert "las_full of A: 100.00" in compare(GOLD, GOLD, GOLD, "--measure", "LAS_full").stdout
    assert compare(GOLD, GOLD, GOLD, "--measure", "clas").exit_code == 2
