"""`--help`: paragraphs that fill the terminal, and an example that runs."""

import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from click.testing import Result
from spacy.cli.init_config import init_config
from typer.main import get_command
from typer.testing import CliRunner

from spacy_arceager.cli import app, find_commands
from spacy_arceager.cli.values import find_parameters
from tests.conftest import DATA
from tests.spark.conftest import needs_java

WIDTH = 80
COMMANDS = sorted(
    name for name, command in get_command(app).commands.items() if not command.hidden
)
WITH_EXAMPLES = [
    pytest.param(name, marks=[needs_java, pytest.mark.slow]) if name == "spark" else name
    for name in COMMANDS
]


def show_help(*names: str) -> list[str]:
    result: Result = CliRunner().invoke(app, [*names, "--help"], terminal_width=WIDTH)
    return [line.rstrip() for line in result.stdout.splitlines()]


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))


@pytest.mark.parametrize("name", COMMANDS)
def test_paragraphs_fill_the_lines(name: str) -> None:
    lines = show_help(name)
    description = lines[: next(i for i, line in enumerate(lines) if line.startswith("╭"))]
    for line, following in pairwise(description):
        if line and following:
            assert len(f"{line} {following.split()[0]}") > WIDTH - 2, (line, following)
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("name", COMMANDS)
def test_numbers_have_no_bound_that_nobody_meets(name: str) -> None:
    assert not re.search(r"\d{6}", "\n".join(show_help(name)))


@pytest.mark.parametrize("name", [*COMMANDS, ""])
def test_values_have_names_instead_of_python_types(name: str) -> None:
    text = "\n".join(show_help(*filter(None, [name])))
    assert not re.search(r"[<>](?!=)|\[\[|list\[|\bbool\b", text)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_choice_names_every_choice(name: str) -> None:
    command = next(one for one, _ in find_commands() if one.__name__ == name.replace("-", "_"))
    for info, kind in find_parameters(command):
        choices = get_args(kind)
        assert info.help and set(choices) <= {*re.findall(r"\w+", info.help)}


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(" ".join(show_help(name)).split("╭")[0].split())
    _, example = text.split("Example: arceager ")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "data").symlink_to(DATA)
    (tmp_path / "texts.txt").write_text("One text.\nAnother text.\n", encoding="utf8")
    init_config(lang="en", pipeline=["parser"]).to_disk(tmp_path / "spacy.cfg")
    if name == "spark":     # Java reads relative paths from the folder in which it was started
        pytest.importorskip("pyspark")
        if not shutil.which("java"):
            pytest.skip("Spark needs Java")
        command = [sys.executable, "-m", "spacy_arceager", *shlex.split(example)]
        assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
        return
    if name in ("encoder", "vectors"):
        pytest.importorskip("onnxruntime")
        pytest.importorskip("safetensors")
        from tests.pretrained.hugging_face_folder import write_folder

        write_folder(tmp_path / "multilingual-e5-small")
    if name == "vectors":
        CliRunner().invoke(app, ["encoder", "multilingual-e5-small", "e5", "-t", "texts.txt"])
    if name == "serve":     # it runs until it is stopped
        pytest.importorskip("starlette")
        monkeypatch.setattr("spacy_arceager.cli.serve.run", lambda pipeline, listener: None)
    result = CliRunner().invoke(app, shlex.split(example))
    assert result.exit_code == 0, result.output
