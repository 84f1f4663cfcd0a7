"""Inputs that cannot be read to their end leave outputs as they were."""

import gzip
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spacy_arceager.cli import app

LINES = "".join(f"line {i} the market opens at seven\n" for i in range(100)).encode()
WHOLE = gzip.compress(LINES)
CUT = WHOLE[: len(WHOLE) // 2]


def run(name: str, *arguments: object) -> Result:
    return CliRunner().invoke(app, [name, *map(str, arguments)])


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_damaged_input_is_not_done_for_resume(tmp_path: Path, n_process: int) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "b.txt").write_text("Some words\n")
    for damaged in (CUT, WHOLE[:4], b"PK\x03\x04"):
        (folder / "a.txt.gz").write_bytes(damaged)
        result = run("parse", "-i", folder, "-o", out, "--n-process", n_process, "--resume")
        assert result.exit_code == 1 and "1 of " in result.stderr
        assert "documents failed" not in result.stderr
        assert [file.name for file in out.iterdir()] == ["b.conllu"]
    (folder / "a.txt.gz").write_bytes(WHOLE)
    result = run("parse", "-i", folder, "-o", out, "--n-process", n_process, "--resume")
    assert result.exit_code == 0, result.stderr
    parses = gzip.decompress((out / "a.conllu.gz").read_bytes())
    assert parses.count(b"\tseven\tseven\t") == 100


@pytest.mark.parametrize("name, others", [("parse", 0), ("select", 0), ("select", 1)])
def test_a_damaged_input_leaves_one_output_as_it_was(
    tmp_path: Path, name: str, others: int
) -> None:
    damaged, other, out = tmp_path / "a.txt.gz", tmp_path / "b.txt", tmp_path / "out.conllu"
    damaged.write_bytes(CUT)
    other.write_text("Some words\n")
    out.write_text("good")
    result = run(name, *["-i", other] * others, "-i", damaged, "-o", out)
    assert result.exit_code == 1 and "damaged or cut short" in result.stderr
    assert out.read_text() == "good"


def test_what_came_before_the_damage_goes_to_stdout(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(CUT)
    result = run("parse", "-i", tmp_path / "a.txt.gz")
    assert result.exit_code == 1 and "\tseven\tseven\t" in result.stdout
