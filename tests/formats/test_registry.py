"""Formats are rows: what the command line, the Python API and the docs name is what can be used."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.formats.registry import (
    DERIVATIONS,
    INPUTS,
    PARSES,
    TREES,
    find_input_format,
    find_parse_format,
)
from spacy_arceager.processes import parse

TEXT = "She left."


@pytest.mark.parametrize("name", [*sorted(PARSES.keys() - TREES.keys()), "no_such", "", "CONLLU"])
@pytest.mark.parametrize("n_process", [1, 2])
def test_python_takes_formats_of_trees_alone_and_says_so_at_once(name: str, n_process: int) -> None:
    with pytest.raises(ValueError, match=f"output_format='{name}' is unknown; use one of conllu"):
        parse([TEXT], "no_such_model", output_format=name, n_process=n_process)


@pytest.mark.parametrize("name", TREES)
def test_python_writes_every_format_of_trees(name: str) -> None:
    (parsed,) = parse([TEXT], output_format=name, n_process=1)
    assert parsed.failure is None and isinstance(parsed.value, str) and "left" in parsed.value


def test_parses_differ_from_format_to_format() -> None:
    written = [next(parse([TEXT], output_format=name, n_process=1)).value for name in TREES]
    assert len(set(written)) == len(TREES)


@pytest.mark.parametrize("name", PARSES)
def test_a_folder_gets_files_with_the_ending_of_the_format(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(TEXT)
    arguments = ["parse", "-i", tmp_path / "in", "-o", tmp_path / "out", "-f", name]
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    (written,) = (tmp_path / "out").iterdir()
    assert written.name == f"a{PARSES[name].ending}" and "left" in written.read_text("utf8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", TEXT, "-f", "no_such_format"],
        ["parse", "--input-format", "no_such_format"],
        ["derive", "x", "-f", "tree"],
    ],
)
def test_what_is_no_format_cannot_be_named(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2 and "is not one of" in result.stderr


def test_an_ending_stands_for_one_format_at_most() -> None:
    endings = [ending for row in INPUTS.values() for ending in row.endings]
    assert len(endings) == len(set(endings))
    assert find_input_format(Path("a.b.JSONL.gz")) is INPUTS["jsonl"]
    assert find_input_format(Path("a.md")) is None


@pytest.mark.parametrize(("name", "form"), [
    ("a.html", "html"), ("a.JSONL.gz", "json"), ("a.svg", "svg"), ("a.conllu", "conllu"),
    ("a.txt", "conllu"), ("a", "conllu"), (".gz", "conllu"),
])
def test_the_ending_of_an_output_says_its_format_if_no_other_has_it(name: str, form: str) -> None:
    assert find_parse_format(Path(name)).name == form
    assert find_parse_format(None).name == "conllu"


@pytest.mark.parametrize("rows", [INPUTS, TREES, DERIVATIONS])
def test_every_format_has_a_name_and_a_help_text_of_its_own(rows: dict) -> None:
    assert all(name == str(row) == row.name for name, row in rows.items())
    assert len({row.help for row in rows.values()}) == len(rows) > 1
