"""What `parse` reads."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run, read_columns, read_json_texts


def test_text_argument(run: Run):
    result = run("Some words here")
    assert result.exit_code == 0
    assert read_columns(result.stdout, 0, 1, 6, 7) == [
        ("1", "Some", "0", "root"),
        ("2", "words", "1", "dep"),
        ("3", "here", "1", "dep"),
    ]


def test_text_file_has_a_document_a_line(run: Run, tmp_path: Path):
    path = tmp_path / "input.txt"
    path.write_text("\ufeffOne line\n\n  \nTwo — lines\n", encoding="utf-8")
    result = run("--input", path, "--format", "json")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert read_json_texts(result.stdout) == ["One line", "Two — lines"]


def test_stdin(run: Run):
    result = run("--format", "json", input="One line\nTwo — lines\n")
    assert read_json_texts(result.stdout) == ["One line", "Two — lines"]


def test_stdin_in_other_format(run: Run):
    options = ["--format", "json", "--input-format", "jsonl"]
    result = run(*options, input='{"text": "A line\\nand more"}\n')
    assert read_json_texts(result.stdout) == ["A line\nand more"]


def test_jsonl_is_detected_by_ending(run: Run, tmp_path: Path):
    path = tmp_path / "input.jsonl"
    path.write_text('{"text": "One", "id": 1}\n\n{"text": "Two"}\n')
    result = run("--input", path, "--format", "json")
    assert read_json_texts(result.stdout) == ["One", "Two"]


@pytest.mark.parametrize("bad_line", ['{"text": "Tw', '{"id": 1}', '{"text": 1}', "[]"])
def test_bad_jsonl_line_is_named(run: Run, tmp_path: Path, bad_line: str):
    path = tmp_path / "input.jsonl"
    path.write_text(f'{{"text": "One"}}\n{bad_line}\n')
    result = run("--input", path)
    assert result.exit_code == 1
    assert read_columns(result.stdout, 1) == [("One",)]
    assert f"{path}, line 2" in result.stderr


def test_conllu_keeps_tokens_and_sentences_and_replaces_the_parse(
    run: Run, tmp_path: Path
):
    path = tmp_path / "input.conllu"
    path.write_text(
        "# sent_id = a\n"
        "1\tDon't\t_\t_\t_\t_\t2\taux\t_\t_\n"
        "2\tstop. Go\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
        "\n"
        "# sent_id = b\n"
        "1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "\n"
    )
    result = run("--input", path)
    assert result.exit_code == 0
    assert read_columns(result.stdout, 0, 1, 6, 7) == [
        ("1", "Don't", "0", "root"),
        ("2", "stop. Go", "1", "dep"),
        ("1", "Yes", "0", "root"),
    ]
    assert "# sent_id = b" in result.stdout


def test_bad_conllu_line_is_named(run: Run, tmp_path: Path):
    path = tmp_path / "input.conllu"
    path.write_text("1 no tabs here\n\n1\tfine\n\n")
    result = run("--input", path)
    assert result.exit_code == 1
    assert f"{path}, line 1" in result.stderr
    assert read_columns(result.stdout, 1) == [("fine",)]


def test_missing_input_file(run: Run, tmp_path: Path):
    result = run("--input", tmp_path / "missing.txt")
    assert result.exit_code == 1
    assert "missing.txt" in result.stderr


def test_input_that_is_not_utf8(run: Run, tmp_path: Path):
    path = tmp_path / "input.txt"
    path.write_bytes("café".encode("latin-1"))
    result = run("--input", path)
    assert result.exit_code == 1
    assert f"{path}, line 1: the text is not UTF-8" in result.stderr
