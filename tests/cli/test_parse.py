"""`parse`: documents that fail, pipelines that are damaged, wrong usage."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from spacy_arceager.cli import app
from tests.cli.conftest import Run, command, read_json_texts
from tests.conftest import DATA


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_failing_document_does_not_stop_the_others(run: Run, n_process: int):
    options = ["--format", "json", "--batch-size", 2, "--n-process", n_process]
    result = run(*options, input="One\nFAIL here\nTwo\nThree\n")
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two", "Three"]
    assert "1 of 4 documents failed" in result.stderr


def test_failing_document_is_named(run: Run):
    result = run("FAIL here")
    assert "'attach_to_first' failed" in result.stderr
    assert "'FAIL here': RuntimeError: this text cannot be parsed" in result.stderr


def test_text_that_is_too_long_does_not_stop_the_others(run: Run):
    too_long = "a" * 1_000_001  # Language.max_length is 1,000,000
    result = run("--format", "json", input=f"One\n{too_long}\nTwo\n")
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two"]
    assert "1 of 3 documents failed" in result.stderr


def test_document_that_cannot_be_written_does_not_stop_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
):
    def refuse_two(doc: Doc, prefix: str) -> str:
        if doc.text == "Two":
            raise ValueError("no tree")
        return doc.text + "\n"

    monkeypatch.setattr("spacy_arceager.corpus.conllu.doc_to_conllu", refuse_two)
    result = run(input="One\nTwo\nThree\n")
    assert result.exit_code == 1
    assert result.stdout == "# newdoc\nOne\n# newdoc\nThree\n"
    assert "'Two': no tree" in result.stderr


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_bad_line_loses_only_itself(run: Run, n_process: int):
    options = ["--input-format", "jsonl", "--n-process", n_process, "--batch-size", 1]
    result = run(*options, "-f", "json", input='{"text": "One"}\nbad\n{"text": "Two"}\n' * 3)
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two"] * 3
    assert "stdin, line 2: not JSON" in result.stderr
    assert "3 of 9 documents failed" in result.stderr


def test_unknown_model(run: Run):
    result = run("Some words", "--model", "no_such_model")
    assert result.exit_code == 1
    assert "no_such_model" in result.stderr
    assert "installed pipeline package" in result.stderr


@pytest.mark.parametrize("name", ["meta.json", "config.cfg", "tokenizer", "vocab/lookups.bin"])
@pytest.mark.parametrize("data", [None, b"", b"5", b"\xc0{\x00"])
def test_a_pipeline_whose_files_are_missing_or_damaged(
    run: Run, model: Path, tmp_path: Path, name: str, data: bytes | None
):
    damaged = shutil.copytree(model, tmp_path / "damaged")
    (damaged / name).unlink()
    if data is not None:
        (damaged / name).write_bytes(data)
    result = run("Some words", "--model", damaged)
    # An empty file is as good as none for what is not needed.
    assert result.exit_code == (1 if "Cannot load" in result.stderr else 0)
    assert isinstance(result.exception, (SystemExit, type(None)))
    assert result.exit_code == 0 or f"{damaged}: " in result.stderr


def test_nothing_to_parse(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    with pytest.raises(SystemExit) as stop:
        app(["parse"])
    assert stop.value.code == 2
    assert "Give a TEXT" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["Some words", "--input", "file.txt"],
        ["Some words", "--input-format", "text"],
        ["--input", "file.txt", "--output", "file.txt"],
        ["--input-format", "html"],
        ["--batch-size", "0"],
        ["--n-process", "0"],
        ["--n-process", "100000000"],
    ],
)
def test_wrong_usage(run: Run, arguments: list[str]):
    assert run(*arguments).exit_code == 2


@pytest.mark.slow
def test_closed_stdout_is_no_error_message(blank: Path, tmp_path: Path):
    path = tmp_path / "input.txt"
    path.write_text("Some words here\n" * 20_000)
    code = (
        "import spacy, spacy_arceager; spacy_arceager.load = spacy.load; "
        "from spacy_arceager.cli import app; app()"
    )
    command = [sys.executable, "-c", code, "parse", "-m", str(blank), "-i", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_valid_trees_have_one_subject_a_predicate():
    def heads_of_subjects(*options: str) -> list[int]:
        result = command("parse", "He she it sees.", "-f", "json", *options)
        assert result.exit_code == 0, result.stderr
        tokens = json.loads(result.stdout)["tokens"]
        return [token["head"] for token in tokens if token["dep"] == "nsubj"]

    heads = heads_of_subjects()
    assert len(set(heads)) < len(heads)
    heads = heads_of_subjects("--valid", "ud")
    assert len(set(heads)) == len(heads)
    result = command("parse", "He she it sees.", "-f", "derivation", "--valid", "ud")
    assert result.stdout.count("(nsubj)") == len(heads)


def test_a_pipeline_without_our_parser_has_no_rules(tmp_path: Path):
    spacy.blank("xx").to_disk(tmp_path / "blank")
    treebank = DATA / "en_small-test.conllu"
    for arguments in (["parse", "One", "-m", tmp_path / "blank"],
                      ["evaluate", tmp_path / "blank", treebank]):
        result = command(*arguments, "--valid", "ud")
        assert result.exit_code == 1
        assert "has no arceager_parser" in result.stderr


def test_the_ending_of_the_output_chooses_the_format(tmp_path: Path):
    page, lines = tmp_path / "page.html", tmp_path / "lines.jsonl"
    for path in (page, lines):
        assert command("parse", "Nobody read them.", "-o", path).exit_code == 0
    assert page.read_text().lower().startswith("<!doctype html>")
    assert json.loads(lines.read_text())["text"] == "Nobody read them."
    assert command("parse", "One.", "-o", page, "--format", "conllu").exit_code == 0
    assert page.read_text().startswith("# ")


def test_a_text_in_utf_8_is_read_whatever_the_locale_has(run: Run) -> None:
    """Where the locale has ASCII, Python passes on other bytes as halves of surrogate pairs."""
    text = "Übung naïve".encode().decode("ascii", "surrogateescape")
    assert read_json_texts(run(text, "--format", "json").stdout) == ["Übung naïve"]
    result = run("caf\udce9", "--format", "json")       # no UTF-8
    assert result.exit_code == 1 and "surrogates not allowed" in result.stderr
