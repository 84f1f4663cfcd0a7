"""`info`."""

import spacy
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.systems.catalogue import CATALOGUE


def test_info():
    result = CliRunner().invoke(app, ["info"])
    assert result.exit_code == 0
    assert spacy.__version__ in result.stdout


def test_info_lists_registered_names():
    result = CliRunner().invoke(app, ["info"])
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["readers", "arceager.ConlluCorpus.v1"] in rows


def test_info_lists_systems():
    result = CliRunner().invoke(app, ["info"])
    rows = [line.split() for line in result.stdout.splitlines()]
    assert set(CATALOGUE) <= {row[0] for row in rows if row}
