"""Helpers shared by the tests of the commands."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from typer.testing import CliRunner, Result

import spacy_arceager
from spacy_arceager.cli import app
from tests.cli import attach_to_first

Run = Callable[..., Result]


CODE = Path(attach_to_first.__file__)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nlp = spacy.blank("xx")
    nlp.add_pipe("attach_to_first")
    folder = tmp_path_factory.mktemp("attach") / "model"
    nlp.to_disk(folder)
    return folder


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline without components, for processes that have not registered ours."""
    folder = tmp_path_factory.mktemp("blank") / "model"
    spacy.blank("xx").to_disk(folder)
    return folder


@pytest.fixture
def run(model: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `parse` with a small pipeline."""
    monkeypatch.setattr(spacy_arceager, "load", spacy.load, raising=False)

    def run_parse(*arguments: object, input: str | None = None) -> Result:
        command = ["parse", "--model", str(model), "--code", str(CODE), *map(str, arguments)]
        return CliRunner().invoke(app, command, input=input)

    return run_parse


def read_columns(conllu: str, *columns: int) -> list[tuple[str, ...]]:
    rows = [line.split("\t") for line in conllu.splitlines() if "\t" in line]
    return [tuple(row[column] for column in columns) for row in rows]


def read_json_texts(lines: str) -> list[str]:
    return [json.loads(line)["text"] for line in lines.splitlines()]


def command(*arguments: object, **kwargs: str) -> Result:
    """Run `arceager` with these arguments."""
    return CliRunner().invoke(app, list(map(str, arguments)), **kwargs)


@pytest.fixture
def docs_path(tmp_path: Path) -> Path:
    vocab = spacy.blank("xx").vocab
    heads = [1, 1, 1, 4, 4]
    deps = ["nsubj", "ROOT", "punct", "nsubj", "ROOT"]
    docs = [Doc(vocab, words=["She", "left", ".", "I", "stayed"], heads=heads, deps=deps)] * 3
    path = tmp_path / "docs.spacy"
    DocBin(docs=docs).to_disk(path)
    return path
