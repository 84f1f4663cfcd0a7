"""What commands read, and what they do about inputs that are damaged."""

import gzip
import json
from pathlib import Path

import pytest
import spacy

from spacy_arceager.formats.registry import INPUTS
from spacy_arceager.formats.rows import Input
from tests.cli.conftest import Run, command, read_columns, read_json_texts
from tests.cli.treebanks import ONE_WORD, TWO_ROOTS


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


@pytest.mark.parametrize("named", [[], ["-"], ["--input", "-"]])
def test_stdin(run: Run, named: list[str]):
    result = run(*named, "--format", "json", input="One line\nTwo — lines\n")
    assert read_json_texts(result.stdout) == ["One line", "Two — lines"]


def test_stdin_is_the_only_input(run: Run, tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("One\n")
    result = run("--input", path, "--input", "-", input="Two\n")
    assert result.exit_code == 2 and "stands for stdin" in result.stderr


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


LINES = "".join(f"line {i} the market opens at seven\n" for i in range(100)).encode()
COMPRESSED = gzip.compress(LINES)
CUT_SHORT = COMPRESSED[: len(COMPRESSED) // 2]
HIDDEN = "X\x1b[2JY"
CARRIED = {"id": "a 1", "meta": {"score": 0.12345678901234566, "n": 10**30}, "list": ["é"]}


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_json_lines_carry_comes_out_again(
    run: Run, tmp_path: Path, n_process: int
) -> None:
    path = tmp_path / "a.jsonl"
    record = {**CARRIED, "text": "Some words", "tokens": ["mine"]}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    result = run("-i", path, "-f", "json", "--n-process", n_process)
    found = json.loads(result.stdout)
    assert {key: found[key] for key in CARRIED} == CARRIED
    assert found["input"] == {"tokens": ["mine"]}
    assert found["text"] == "Some words" and len(found["tokens"]) == 2
    result = run("-i", path)
    lines = result.stdout.splitlines()
    assert lines[0] == "# newdoc id = a 1"
    assert lines[1].startswith('# meta = {"score": 0.12345678901234566')
    assert "# text = Some words" in lines


def test_comments_stay_one_line(run: Run) -> None:
    record = {"text": "a", "id": "x\n1\tz", "b\nc": 1, "sent_id": 2, "d": "\u2028"}
    result = run("--input-format", "jsonl", input=json.dumps(record))
    comments = [line for line in result.stdout.split("\n") if line.startswith("#")]
    assert comments == [
        r'# newdoc id = "x\n1\tz"', r'# d = "\u2028"', "# sent_id = 1-1", "# text = a"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "bad",
    [
        "[" * 200_000,
        '{"text": "a", "n": ' + "1" * 5000 + "}",
        '{"text": "a", "b": "' + HIDDEN,
        f'{{"text": 1, "{HIDDEN}": 1}}',
    ],
)
def test_hostile_json_lines_are_named(run: Run, bad: str) -> None:
    good = '{"text": "One"}\n'
    result = run("--input-format", "jsonl", "-f", "json", input=good + bad + "\n" + good)
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "One"]
    assert "stdin, line 2: " in result.stderr
    assert "\x1b" not in result.stderr and len(result.stderr) < 1000


def test_half_characters_lose_only_the_document_whose_text_has_them(run: Run) -> None:
    lines = ['{"text": "a", "id": "\\ud800"}', '{"text": "\\ud800"}', '{"text": "b"}']
    result = run("--input-format", "jsonl", "-f", "json", input="\n".join(lines))
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["a", "b"]
    assert "1 of 3 documents failed" in result.stderr


def test_lines_that_are_not_utf8_lose_only_themselves(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"One\ncaf\xe9\nTwo\n")
    result = run("-i", path, "-f", "json")
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two"]
    assert f"{path}, line 2: the text is not UTF-8" in result.stderr


def test_a_name_cannot_command_the_terminal(run: Run, tmp_path: Path) -> None:
    result = run("-i", tmp_path / HIDDEN)
    assert result.exit_code == 1
    assert "\x1b" not in result.stderr and r"X\x1b[2JY" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".txt", ".jsonl", ".conllu"])
