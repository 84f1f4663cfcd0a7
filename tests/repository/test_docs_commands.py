"""The commands in the documentation: programs, commands and options of these names are there."""

import inspect
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import srsly
import typer
from typer.main import get_command

from spacy_arceager.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`((?:arceager|spacy project run) [^`]+|python (?:-m )?[\w./]+(?: [^`]+)?)`")
OURS = ("arceager", "python", "spacy")
PROGRAMS = ("benchmarks.", "replication.", "release", "tests.fuzz")


def commands_of(page: Path) -> Iterator[tuple[str, bool]]:
    """The commands of a page, and whether all arguments are there, as in blocks."""
    text = page.read_text(encoding="utf8")
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    inline = [re.sub(r"\s+", " ", found) for found in INLINE.findall(text)]
    for part in parts + inline:
        command = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", part)      # without the environment
        if command.startswith(OURS):
            yield command, part not in inline


COMMANDS = sorted({command for page in PAGES for command in commands_of(page)})


def options_in(parts: list[str]) -> set[str]:
    return {part.split("=")[0] for part in parts if re.match(r"--?[a-zA-Z]", part)}


def command_of(module: str) -> Any:
    """The command, or the group of commands, of a program that is run as a module; else None."""
    if (ROOT / module.replace(".", "/") / "__main__.py").exists():
        module += ".__main__"
    program = import_module(module)
    if hasattr(program, "app"):
        return get_command(program.app)
    [name] = re.findall(r"typer\.run\((\w+)\)", inspect.getsource(program)) or [None]
    if name is None:
        return None
    single = typer.Typer()
    single.command()(getattr(program, name))
    return get_command(single)


def check(command: Any, parts: list[str], whole: bool) -> None:
    """Fail unless the command, or that of a group, has the options and takes the arguments."""
    if hasattr(command, "commands"):
        assert parts[0] in command.commands
        command, parts = command.commands[parts[0]], parts[1:]
    names = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    assert options_in(parts) <= names
    if whole:
        parser = command.make_parser(command.context_class(command))
        values, rest, _ = parser.parse_args(args=list(parts))
        assert not rest
        required = [values[one.name] for one in command.params if one.required]
        assert all(required)


def check_project(parts: list[str]) -> None:
    project = srsly.read_yaml(ROOT / "project.yml")
    known = {*project["workflows"], *(command["name"] for command in project["commands"])}
    assert parts[3] in known
    assert options_in(parts) <= {f"--vars.{name}" for name in project["vars"]}


@pytest.mark.parametrize(("command", "whole"), COMMANDS)
def test_a_command_is_there_with_its_options_and_arguments(command: str, whole: bool) -> None:
    parts = shlex.split(command, comments=True)
    if parts[:3] == ["spacy", "project", "run"]:
        check_project(parts)
    elif parts[0] == "arceager" and not parts[1].startswith("-"):
        check(get_command(app), parts[1:], whole)
    elif parts[0] == "python" and parts[1].startswith("scripts/"):
        assert (ROOT / parts[1]).exists()
    elif parts[:2] == ["python", "-m"] and parts[2].startswith(PROGRAMS):
        found = command_of(parts[2])
        if found is not None:
            check(found, parts[3:], whole)


def test_there_are_commands() -> None:
    assert {command.split()[0] for command, _ in COMMANDS} >= set(OURS)
