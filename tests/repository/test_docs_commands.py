"""The commands in the documentation: programs, commands and options of these names are there."""

import ast
import re
import shlex
from pathlib import Path

import pytest
import srsly
from typer.main import get_command

from spacy_arceager.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")]
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`((?:arceager|python (?:-m )?[\w./]+|spacy project run) [^`]+)`")
OURS = ("arceager", "python", "spacy")


def commands_of(page: Path) -> list[str]:
    text = page.read_text(encoding="utf8")
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    inline = [re.sub(r"\s+", " ", found) for found in INLINE.findall(text)]
    return [part for part in parts + inline if part.startswith(OURS)]


COMMANDS = sorted({command for page in PAGES for command in commands_of(page)})


def options_in(parts: list[str]) -> set[str]:
    return {part.split("=")[0] for part in parts if re.match(r"--?[a-zA-Z]", part)}


def options_of_command(name: str) -> set[str]:
    """The options of a command of `arceager`."""
    (command,) = [found for known, found in get_command(app).commands.items() if known == name]
    return {option for one in command.params for option in (*one.opts, *one.secondary_opts)}


def options_of_program(path: Path, function: str = "main") -> set[str]:
    """The options that typer makes of the parameters of a function, or of commands; else none."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)
             and (node.name == function or node.decorator_list)]
    names = [one.arg.replace("_", "-") for main in found for one in main.args.args]
    return {f"--{prefix}{name}" for name in names for prefix in ("", "no-")}


def check_project(parts: list[str]) -> None:
    project = srsly.read_yaml(ROOT / "project.yml")
    known = {*project["workflows"], *(command["name"] for command in project["commands"])}
    assert parts[3] in known
    assert options_in(parts) <= {f"--vars.{name}" for name in project["vars"]}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_there_with_its_options(command: str) -> None:
    parts = shlex.split(command, comments=True)
    if parts[:3] == ["spacy", "project", "run"]:
        check_project(parts)
    elif parts[0] == "arceager" and not parts[1].startswith("-"):
        assert options_in(parts) <= options_of_command(parts[1])
    elif parts[0] == "python" and parts[1].startswith("scripts/"):
        assert options_in(parts[2:]) <= options_of_program(ROOT / parts[1])
    elif parts[:2] == ["python", "-m"] and parts[2].startswith(("benchmarks.", "replication.")):
        program = ROOT / f"{parts[2].replace('.', '/')}.py"
        assert options_in(parts[3:]) <= options_of_program(program)
    elif parts[:3] == ["python", "-m", "tests.fuzz"]:
        bench = ROOT / "tests" / "fuzz" / "__main__.py"
        assert options_in(parts[3:]) <= options_of_program(bench, "fuzz")


def test_there_are_commands() -> None:
    assert {command.split()[0] for command in COMMANDS} >= set(OURS)
