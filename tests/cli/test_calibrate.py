"""`calibrate`."""

import re
from pathlib import Path

import pytest
import spacy

from tests.cli.conftest import command
from tests.conftest import DATA, PARSER

ENGLISH = DATA / "en_small-dev.conllu"


def errors(output: str) -> list[float]:
    return [float(error) for error in re.findall(r"calibration error ([\d.]+) %", output)]


def test_calibrate_finds_a_temperature_and_saves_it(saved: str, tmp_path: Path) -> None:
    result = command("calibrate", saved, ENGLISH, "-o", tmp_path / "calibrated")
    assert result.exit_code == 0, result.output
    temperatures = re.findall(r"Temperature ([\d.]+):", result.stdout)
    assert temperatures[0] == "1.000" and 1 <= len(errors(result.stdout)) <= 2
    parser = spacy.load(tmp_path / "calibrated").get_pipe(PARSER)
    assert parser.temperature == pytest.approx(float(temperatures[-1]), abs=1e-3)
    assert not parser.confidence


def test_what_cannot_be_calibrated(saved: str, tmp_path: Path) -> None:
    spacy.blank("xx").to_disk(tmp_path / "blank")
    assert "no arceager_parser" in command("calibrate", tmp_path / "blank", ENGLISH).output
    row = "\t".join(["1", "Go", "_", "_", "_", "_", "_", "_", "_", "_"])
    (tmp_path / "bare.conllu").write_text(f"{row}\n\n")
    result = command("calibrate", saved, tmp_path / "bare.conllu")
    assert result.exit_code == 1 and "no word has a head" in result.output
    assert command("calibrate", saved, tmp_path / "none.conllu").exit_code == 1


def test_a_folder_of_other_things_is_not_touched(saved: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("keep")
    result = command("calibrate", saved, ENGLISH, "-o", tmp_path)
    assert result.exit_code == 2 and "no pipeline" in " ".join(result.output.split())
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert command("calibrate", saved, ENGLISH, "-o", "-").exit_code == 2
