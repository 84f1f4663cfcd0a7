"""Inputs that are something else than what the command takes them for."""

from pathlib import Path

import pytest
import spacy

from tests.cli.conftest import command
from tests.conftest import DATA

DEV = DATA / "en_small-dev.conllu"


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    """A pipeline without components, which tests may change."""
    spacy.blank("xx").to_disk(tmp_path / "blank")
    return tmp_path / "blank"


def test_a_file_given_as_text_is_asked_about(blank: Path, tmp_path: Path) -> None:
    path = tmp_path / "f.conllu"
    path.write_text("1\tOne\n\n")
    result = command("parse", path, "-m", blank)
    assert result.exit_code == 2 and "--input" in result.stderr and result.stdout == ""
    for text in ("x" * 5000, "a\0b", str(tmp_path), "Some words"):
        assert command("parse", text, "-m", blank).exit_code == 0


@pytest.mark.parametrize("name", ["parse", "select", "evaluate", "derive"])
def test_plain_text_in_the_place_of_conllu_is_named(tmp_path: Path, blank: Path, name: str) -> None:
    path = tmp_path / "f.conllu"
    path.write_text("Nobody read them.\nShe left.\n")
    arguments = {"evaluate": ["en", path], "derive": [path]}.get(name, ["-i", path])
    result = command(name, *arguments)
    assert result.exit_code == 1 and "looks like plain text" in result.stderr


def test_conllu_in_the_place_of_text_is_named(tmp_path: Path, blank: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text("# sent_id = 1\n1\tOne\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    result = command("parse", "-i", path, "-m", blank)
    assert result.stderr.count("looks like CoNLL-U") == 1 and str(path) in result.stderr
    for form in ("conllu", "text"):
        result = command("parse", "-i", path, "-m", blank, "--input-format", form)
        assert "looks like" not in result.stderr


def test_the_folder_of_a_training_is_answered_with_what_is_in_it(
    tmp_path: Path, blank: Path
) -> None:
    blank.rename(tmp_path / "model-last")
    assert "Do you mean" not in command("parse", "One", "-m", tmp_path / "model-last").stderr
    result = command("parse", "One", "-m", tmp_path)
    assert result.exit_code == 1
    assert f"Do you mean '{tmp_path / 'model-last'}'?" in result.stderr


def test_a_file_in_the_place_of_a_pipeline_is_named(tmp_path: Path) -> None:
    path = tmp_path / "dev.conllu"
    path.write_text("1\tOne\n\n")
    result = command("evaluate", path, "en")
    assert result.exit_code == 1
    assert f"This is a file, not a pipeline.\n{path}" in result.stderr


def test_files_of_no_format_are_left_out_of_a_folder(blank: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for name in ("a.txt", "b.md", "c.csv", "d"):
        (folder / name).write_text("Some words\n")
    result = command("parse", "-i", folder, "-o", out, "-m", blank)
    assert result.exit_code == 0 and "2 of 4 files" in result.stderr and "b.md" in result.stderr
    assert sorted(file.name for file in out.iterdir()) == ["a.conllu", "d.conllu"]
    command("parse", "-i", folder, "-o", out, "-m", blank, "--input-format", "text")
    assert len(list(out.iterdir())) == 4
    assert command("parse", "-i", folder / "b.md", "-m", blank).stdout.count("\tSome\t") == 1


def test_k_best_trees_are_drawn() -> None:
    result = command("parse", "She saw the man with the telescope.", "--k-best", 2, "-f", "tree")
    assert result.exit_code == 0 and "# parse = 1/2\n# log_probability = " in result.stdout
    first, second = result.stdout.split("# parse = 2/2")
    assert "►" in first and "►" in second
    result = command("parse", "One.", "--k-best", 2, "-f", "html")
    assert result.exit_code == 2 and "conllu or json or tree" in " ".join(result.stderr.split())


@pytest.mark.parametrize("arguments", [
    ["parse", "-i"], ["parse", "One", "-m"], ["parse", "One", "-o"], ["vectors", "-i"],
    ["init-config"], ["encoder"], ["calibrate", "en", str(DEV), "-o"],
])
def test_a_name_that_is_too_long_ends_with_a_message(arguments: list[str]) -> None:
    result = command(*arguments, "x" * 300)
    assert result.exit_code in (1, 2) and isinstance(result.exception, SystemExit)


def test_a_section_that_comes_twice_is_named(tmp_path: Path) -> None:
    config = tmp_path / "c.cfg"
    config.write_text("[nlp]\nlang = \"en\"\n[nlp]\n")
    for arguments in (["convert-config", config, "-"], ["derive", config, "--config", config]):
        result = command(*arguments)
        assert result.exit_code == 1 and "section 'nlp' already exists" in result.stderr


@pytest.mark.parametrize("arguments", [
    ["evaluate", "en", DEV], ["compare", "en", DEV, DEV], ["calibrate", "en", DEV],
    ["derive", DEV],
])
def test_code_that_cannot_be_imported(arguments: list, tmp_path: Path) -> None:
    code = tmp_path / "broken_code.py"
    code.write_text("raise KeyError('word')\n")
    for path, message in ((code, "KeyError: 'word'"), ("missing.py", "does not exist")):
        result = command(*arguments, "--code", path)
        assert result.exit_code == 1 and message in result.stderr


def test_a_missing_file_of_code_is_no_missing_pipeline() -> None:
    result = command("parse", "Some words", "--code", "missing.py")
    assert result.exit_code == 1 and "file of code 'missing.py' does not exist" in result.stderr
    assert "Do you mean" not in result.stderr and "pipeline package" not in result.stderr


def test_a_missing_function_or_component_of_ones_own_asks_for_code(
    blank: Path, tmp_path: Path
) -> None:
    path = blank / "config.cfg"
    config = path.read_text()
    tokenizer = config.replace("spacy.Tokenizer.v1", "tests.no_tokenizer.v1")
    component = config.replace("pipeline = []", 'pipeline = ["own"]').replace(
        "[components]", '[components]\n[components.own]\nfactory = "tests_no_component"\n'
    )
    (tmp_path / "in.txt").write_text("Some words\n")
    for text in (tokenizer, component):
        path.write_text(text)
        for more in (["Some words"], ["-i", tmp_path / "in.txt", "--n-process", 2]):
            result = command("parse", "-m", blank, *more)
            assert result.exit_code == 1 and "--code FILE" in result.stderr
            assert "tests" in result.stderr and "Available" not in result.stderr
            assert "pipeline package" not in result.stderr
