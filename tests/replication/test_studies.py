"""The variants of replication/studies/*.yml for study.py make configs that spaCy takes."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import srsly
from spacy.cli._util import import_code
from spacy.schemas import ConfigSchemaTraining
from spacy.util import load_model_from_config, registry
from thinc.api import Config

from replication import study as studies
from replication import trainings
from spacy_arceager import PIPELINES
from tests.conftest import DATA

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "replication" / "studies"
STUDIES = sorted(path.stem for path in FOLDER.glob("*.yml"))
VARIANTS = [
    (study, name) for study in STUDIES
    for name, variant in srsly.read_yaml(FOLDER / f"{study}.yml").items()
    if "pipeline" not in variant    # that others trained
]


@pytest.mark.parametrize("study, name", VARIANTS)
def test_a_variant_is_a_config(
    study: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    variant = srsly.read_yaml(FOLDER / f"{study}.yml")[name]
    import_code(ROOT / variant["code"] if "code" in variant else None)
    base = studies.make_base(variant)
    overrides: dict[str, Any] = variant.get("overrides", {})
    config = Config().from_str(base.to_str(), overrides=overrides, interpolate=False)
    if "transformer" in config["components"]:
        pytest.importorskip("spacy_transformers")
    nlp = load_model_from_config(config, auto_fill=True)
    assert nlp.pipe_names == config["nlp"]["pipeline"]
    registry.resolve(nlp.config.interpolate()["training"], schema=ConfigSchemaTraining)


def test_a_variant_has_its_code_in_training(tmp_path: Path) -> None:
    for part in ("train", "dev"):
        shutil.copy(DATA / f"en_small-{part}.conllu", tmp_path / f"{part}.conllu")
    code = str(ROOT / "replication" / "losses.py")
    config = {"config": str(ROOT / "benchmarks" / "peer.cfg")}
    srsly.write_yaml(tmp_path / "study.yml", {"a": config, "b": {**config, "code": code}})
    _, _, (first, second) = studies.plan(
        tmp_path / "study.yml", [f"en={tmp_path}"], (2, 1), tmp_path / "out"
    )
    assert "--code" not in trainings.train_command(first)
    assert "--gpu-id" not in trainings.train_command(first)
    assert " --gpu-id 0 " in " ".join(trainings.train_command(first, gpu_id=0))
    assert trainings.train_command(second)[-2:] == ["--code", code]


def test_a_pipeline_that_others_trained_is_measured(tmp_path: Path) -> None:
    for part in ("train", "dev"):
        shutil.copy(DATA / f"en_small-{part}.conllu", tmp_path / f"{part}.conllu")
    srsly.write_yaml(tmp_path / "study.yml", {"theirs": {"pipeline": str(PIPELINES / "en")}})
    _, (bank,), (theirs,) = studies.plan(
        tmp_path / "study.yml", [f"en={tmp_path}"], (2, 3), tmp_path / "out"
    )    # once, whatever the seeds
    assert theirs.is_done and not theirs.has("scores")
    theirs.folder.mkdir(parents=True)
    trainings.measure(theirs.folder, theirs.pipeline, bank.dev, ["scores"])
    assert theirs.has("scores")
    assert theirs.read("scores.json")["dep_las_ud"] > 0.6
    assert "theirs | " in studies.as_table([theirs], ["theirs"], ["en"], "las")


def test_a_pipeline_or_files_in_place_of_others_are_measured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("train", "dev"):
        shutil.copy(DATA / f"en_small-{part}.conllu", tmp_path / f"{part}.conllu")
    measured: list[str] = []

    def run(command: Sequence[str], _: Any) -> int:
        folder, pipeline, dev, *names = command[3:]
        measured.append(pipeline)
        trainings.measure(Path(folder), pipeline, Path(dev), names)
        return 0

    def measure(pipeline: Path) -> None:
        bank = trainings.Treebank("en", tmp_path)
        theirs = trainings.Training("a", bank, 0, tmp_path / "out", "", given=str(pipeline))
        assert trainings.train_and_measure(theirs, ["scores"]) == "" and theirs.has("scores")

    monkeypatch.setattr(trainings, "run_process", run)
    shutil.copytree(PIPELINES / "en", tmp_path / "other")
    measure(PIPELINES / "en")
    measure(PIPELINES / "en")
    measure(tmp_path / "other")
    (tmp_path / "dev.conllu").write_text(
        "".join((DATA / "en_small-dev.conllu").read_text("utf8").partition("\n\n")[:2]), "utf8"
    )
    measure(tmp_path / "other")
    assert measured == [str(PIPELINES / "en"), str(tmp_path / "other"), str(tmp_path / "other")]