def test_compressed_files_are_parsed(run: Run, tmp_path: Path, ending: str) -> None:
    texts = {".txt": "One\n", ".jsonl": '{"text": "One"}\n', ".conllu": "1\tOne\n\n"}
    path = tmp_path / f"a{ending}.gz"
    path.write_bytes(gzip.compress(texts[ending].encode() * 100))
    result = run("-i", path, "-f", "json")
    assert result.exit_code == 0
    assert read_json_texts(result.stdout) == ["One"] * 100
    path.write_bytes(path.read_bytes()[:-9])
    result = run("-i", path, "-f", "json")
    assert result.exit_code == 1
    assert f"{path}, line " in result.stderr and "damaged" in result.stderr
    assert result.stdout.count("\n") == 100


def test_trees_that_are_wrong_are_parsed_anew(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(TWO_ROOTS + ONE_WORD + "1\tcut\t_\n2\to")
    result = run("-i", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert read_columns(result.stdout, 1, 7) == [
        ("a", "root"), ("b", "dep"), ("a", "root"), ("cut", "root"), ("o", "dep")
    ]


def test_docs_keep_their_sentences_and_nothing_else(
    run: Run, docs_path: Path, tmp_path: Path
) -> None:
    spacy.blank("xx").to_disk(tmp_path / "blank")
    result = run("-i", docs_path, "-m", tmp_path / "blank")
    assert result.exit_code == 0
    rows = [("1", "_"), ("2", "_"), ("3", "_"), ("1", "_"), ("2", "_")]
    assert read_columns(result.stdout, 0, 7) == rows * 3


def test_docs_are_numbered_from_one(docs_path: Path) -> None:
    documents = INPUTS["spacy"].read(Input(docs_path))
    assert [document.place for document in documents] == [
        f"{docs_path}, document {number}" for number in (1, 2, 3)
    ]


def test_docs_are_inspected(docs_path: Path) -> None:
    found = json.loads(command("inspect", docs_path, "--format", "json").stdout)
    assert found["size"]["sentences"] == 6
    assert found["labels"]["number"] == 3
    assert found["non_projectivity"]["arcs"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["inspect", "evaluate", "parse"])
def test_docs_that_are_damaged_are_named(docs_path: Path, name: str) -> None:
    data = docs_path.read_bytes()
    for damaged in [data[:-9], b"", b"x" * 20, data[:30] + b"\0" * 30 + data[60:]]:
        docs_path.write_bytes(damaged)
        arguments = {"inspect": [], "evaluate": ["en"], "parse": ["-m", "en", "-i"]}[name]
        result = command(name, *arguments, docs_path)
        assert result.exit_code == 1
        assert f"{docs_path}: this is no file of spaCy's Docs" in result.stderr


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_damaged_input_is_not_done_for_resume(tmp_path: Path, n_process: int) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "b.txt").write_text("Some words\n")
    for damaged in (CUT_SHORT, COMPRESSED[:4], b"PK\x03\x04"):
        (folder / "a.txt.gz").write_bytes(damaged)
        result = command("parse", "-i", folder, "-o", out, "--n-process", n_process, "--resume")
        assert result.exit_code == 1 and "1 of " in result.stderr
        assert "documents failed" not in result.stderr
        assert [file.name for file in out.iterdir()] == ["b.conllu"]
    (folder / "a.txt.gz").write_bytes(COMPRESSED)
    result = command("parse", "-i", folder, "-o", out, "--n-process", n_process, "--resume")
    assert result.exit_code == 0, result.stderr
    packed = (out / "a.conllu.gz").read_bytes()
    assert packed[3] == 0 and packed[4:8] == bytes(4)     # neither name nor time
    parses = gzip.decompress(packed)
    assert parses.count(b"\tseven\tseven\t") == 100


@pytest.mark.parametrize("name, others", [("parse", 0), ("select", 0), ("select", 1)])
def test_a_damaged_input_leaves_one_output_as_it_was(
    tmp_path: Path, name: str, others: int
) -> None:
    damaged, other, out = tmp_path / "a.txt.gz", tmp_path / "b.txt", tmp_path / "out.conllu"
    damaged.write_bytes(CUT_SHORT)
    other.write_text("Some words\n")
    out.write_text("good")
    result = command(name, *["-i", other] * others, "-i", damaged, "-o", out)
    assert result.exit_code == 1 and "damaged or cut short" in result.stderr
    assert out.read_text() == "good"


def test_what_came_before_the_damage_goes_to_stdout(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(CUT_SHORT)
    result = command("parse", "-i", tmp_path / "a.txt.gz")
    assert result.exit_code == 1 and "\tseven\tseven\t" in result.stdout
