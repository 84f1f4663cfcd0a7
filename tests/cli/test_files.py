"""Inputs of every kind, and outputs that are never left broken."""

import errno
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from typer.testing import CliRunner, Result

import spacy_arceager
from spacy_arceager.cli import app
from spacy_arceager.cli.outputs import Output
from tests.cli.test_cli import (
    ONE_WORD,
    TWO_ROOTS,
    Run,
    blank,
    command,
    model,
    read_columns,
    read_json_texts,
    run,
)

__all__ = ["blank", "model", "run"]  # fixtures

DATA = Path(__file__).parents[1] / "data"
HIDDEN = "X\x1b[2JY"
CARRIED = {"id": "a 1", "meta": {"score": 0.12345678901234566, "n": 10**30}, "list": ["é"]}


def folder(path: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in path.iterdir() if file.is_file()}


# Outputs


@pytest.mark.parametrize(
    "arguments",
    [
        ["-i", "missing.txt"],
        ["-i", "folder"],
        ["-i", "zip.txt"],
        ["Some words", "-m", "no_such_model"],
    ],
)
def test_what_fails_leaves_the_output_as_it_was(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    work = tmp_path / "work"
    (work / "folder").mkdir(parents=True)
    (work / "keep.conllu").write_text("keep")
    (work / "zip.txt").write_bytes(b"PK\x03\x04....")
    monkeypatch.chdir(work)
    result = run(*arguments, "-o", "keep.conllu")
    assert result.exit_code == 1
    assert ("this is a zip archive" in result.stderr) is (arguments[-1] == "zip.txt")
    assert folder(work) == {"keep.conllu": "keep", "zip.txt": "PK\x03\x04...."}


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_link_to_the_input_is_recognised(run: Run, tmp_path: Path, link) -> None:
    path = tmp_path / "input.txt"
    path.write_text("Some words\n")
    link(path, tmp_path / "link.txt")
    result = run("-i", path, "-o", tmp_path / "link.txt")
    assert result.exit_code == 2
    assert path.read_text() == "Some words\n"
    result = command("evaluate", "en", path, "-o", tmp_path / "link.txt")
    assert result.exit_code == 2


def test_links_in_a_circle_are_a_message_or_replaced(run: Run, tmp_path: Path) -> None:
    for link, target in ("ab", "ba"):
        (tmp_path / link).symlink_to(tmp_path / target)
    path = tmp_path / "input.txt"
    path.write_text("Some words\n")
    result = run("-i", tmp_path / "a", "-o", tmp_path / "out")
    assert result.exit_code == 1 and f"{tmp_path / 'a'}: " in result.stderr
    assert run("-i", path, "-o", tmp_path / "a").exit_code == 0
    assert "Some" in (tmp_path / "a").read_text()


def test_an_output_is_replaced_where_links_point_with_its_rights(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "real.conllu"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link.conllu").symlink_to(target)
    assert run("Some words", "-o", tmp_path / "link.conllu").exit_code == 0
    assert "Some" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link.conllu").is_symlink()


@pytest.mark.parametrize("size", [2, 50_000])
def test_a_full_disk_is_a_message(run: Run, tmp_path: Path, size: int) -> None:
    path = tmp_path / "input.txt"
    path.write_text("Some words here\n" * size)
    result = run("-i", path, "-o", "/dev/full")
    assert result.exit_code == 1
    assert "Cannot write the output" in result.stderr
    assert "No space left" in result.stderr


def test_a_disk_that_gets_full_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("keep")

    class Full(io.BytesIO):
        def write(self, data) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(Exception) as stop, Output(path) as output:  # noqa: PT012 (raised at the end)
        monkeypatch.setattr(output, "_stream", Full())
        output.write("new")
    assert stop.value.exit_code == 1
    assert "No space left" in capsys.readouterr().err
    assert folder(tmp_path) == {"a.conllu": "keep"}


def start(
    model: Path, *arguments: object, limit: Callable[[], None] = bool, **streams: object
) -> subprocess.Popen:
    code = (
        "import spacy, spacy_arceager; spacy_arceager.load = spacy.load; "
        "from spacy_arceager.cli import app; app()"
    )
    parts = [sys.executable, "-c", code, "parse", "-m", model, *arguments]

    def prepare() -> None:
        # Hear interrupts also where the tests run in the background, in which shells ignore them.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        limit()

    return subprocess.Popen(
        list(map(str, parts)), preexec_fn=prepare, **streams  # noqa: PLW1509 (no threads)
    )


@pytest.mark.slow
def test_a_full_stdout_is_a_message(blank: Path, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        process = start(blank, "Some words", stdout=full, stderr=subprocess.PIPE, text=True)
        _, err = process.communicate()
    assert process.returncode == 1
    assert "No space left" in err
    assert "Traceback" not in err and "Exception ignored" not in err


@pytest.mark.slow
def test_an_interrupt_leaves_the_output_as_it_was(blank: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "out.json").write_text("keep")
    process = start(
        blank, "-f", "json", "-o", work / "out.json", stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    process.stdin.write(b"Some words here\n" * 1000)
    process.stdin.flush()
    # Once its own file is there, it works.
    while len(list(work.iterdir())) < 2:
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode not in (0, -signal.SIGINT)
    assert b"Traceback" not in err
    assert folder(work) == {"out.json": "keep"}


@pytest.mark.parametrize("name", ["missing/out.json", ".", "out.json/x"])
def test_evaluate_checks_its_output_before_it_works(tmp_path: Path, name: str) -> None:
    (tmp_path / "out.json").write_text("keep")
    result = command("evaluate", "no_such_model", DATA, "-o", tmp_path / name)
    assert result.exit_code == 1
    assert "Cannot write the output" in result.stderr
    assert "no_such_model" not in result.stderr
    assert folder(tmp_path) == {"out.json": "keep"}


# Inputs


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


def test_half_characters_lose_only_their_document(run: Run) -> None:
    lines = ['{"text": "a", "id": "\\ud800"}', '{"text": "\\ud800"}', '{"text": "b"}']
    result = run("--input-format", "jsonl", "-f", "json", input="\n".join(lines))
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["b"]
    assert "2 of 3 documents failed" in result.stderr


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
    assert read_json_texts(result.stdout) == ["One" if ending != ".conllu" else "One "] * 100
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


# Files of Docs


@pytest.fixture
def docs_path(tmp_path: Path) -> Path:
    vocab = spacy.blank("xx").vocab
    heads = [1, 1, 1, 4, 4]
    deps = ["nsubj", "ROOT", "punct", "nsubj", "ROOT"]
    docs = [Doc(vocab, words=["She", "left", ".", "I", "stayed"], heads=heads, deps=deps)] * 3
    path = tmp_path / "docs.spacy"
    DocBin(docs=docs).to_disk(path)
    return path


def test_docs_keep_their_sentences_and_nothing_else(
    run: Run, docs_path: Path, tmp_path: Path
) -> None:
    spacy.blank("xx").to_disk(tmp_path / "blank")
    result = run("-i", docs_path, "-m", tmp_path / "blank")
    assert result.exit_code == 0
    rows = [("1", "_"), ("2", "_"), ("3", "_"), ("1", "_"), ("2", "_")]
    assert read_columns(result.stdout, 0, 7) == rows * 3


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


# Any pipeline is scored


def evaluate(tmp_path: Path, *arguments: object) -> tuple[Result, dict]:
    out = tmp_path / "scores.json"
    result = command("evaluate", *arguments, "-o", out)
    assert result.exit_code == 0, result.stderr
    return result, json.loads(out.read_text())


@pytest.fixture
def spacy_parser(tmp_path: Path) -> Path:
    """spaCy's own parser, little trained."""
    nlp = spacy.blank("xx")
    parser = nlp.add_pipe("parser")
    corpus = spacy.registry.readers.get("arceager.ConlluCorpus.v1")(
        DATA / "en_small-dev.conllu", sentences_per_doc=2
    )
    examples = list(corpus(nlp))
    nlp.initialize(lambda: examples)
    for _ in range(3):
        nlp.update(examples)
    assert parser.labels
    nlp.to_disk(tmp_path / "spacy_parser")
    return tmp_path / "spacy_parser"


def test_spacys_parser_is_scored_by_the_same_measures(
    spacy_parser: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "pages"
    options = ["--sentences-per-doc", 2, "--displacy-path", pages, "--displacy-limit", 3]
    result, scores = evaluate(tmp_path, spacy_parser, DATA / "en_small-dev.conllu", *options)
    for key in ("dep_uas_ud", "dep_las_ud", "dep_exact", "dep_exact_heads", "sents_f"):
        assert 0 <= scores[key] <= 1
    assert scores["dep_uas_ud"] > 0 and scores["dep_exact"] <= scores["dep_exact_heads"]
    assert scores["dep_multiple_roots"] == 0
    assert "Predicted sentences with several roots: 0" in result.stdout
    page = (pages / "parses.html").read_text()
    assert page.count("<svg") == 3 and page.startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_the_shipped_parser_has_the_scores_of_its_own_scorer(
    tmp_path: Path, docs_path: Path
) -> None:
    path = DATA / "en_small-dev.conllu"
    _, scores = evaluate(tmp_path, "en", path)
    nlp = spacy_arceager.load("en")
    corpus = spacy.registry.readers.get("arceager.ConlluCorpus.v1")(path)
    own = nlp.evaluate(list(corpus(nlp)))
    for key in ("dep_uas_ud", "dep_las", "dep_exact", "sents_f", "tag_acc"):
        assert scores.get(key) == pytest.approx(own.get(key), abs=1e-6)
    _, scores = evaluate(tmp_path, "en", docs_path)
    assert scores["sents_f"] == 1.0 and scores["dep_uas_ud"] == 1.0


def test_a_pipeline_without_a_parser_is_told(tmp_path: Path) -> None:
    spacy.blank("xx").to_disk(tmp_path / "blank")
    result = CliRunner().invoke(
        app, ["evaluate", str(tmp_path / "blank"), str(DATA / "en_small-dev.conllu")]
    )
    assert result.exit_code == 1
    assert "nothing to score" in result.stderr
