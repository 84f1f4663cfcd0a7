"""Commands are functions in files of their names, which know nothing of each other."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

import spacy_arceager.cli
from spacy_arceager.cli import app, find_commands

FOLDER = Path(spacy_arceager.cli.__file__).parent
COMMANDS = [command.__name__ for command, _ in find_commands()]


def test_the_commands_are_there() -> None:
    assert {"parse", "derive", "init_config", "convert_config", "spark"} <= set(COMMANDS)
    assert "messages" not in COMMANDS and len(app.registered_commands) == len(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text(name: str) -> None:
    result = CliRunner().invoke(app, [name.replace("_", "-"), "--help"])
    docstring = getattr(import_module(f"spacy_arceager.cli.{name}"), name).__doc__
    assert result.exit_code == 0 and " ".join(docstring.split()[:3]) in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_imports_from_another(name: str) -> None:
    text = (FOLDER / f"{name}.py").read_text(encoding="utf8")
    imported = set(re.findall(r"^\s*from \.(\w+) import", text, re.MULTILINE))
    assert not imported & set(COMMANDS)


@pytest.mark.parametrize("library", ["spacy", "numpy"])
def test_the_command_line_starts_without_large_libraries(library: str) -> None:
    code = f"import sys, spacy_arceager.cli; sys.exit({library!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
