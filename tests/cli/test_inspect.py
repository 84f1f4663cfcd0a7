"""`inspect`: what it counts, what it advises, treebanks without trees."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from spacy_arceager.systems.catalogue import TREE_SYSTEMS
from tests.cli.conftest import command
from tests.cli.treebanks import ONE_WORD, TWO_ROOTS
from tests.conftest import DATA


def test_inspect():
    result = command("inspect", DATA / "de_crossing.conllu", DATA / "de_enhanced.conllu")
    assert result.exit_code == 0
    assert "37 (67.27 %)" in result.stdout
    assert "--system arc_eager_nm" in result.stdout
    assert all(name in result.stdout for name in TREE_SYSTEMS)


def test_inspect_as_json():
    result = command("inspect", DATA, "--format", "json")
    found = json.loads(result.stdout)
    texts = [path.read_text("utf8") for path in DATA.glob("*.conllu")]
    assert found["size"]["sentences"] == sum(text.count("# text = ") for text in texts)
    assert found["non_projectivity"]["arcs"] == 40
    assert found["coverage"]["arc_hybrid_swap"]["non_projective"] == 1
    assert found["advice"][0]["system"] == "arc_eager_nm"
    assert found["faults"] == []


def test_inspect_leaves_out_what_is_no_tree(tmp_path: Path):
    path = tmp_path / "faulty.conllu"
    path.write_text(ONE_WORD + TWO_ROOTS + ONE_WORD)
    result = command("inspect", path, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["size"]["sentences"] == 2
    assert f"{path}, line 4: the sentence has 2 roots" in result.stderr


@pytest.mark.parametrize("text", ["", TWO_ROOTS])
def test_inspect_without_usable_sentences(tmp_path: Path, text: str):
    path = tmp_path / "faulty.conllu"
    path.write_text(text)
    result = command("inspect", path)
    assert result.exit_code == 1
    assert str(path) in result.stderr


@pytest.mark.parametrize("name", ["inspect", "derive"])
def test_treebank_that_cannot_be_read(tmp_path: Path, name: str):
    result = command(name, tmp_path / "missing.conllu")
    assert result.exit_code == 1
    assert "missing.conllu" in result.stderr
    path = tmp_path / "latin.conllu"
    path.write_bytes("# café\n".encode("latin-1") + ONE_WORD.encode())
    result = command(name, path)
    assert result.exit_code == 1
    assert "not UTF-8" in result.stderr


def test_wrong_usage_of_inspect():
    assert command("inspect").exit_code == 2
    assert command("inspect", DATA, "--format", "html").exit_code == 2


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
    assert ("Give your language" in result.stdout) == (lang == "xx")


def test_advice_without_a_system_is_a_paragraph() -> None:
    output = command("inspect", DATA / "de_crossing.conllu").stdout
    advice = output[output.index("Where to start") : output.index("\nSystem ")]
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
