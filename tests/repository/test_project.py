"""What `spacy project` runs: its short trainings are scored, and its packages are lean."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
import srsly
from weasel.cli.run import project_run

from release.building import leave_out
from spacy_arceager.cli.configs import make_config
from tests.conftest import DATA

ROOT = Path(__file__).parents[2]
PROJECT = srsly.read_yaml(ROOT / "project.yml")
COMMANDS = {command["name"]: command for command in PROJECT["commands"]}


def run_script(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / name, *map(str, arguments)],
        capture_output=True, text=True, check=False,
    )


def test_trainings_are_scored_as_often_as_a_variable_says() -> None:
    (train,) = COMMANDS["train"]["script"]
    assert "--training.eval_frequency ${vars.eval_frequency}" in train
    assert 2 * PROJECT["vars"]["eval_frequency"] <= PROJECT["vars"]["steps"]


def test_a_treebank_that_is_not_fetched_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "configs").mkdir()
    for name in ("project.yml", "configs/parser.cfg"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    with pytest.raises(SystemExit):
        project_run(tmp_path, "train")
    printed = capsys.readouterr().out
    assert PROJECT["vars"]["folder"] in printed and "assets" in printed
    assert "Traceback" not in printed


def test_there_are_commands_to_look_compare_and_calibrate() -> None:
    for name in ("inspect", "compare", "calibrate"):
        assert COMMANDS[name]["script"][0].startswith(f"arceager {name} ")


def test_the_page_has_the_variables_with_their_defaults() -> None:
    page = (ROOT / "docs" / "project.md").read_text(encoding="utf8")
    rows = page.partition("| `--vars.NAME`")[2].splitlines()
    told = {}
    for names, defaults, *_ in (row.strip("| ").split(" | ") for row in rows if row[:3] == "| `"):
        parts = defaults.split(", ") if "`, `" in names else [defaults]
        told.update(zip((name.strip("`") for name in names.split(", ")), parts))
    empty = {"languages": "all", "encoder": "none"}
    known = {name: str(value) or empty[name] for name, value in PROJECT["vars"].items()}
    assert told == known


def test_each_split_that_is_there_is_scored(saved: str, tmp_path: Path) -> None:
    folder = tmp_path / "treebank"
    folder.mkdir()
    dev = (DATA / "en_small-dev.conllu").read_bytes()
    assert run_script("evaluate_splits.py", saved, folder, tmp_path / "s").returncode == 1
    (folder / "x-dev.conllu").write_bytes(dev)
    assert run_script("evaluate_splits.py", saved, folder, tmp_path / "s").returncode == 0
    assert (tmp_path / "s-dev.json").exists() and not (tmp_path / "s-test.json").exists()
    (folder / "x-test.conllu").write_bytes(dev)
    result = run_script("evaluate_splits.py", saved, folder, tmp_path / "s")
    assert result.returncode == 0, result.stderr
    assert json.loads((tmp_path / "s-test.json").read_text())["dep_las_ud"] > 0


@pytest.mark.slow
def test_a_pupil_learns_from_texts_that_its_teacher_annotated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("onnx", "onnxruntime", "tokenizers", "safetensors"):
        pytest.importorskip(package)
    from tests.pretrained.hugging_face_folder import write_folder

    programs = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", programs + os.pathsep + os.environ["PATH"])
    (tmp_path / "project.yml").write_bytes((ROOT / "project.yml").read_bytes())
    write_folder(tmp_path / "roberta", "roberta")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("The cat sleeps. It is black.\nNobody knows.\n")
    (tmp_path / "treebank").mkdir()
    for part in ("train", "dev"):
        treebank = (DATA / "en_small-dev.conllu").read_bytes()
        (tmp_path / "treebank" / f"x-{part}.conllu").write_bytes(treebank)
    project_run(tmp_path, "pupil", overrides={
        "vars.folder": "treebank", "vars.texts": "texts", "vars.encoder": "roberta",
        "vars.layers": 2, "vars.steps": 4, "vars.eval_frequency": 2, "vars.name": "tiny",
    })
    (silver,) = (tmp_path / "training" / "tiny-silver").glob("*.conllu")
    assert "nobody" in silver.read_text(encoding="utf8").lower()
    assert "Nobody" in spacy.load(tmp_path / "training" / "tiny" / "model-best").vocab.strings


def test_a_package_has_no_supertagger_and_the_same_parses(tmp_path: Path) -> None:
    from spacy.cli.train import train

    config = tmp_path / "small.cfg"
    config.write_text(make_config(optimize="speed"), encoding="utf8")
    train(config, tmp_path, overrides={
        "paths.train": str(DATA / "en_small-dev.conllu"),
        "paths.dev": str(DATA / "en_small-dev.conllu"), "training.max_steps": 4,
    })
    model, target = tmp_path / "model-last", tmp_path / "lean"
    leave_out(model, target)
    assert "supertagger" in spacy.load(model).pipe_names
    nlp = spacy.load(target)
    assert "supertagger" not in (target / "meta.json").read_text()
    assert nlp.meta["performance"] and all(nlp.meta["performance"].values())
    assert "supertagger" not in nlp.pipe_names
    text = "The letters arrived late."
    parses = [[token.head.i for token in pipeline(text)] for pipeline in (spacy.load(model), nlp)]
    assert parses[0] == parses[1]
