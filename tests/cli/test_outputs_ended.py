"""Outputs that cannot be written, or are written by a command that is ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import spacy
from typer.testing import CliRunner, Result

from spacy_arceager.cli import app


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    spacy.blank("xx").to_disk(tmp_path / "blank")
    return tmp_path / "blank"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    inputs, outputs = tmp_path / "in", tmp_path / "out"
    inputs.mkdir()
    outputs.mkdir()
    for name in ("a", "b", "c"):
        (inputs / f"{name}.txt").write_text(f"word{name}\n")
    return inputs, outputs


def run(blank: Path, *arguments: object) -> Result:
    return CliRunner().invoke(app, ["parse", "-m", str(blank), *map(str, arguments)])


def test_two_outputs_that_are_one_file_by_a_link_are_refused(
    blank: Path, folders: tuple[Path, Path]
) -> None:
    inputs, outputs = folders
    (outputs / "a.conllu").symlink_to("b.conllu")
    result = run(blank, "-i", inputs, "-o", outputs)
    assert result.exit_code == 2 and "would be the same file" in " ".join(result.stderr.split())
    assert not (outputs / "b.conllu").exists()


def test_an_output_that_cannot_be_written_costs_no_other(
    blank: Path, folders: tuple[Path, Path]
) -> None:
    inputs, outputs = folders
    (inputs / "d.txt").touch()      # without documents
    for name in ("a", "d"):
        (outputs / f"{name}.conllu").symlink_to(outputs / "nowhere" / name)
    result = run(blank, "-i", inputs, "-o", outputs)
    assert result.exit_code == 1 and "2 of 4 outputs could not be written" in result.stderr
    assert result.stderr.count("Cannot write the output") == 2
    for name in ("b", "c"):
        assert f"word{name}" in (outputs / f"{name}.conllu").read_text()


def test_a_missing_folder_is_named(blank: Path, tmp_path: Path) -> None:
    result = run(blank, "Some words", "-o", tmp_path / "nosuch" / "out.conllu")
    assert result.exit_code == 1 and f"There is no folder: '{tmp_path / 'nosuch'}'" in result.stderr
    assert ".part" not in result.stderr


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2"])
def test_a_full_disk_is_told_once(blank: Path, tmp_path: Path, ending: str) -> None:
    path, full = tmp_path / "in.txt", tmp_path / f"full{ending}"
    path.write_text("Some words here\n" * 5000)
    full.symlink_to("/dev/full")
    result = run(blank, "-i", path, "-o", full)
    assert result.exit_code == 1 and result.stderr.count("Cannot write the output") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("n_process", [1, 2])
def test_a_command_that_is_ended_leaves_nothing_behind(
    blank: Path, tmp_path: Path, number: int, n_process: int
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    arguments = ["parse", "-m", blank, "-o", work / "out.conllu", "--n-process", n_process]
    code = "from spacy_arceager.cli import app; app()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ},
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
