"""What `parse` writes, and what it leaves where it cannot write or is ended."""

import errno
import gc
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import spacy_arceager
from spacy_arceager.cli import app
from spacy_arceager.cli.outputs import Output, find_descriptor, show
from tests.cli.conftest import Run, command, read_columns
from tests.cli.files import feed, folder, start
from tests.conftest import DATA

DEV = DATA / "en_small-dev.conllu"


class Full(io.BytesIO):
    def write(self, data) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_tree(run: Run):
    result = run("Some words", "--format", "tree")
    assert result.stdout == "┌── 1  Some   ROOT\n└─► 2  words  dep\n\n"


def test_ascii_tree(run: Run):
    result = run("Some words", "--format", "tree", "--ascii")
    assert result.stdout == ".-- 1  Some   ROOT\n'-> 2  words  dep\n\n"


def test_derivation(tmp_path: Path):
    path = tmp_path / "two.txt"
    path.write_text("She left early. He stayed.\nWe know.\n")
    arguments = ["parse", "--input", str(path), "--format", "derivation"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    blocks = result.stdout.strip().split("\n\n")
    assert [block.splitlines()[0].split(",")[0] for block in blocks] == [
        "# sentence 1", "# sentence 2", "# sentence 3",
    ]
    nlp = spacy_arceager.load("en")
    sentences = [s for text in path.read_text().splitlines() for s in nlp(text).sents]
    for block, sentence in zip(blocks, sentences, strict=True):
        assert block.splitlines()[-1] == f"root: {sentence.root}"
        for token in sentence:
            if token.dep_ != "ROOT":
                assert f"{token.head} ─{token.dep_}─► {token}" in block
    ascii_only = CliRunner().invoke(app, [*arguments, "--ascii"])
    assert ascii_only.stdout.isascii()


def test_derivation_of_a_pipeline_without_our_parser(run: Run):
    result = run("--format", "derivation", input="Some words\n")
    assert result.exit_code == 1
    assert "no arceager_parser" in result.stderr


def test_output_file(run: Run, tmp_path: Path):
    path = tmp_path / "output.conllu"
    result = run("Some wörds", "--output", path)
    assert result.exit_code == 0
    assert result.stdout == ""
    conllu = path.read_text(encoding="utf-8")
    assert read_columns(conllu, 1) == [("Some",), ("wörds",)]


def test_a_dash_is_stdout(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("One", "-o", "-")
    assert result.exit_code == 0 and result.stdout == run("One").stdout
    assert not any(tmp_path.iterdir())


def test_output_file_that_cannot_be_written(run: Run, tmp_path: Path):
    result = run("Some words", "--output", tmp_path / "missing" / "output.conllu")
    assert result.exit_code == 1
    assert "Cannot write" in result.stderr


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

    with pytest.raises(Exception) as stop, Output(path) as output:  # noqa: PT012 (raised at the end)
        monkeypatch.setattr(output, "_stream", Full())
        output.write("new")
    assert stop.value.exit_code == 1
    assert "No space left" in capsys.readouterr().err
    assert folder(tmp_path) == {"a.conllu": "keep"}


@pytest.mark.slow
def test_a_full_stdout_is_a_message(blank: Path, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        process = start(blank, "Some words", stdout=full, stderr=subprocess.PIPE, text=True)
        _, err = process.communicate()
    assert process.returncode == 1
    assert "No space left" in err
    assert "Traceback" not in err and "Exception ignored" not in err


def test_a_closed_stdout_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(typer.Exit):
        Output(None)
    assert "stdout" in capsys.readouterr().err


@pytest.mark.slow
def test_an_interrupt_leaves_the_output_as_it_was(blank: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "out.json").write_text("keep")
    process = start(
        blank, "-f", "json", "-o", work / "out.json", stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    feed(process)
    assert len(list(work.iterdir())) == 2       # its own file is there
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode not in (0, -signal.SIGINT)
    assert b"Traceback" not in err
    assert folder(work) == {"out.json": "keep"}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    inputs, outputs = tmp_path / "in", tmp_path / "out"
    inputs.mkdir()
    outputs.mkdir()
    for name in ("a", "b", "c"):
        (inputs / f"{name}.txt").write_text(f"word{name}\n")
    return inputs, outputs


def test_two_outputs_that_are_one_file_by_a_link_are_refused(
    run: Run, folders: tuple[Path, Path]
) -> None:
    inputs, outputs = folders
    (outputs / "a.conllu").symlink_to("b.conllu")
    result = run("-i", inputs, "-o", outputs)
    said = " ".join(result.stderr.replace("│", " ").split())    # the frame may break the sentence
    assert result.exit_code == 2 and "would be the same file" in said
    assert not (outputs / "b.conllu").exists()


def test_an_output_that_cannot_be_written_costs_no_other(
    run: Run, folders: tuple[Path, Path]
) -> None:
    inputs, outputs = folders
    (inputs / "d.txt").touch()      # without documents
    for name in ("a", "d"):
        (outputs / f"{name}.conllu").symlink_to(outputs / "nowhere" / name)
    result = run("-i", inputs, "-o", outputs)
    assert result.exit_code == 1 and "2 of 4 outputs could not be written" in result.stderr
    assert result.stderr.count("Cannot write the output") == 2
    for name in ("b", "c"):
        assert f"word{name}" in (outputs / f"{name}.conllu").read_text()


def test_a_missing_folder_is_named(run: Run, tmp_path: Path) -> None:
    result = run("Some words", "-o", tmp_path / "nosuch" / "out.conllu")
    assert result.exit_code == 1 and f"There is no folder: '{tmp_path / 'nosuch'}'" in result.stderr
    assert ".part" not in result.stderr


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2"])
def test_a_full_disk_is_told_once(run: Run, tmp_path: Path, ending: str) -> None:
    path, full = tmp_path / "in.txt", tmp_path / f"full{ending}"
    path.write_text("Some words here\n" * 5000)
    full.symlink_to("/dev/full")
    result = run("-i", path, "-o", full)
    assert result.exit_code == 1 and result.stderr.count("Cannot write the output") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("n_process", [1, 2])
def test_a_command_that_is_ended_leaves_nothing_behind(
    blank: Path, tmp_path: Path, number: int, n_process: int
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    process = start(
        blank, "-o", work / "out.conllu", "--n-process", n_process, stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    process.stdin.write(b"Some words here\n" * 1000)
    process.stdin.flush()
    while not list(work.iterdir()):     # once its draft is there, it works
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate()
    assert process.returncode == 128 + number and b"Traceback" not in errors
    assert not list(work.iterdir())


def test_a_command_that_is_ended_as_its_draft_is_opened_leaves_nothing_behind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(file: io.BufferedWriter) -> None:
        assert list(tmp_path.iterdir())
        raise SystemExit(128 + signal.SIGTERM)

    monkeypatch.setattr("spacy_arceager.cli.outputs._lock", end)
    assert run("Some words", "-o", tmp_path / "out.conllu").exit_code == 128 + signal.SIGTERM
    gc.collect()    # of what the traceback held
    assert not list(tmp_path.iterdir())


def test_an_output_may_be_a_pipe(tmp_path: Path) -> None:
    """As `-o /dev/stdout | ...` and `-o >(...)` have it: a link to what has no name."""
    reading, writing = os.pipe()
    with Output(Path(f"/dev/fd/{writing}")) as output:
        output.write("Text")
    os.close(writing)
    assert os.read(reading, 10) == b"Text"
    os.close(reading)


@pytest.mark.parametrize("form", ["/dev/fd/{}", "/proc/self/fd/{}", "/proc/{pid}/fd/{}"])
def test_an_open_file_keeps_what_the_caller_writes_around(tmp_path: Path, form: str) -> None:
    """As the shell has it for `(echo header; arceager ... -o /dev/stdout; echo footer) > log`."""
    path = tmp_path / "log.txt"
    with path.open("w") as log:
        log.write("header\n")
        log.flush()
        with Output(Path(form.format(log.fileno(), pid=os.getpid()))) as output:
            output.write("text\n")
        log.write("footer\n")
    assert path.read_text() == "header\ntext\nfooter\n"


def test_stdout_and_stderr_are_open_files_too() -> None:
    assert [find_descriptor(Path(f"/dev/{name}")) for name in ("stdout", "stderr")] == [1, 2]
    for name in ("/dev/null", "/dev/fd", "/dev/fd/x", f"/dev/fd/{10**20}", "/proc/0/fd/1", "fd/1"):
        assert find_descriptor(Path(name)) is None


def test_a_descriptor_that_is_not_open_is_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        Output(Path("/dev/fd/9999"))
    assert "/dev/fd/9999: [Errno 9]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"], ["info"], ["inspect", DEV], ["evaluate", "en", DEV],
        ["evaluate", "en", DEV, "--raw"], ["calibrate", "en", DEV], ["compare", DEV, DEV, DEV],
        ["derive", DEV], ["init-config"],
    ],
)
def test_a_full_stdout_is_a_message_of_each_command(
    arguments: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typer, "get_binary_stream", lambda _: Full())
    result = command(*arguments)
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit)
    assert "Cannot write the output.\nstdout: [Errno 28]" in result.stderr


def test_a_result_may_name_a_file_whose_name_is_no_utf_8(capfd: pytest.CaptureFixture[str]) -> None:
    show("caf\udce9 is café")
    assert capfd.readouterr().out == "caf\\udce9 is café\n"
