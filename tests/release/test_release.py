"""The release command on a small treebank, end to end: it trains, scores, packs, and goes on."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import spacy
import typer
from spacy.language import Language

from release import scoring, wheel
from release.__main__ import main
from release.building import training_only
from release.languages import Language as Row
from release.languages import read_languages
from release.packages import ENCODER, SMALL, Kind, Package, find_packages
from tests.conftest import DATA, assert_one_tree

pytestmark = pytest.mark.slow
NAME = "en_arceager_sm"


@pytest.fixture(scope="module")
def treebanks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("treebanks")
    (folder / "en_ewt").mkdir()
    for part in ("train", "dev"):
        text = (DATA / f"en_small-{part}.conllu").read_text(encoding="utf8")
        (folder / "en_ewt" / f"x-{part}.conllu").write_text(text, encoding="utf8")
    return folder


def run(treebanks: Path, output: Path) -> None:
    main(treebanks, output, output / "records", "en", steps=40)


@pytest.fixture(scope="module")
def released(treebanks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("release")
    run(treebanks, output)
    return output


@pytest.fixture(scope="module")
def installed(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("installed")
    (path,) = (released / NAME).glob("*.whl")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, path],
        check=True,
    )
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def nlp(installed: Path) -> Language:
    return spacy.load(NAME)


def test_spacy_finds_the_installed_package_and_it_parses(nlp: Language) -> None:
    doc = nlp("Nobody read the letters.")
    assert [token.text for token in doc] == ["Nobody", "read", "the", "letters", "."]
    for sentence in doc.sents:
        assert_one_tree([token.head.i - sentence.start for token in sentence])


def test_nothing_that_only_training_needs_is_inside(
    nlp: Language, installed: Path, released: Path
) -> None:
    (model,) = (released / NAME).glob("training-*/model-best")
    assert training_only(model) == ["supertagger"] and "supertagger" not in nlp.pipe_names
    # A label of the parser, the direction of the head, and its tag.
    labels = {label for label in spacy.load(model).get_pipe("supertagger").labels if "<" in label}
    inside = b"".join(path.read_bytes() for path in installed.rglob("*") if path.is_file())
    assert labels and not [label for label in labels if label.encode() in inside]
    assert b"supertagger" not in inside


def test_the_words_of_the_treebank_are_not_inside(nlp: Language, treebanks: Path) -> None:
    text = (treebanks / "en_ewt" / "x-train.conllu").read_text(encoding="utf8")
    forms = {line.split("\t")[1] for line in text.splitlines() if line[:1].isdigit()}
    kept = {form for form in forms if form in nlp.vocab.strings}
    # Those of exceptions of the tokenizer, and of rules that make lemmas, are.
    assert len(kept) < 0.3 * len(forms)


def test_the_card_tells_the_facts(nlp: Language, released: Path) -> None:
    record = json.loads((released / "records" / f"{NAME}.json").read_text(encoding="utf8"))
    (row,) = read_languages("en")
    source, supplement = nlp.meta["sources"]
    assert source["name"] == f"{row.treebank}, {row.release}" and source["url"] == row.url
    assert source["author"] == row.authors
    assert record["other sources"] == [supplement] and supplement["name"].startswith("105 sent")
    assert nlp.meta["license"] == source["license"] == record["licence"] == row.licence
    scores = json.loads((released / NAME / "dev-raw.json").read_text(encoding="utf8"))["raw"]
    for name in ("Words", "Sentences", "LAS", "BLEX"):
        assert nlp.meta["performance"][f"raw_{name.lower()}"] == pytest.approx(scores[name]["f1"])
        assert record["scores"]["dev"]["raw"][name] == scores[name]["f1"]
    gold = json.loads((released / NAME / "dev-gold.json").read_text(encoding="utf8"))
    assert nlp.meta["performance"]["dep_las_ud"] == pytest.approx(gold["dep_las_ud"])
    assert gold["dep_las_ud"] > 0.2
    assert nlp.meta["performance"]["speed"] == record["speed"] > 0
    calibration = nlp.meta["performance"]["calibration"]
    temperature = nlp.get_pipe("arceager_parser").temperature
    assert calibration["temperature"] == pytest.approx(temperature)    # JSON rounds it
    assert record["wheel"] == next((released / NAME).glob("*.whl")).stat().st_size
    assert all(limit in nlp.meta["notes"] for limit in record["limits"])
    assert set(record["errors"]) <= {"morpho", "syntax"}       # none of the format
    assert record["training sentences"] == 164 and "garden" in record["example"]


def test_what_is_made_is_not_made_again(
    treebanks: Path, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    for step in ("train_and_measure", "build", "make_record", "make_wheel"):
        monkeypatch.setattr(f"release.__main__.{step}", refuse)
    monkeypatch.setattr(scoring, "evaluate", refuse)
    run(treebanks, released)


def test_a_stop_loses_the_step_alone(
    treebanks: Path, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = released / NAME
    before = (folder / "record.json").read_bytes(), (folder / "dev-raw.json").stat().st_mtime_ns
    for name in ("record.json", "dev-gold.json"):
        (folder / name).unlink()
    with monkeypatch.context() as patch:
        patch.setattr("release.__main__.make_wheel", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run(treebanks, released)
    assert (folder / "dev-gold.json").exists() and not (folder / "record.json").exists()
    run(treebanks, released)
    assert (folder / "dev-raw.json").stat().st_mtime_ns == before[1]
    old, new = json.loads(before[0]), json.loads((folder / "record.json").read_bytes())
    assert old["scores"] == new["scores"] and old["example"] == new["example"]


def test_a_wheel_that_is_too_large_is_refused(released: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="more than 1,000"):
        wheel.make_wheel(released / NAME / "pipeline", tmp_path, largest=1000)
    assert not [*tmp_path.iterdir()]


def test_a_pipeline_has_no_component_for_a_column_that_is_empty(
    treebanks: Path, tmp_path: Path
) -> None:
    (tmp_path / "mt_mudt").mkdir()
    for part in ("train", "dev"):
        text = (treebanks / "en_ewt" / f"x-{part}.conllu").read_text(encoding="utf8")
        rows = [line.split("\t") for line in text.split("\n")]
        empty = [[*row[:2], "_", row[3], "_", *row[5:]] if row[1:] else row for row in rows]
        path = tmp_path / "mt_mudt" / f"{part}.conllu"
        path.write_text("\n".join(map("\t".join, empty)), encoding="utf8")
    main(tmp_path, tmp_path / "output", tmp_path / "records", "mt", steps=4)
    nlp = spacy.load(tmp_path / "output" / "mt_arceager_sm" / "pipeline")
    assert nlp.pipe_names == [
        "tok2vec", "paragraphs", "senter", "morphologizer", "arceager_parser"
    ]
    assert {(token.tag_, token.lemma_) for token in nlp("Nobody read them.")} == {("", "")}


@pytest.mark.parametrize("kind", [SMALL, ENCODER], ids=lambda kind: kind.name)
def test_a_pipeline_with_a_pretrained_encoder(
    kind: Kind, treebanks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("onnx", "onnxruntime", "tokenizers", "safetensors"):
        pytest.importorskip(package)
    from tests.pretrained.hugging_face_folder import N_LAYERS, write_folder

    write_folder(tmp_path / "source", "roberta")
    monkeypatch.setattr("release.__main__.LAYERS", N_LAYERS)
    output, name = tmp_path / "output", f"en_{kind.name}"
    short = kind.name.rpartition("_")[2]
    main(treebanks, output, tmp_path, "en", short, str(tmp_path / "source"), steps=10)
    assert (output / "encoders" / "en" / "encoder.onnx").exists()
    (output / name).rename(tmp_path / "moved")
    shutil.rmtree(output)       # the files of the encoder are gone
    nlp = spacy.load(tmp_path / "moved" / "pipeline")
    for sentence in nlp("Nobody read the letters.").sents:
        assert_one_tree([token.head.i - sentence.start for token in sentence])
    assert not any(nlp.config["paths"].values())
    sources = nlp.meta["sources"]
    assert [source["license"] for source in sources] == ["CC BY-SA 4.0", "MIT", "MIT"]
    source = sources[2]
    assert kind.encoder in source["name"]
    record = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf8"))
    assert record["package"] == name and record["other sources"] == sources[1:]
    needed = "spacy_arceager[encoder]" in nlp.meta["requirements"]
    inside = any(
        "onnx" in path.name or b"vector_predictor" in path.read_bytes()
        for path in (tmp_path / "moved" / "pipeline").rglob("*") if path.is_file()
    )
    if kind.has_encoder:
        assert needed
    else:
        assert not needed and not inside


def test_a_pipeline_over_an_encoder_needs_one(treebanks: Path, tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="--encoder"):
        main(treebanks, tmp_path / "output", tmp_path, "en", "sm,enc")


def test_a_language_that_fails_does_not_stop_the_others(
    treebanks: Path, released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("mt_mudt", "en_ewt"):
        (tmp_path / folder).symlink_to(treebanks / "en_ewt")
    monkeypatch.setattr("release.__main__.train_and_measure", lambda *_: "no training")
    with pytest.raises(SystemExit, match="^Not made: mt_arceager_sm$"):
        main(tmp_path, released, released / "records", "mt,en", steps=40)
    printed = capsys.readouterr()
    assert "no training" in printed.err
    assert "en_arceager_sm: done" in printed.out


def test_each_row_is_whole() -> None:
    rows = read_languages()
    assert {row.code for row in rows} >= {
        "en", "pt", "fr", "ga", "ko", "af", "cy", "mt", "lt", "hy"
    }
    for row in rows:
        assert spacy.util.get_lang_class(row.code).__name__ == row.language
        assert row.treebank.startswith(f"UD_{row.language}-") and row.licence and row.example
        assert row.folder == f"{row.code}_{row.treebank.partition('-')[2].lower()}"
    assert isinstance(rows[0], Row)


def test_treebanks_that_are_not_there_are_told_before_any_training(
    treebanks: Path, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match="pt_bosque"):
        main(treebanks, tmp_path / "output", tmp_path, "en,pt", steps=40)
    assert not (tmp_path / "output").exists()


def test_an_unknown_language_or_kind_is_told() -> None:
    with pytest.raises(SystemExit, match="no row for de"):
        read_languages("en,de")
    with pytest.raises(SystemExit, match="kinds sm, enc, and no lg"):
        find_packages("en", "sm,lg")


def test_packages_have_names_by_language_and_kind() -> None:
    (row,) = read_languages("fr")
    small, over_encoder = find_packages("fr", "sm,enc")
    assert small == Package(row, SMALL) and small.name == "fr_arceager_sm"
    assert over_encoder == Package(row, ENCODER) and over_encoder.name == "fr_arceager_enc"
