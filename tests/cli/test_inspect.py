"""What `inspect` prints of its advice, and of treebanks without trees."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from spacy_arceager.cli import app
from tests.conftest import DATA


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


def commands_in(output: str) -> list[list[str]]:
    return [shlex.split(line) for line in re.findall(r"^arceager (.*)$", output, re.MULTILINE)]


@pytest.mark.parametrize(
    ("name", "lang"), [("de_crossing-dev.conllu", "de"), ("treebank.conllu", "xx")]
)
def test_the_advice_is_a_command_that_writes_a_config(
    name: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(DATA / "de_crossing.conllu", tmp_path / name)
    result = command("inspect", tmp_path / name)
    first, *_ = commands_in(result.stdout)
    monkeypatch.chdir(tmp_path)
    made = command(*first)
    assert made.exit_code == 0 and not made.stdout, made.output
    assert f'lang = "{lang}"' in (tmp_path / "config.cfg").read_text()


def test_advice_without_a_system_is_a_paragraph() -> None:
    output = command("inspect", DATA / "de_crossing.conllu").stdout
    advice = output[output.index("Where to start") :]
    assert "The treebank is small" in advice
    assert not re.search(r"^-", advice, re.MULTILINE)
    assert max(map(len, advice.splitlines())) <= 80


def test_a_treebank_without_heads_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "tagged.conllu"
    path.write_text("1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n")
    result = command("inspect", path)
    assert result.exit_code == 1
    assert "No word has a head" in result.stderr and str(path) in result.stderr
    assert not result.stdout
