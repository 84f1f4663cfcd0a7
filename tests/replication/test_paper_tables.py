"""The papers' tables on tiny treebanks: all of them, going on after a stop, and bad input."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import srsly
import typer
from spacy.cli.train import train
from spacy.util import load_config
from thinc.api import Config
from typer.testing import CliRunner, Result

from replication import paper_tables, trainings
from spacy_arceager.cli.configs import make_config
from tests.conftest import DATA

WORDS = ["Go", "home", "now", "."]
Tables = Callable[..., Result]


def run_here(command: Sequence[str], log: Any) -> int:
    """What trainings.py does in processes of their own, in this one."""
    if "spacy" in command:
        config, _, output, *paths = command[4:]
        names = [name.removeprefix("--") for name in paths[::2]]
        train(config, output, overrides=dict(zip(names, paths[1::2])))
    else:
        folder, pipeline, dev, *measured = command[3:]
        width = None
        if "--width" in measured:
            *measured, _, width = measured
        trainings.measure(Path(folder), pipeline, Path(dev), measured, width=width and int(width))
    return 0


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tables:
    """Runs the program with two updates of each training."""
    monkeypatch.setattr(trainings, "run_process", run_here)
    app = typer.Typer()
    app.command()(paper_tables.main)

    def run(names: str, *treebanks: str, seeds: int = 1, more: Sequence[str] = ()) -> Result:
        given = [part for treebank in treebanks for part in ("--treebank", treebank)]
        return CliRunner().invoke(app, [
            names, *given, "--seeds", str(seeds), "--steps", "2", "--jobs", "1",
            "--output", str(tmp_path / "out"), *more,
        ])

    return run


def conllu(trees: Sequence[Sequence[int | str]]) -> str:
    return "\n".join(
        "".join(
            f"{i}\t{WORDS[i - 1]}\t_\tNOUN\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
            for i, head in enumerate(heads, start=1)
        )
        for heads in trees
    ) + "\n"


def write_treebank(folder: Path, trees: Sequence[Sequence[int | str]]) -> Path:
    folder.mkdir()
    for part in ("train", "dev"):
        (folder / f"{part}.conllu").write_text(conllu(trees), encoding="utf8")
    return folder


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """A treebank of 20 and 8 sentences, most of them with crossing arcs."""
    folder = tmp_path / "german"
    folder.mkdir()
    text = (DATA / "de_crossing.conllu").read_text(encoding="utf8")
    sentences = text.strip().split("\n\n")
    for part, chosen in (("train", sentences[26:46]), ("dev", sentences[30:38])):
        (folder / f"{part}.conllu").write_text("\n\n".join(chosen) + "\n\n", encoding="utf8")
    return folder


@pytest.mark.slow
def test_every_table(tables: Tables, german: Path, tmp_path: Path) -> None:
    papers = paper_tables.read_papers()
    result = tables("all", f"de={german}")
    assert result.exit_code == 0, result.output
    for name, spec in papers["tables"].items():
        text = (tmp_path / "out" / f"{name}.md").read_text(encoding="utf8")
        assert spec["title"] in text
        record = srsly.read_json(tmp_path / "out" / f"{name}.json")
        models = [*spec["rows"].values()] if "rows" in spec else [spec["model"]]
        assert {training["model"] for training in record["trainings"]} == {*models}
        assert all("commit" in training for training in record["trainings"])


@pytest.mark.slow
def test_what_is_done_is_not_done_again_and_half_a_file_is(
    tables: Tables, german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tables("001-2,001-4", f"de={german}", f"again={german}", seeds=2)
    assert first.exit_code == 0, first.output
    folder = tmp_path / "out" / "de" / "nm_both-2-0"
    whole = (folder / "scores.json").read_text(encoding="utf8")
    (folder / "scores.json").write_text(whole[: len(whole) // 2], encoding="utf8")
    outcomes = (folder / "outcomes.npz").read_bytes()
    (folder / "outcomes.npz").write_bytes(outcomes[: len(outcomes) // 2])
    done: list[Sequence[str]] = []
    monkeypatch.setattr(
        trainings, "run_process",
        lambda command, log: done.append(command) or run_here(command, log),  # type: ignore[func-returns-value]
    )
    second = tables("001-2,001-4", f"de={german}", f"again={german}", seeds=2)
    assert [command[3:] for command in done] == [
        [str(folder), str(folder / "model-last"), str(german / "dev.conllu"), "scores"]
    ]
    assert (folder / "scores.json").read_text(encoding="utf8") == whole
    for file in ("scores.json", "outcomes.npz"):
        assert f"{folder / file} is not whole, and is made again" in second.output
    assert second.output.split("## ")[-1] == first.output.split("## ")[-1]
    assert "| Average |" in second.output

    # Another dev file of that treebank.
    (german / "dev.conllu").write_text(conllu([[0, 1, 1, 1]]), encoding="utf8")
    mixed = tables("001-4", f"de={german}", seeds=2)
    assert mixed.exit_code == 1
    assert "was trained on other files" in str(mixed.exception)


@pytest.mark.slow
def test_a_beam_in_parsing_has_the_weights_of_greedy_training(
    tables: Tables, german: Path, tmp_path: Path
) -> None:
    result = tables("beam-width", f"de={german}")
    assert result.exit_code == 0, result.output
    folder = tmp_path / "out" / "de"
    trained = [path.parent.name for path in folder.glob("*/trained.json")]
    assert trained == ["constrained-2-0"]
    greedy, wide = (
        (folder / f"{name}-2-0" / "outcomes.npz").read_bytes()
        for name in ("constrained", "width_32")
    )
    assert greedy != wide
    (folder / "constrained-2-0" / "trained.json").unlink()
    assert "is not trained" in trainings.train_and_measure(
        paper_tables.plan(
            "width_2", paper_tables.read_papers()["models"], "words",
            (trainings.Treebank("de", german), 2, 0), tmp_path / "out",
        ), ["scores"],
    )


@pytest.mark.slow
def test_the_network_is_that_of_words_or_the_recommended_one(
    tables: Tables, german: Path, tmp_path: Path
) -> None:
    result = tables("000-1", f"de={german}", more=["--network", "recommended"])
    assert result.exit_code == 0, result.output
    config = load_config(tmp_path / "out" / "de" / "constrained-2-0" / "config.cfg")
    recommended = Config().from_str(make_config("arc_eager"), interpolate=False)
    for name in ("tok2vec", "supertagger"):
        assert config["components"][name] == recommended["components"][name]
    assert config["components"]["arceager_parser"]["oracle"] == {
        "@misc": "arceager.static_oracle.v1"
    }
    words = tables("000-1", f"de={german}")
    assert "was trained with another config" in str(words.exception)


def test_a_failed_training_is_told_and_the_others_are_shown(
    tables: Tables, german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainings, "run_process", lambda command, log: 1)
    result = tables("000-1", f"de={german}")
    assert result.exit_code == 0
    assert "Nothing is trained." in result.output


def test_another_config_in_the_same_folder(tables: Tables, german: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "de" / "constrained-2-0"
    folder.mkdir(parents=True)
    (folder / "config.cfg").write_text("[nlp]\n", encoding="utf8")
    result = tables("000-1", f"de={german}")
    assert result.exit_code == 1
    assert "was trained with another config" in str(result.exception)


@pytest.mark.parametrize(("trees", "message"), [
    ([[0, 0, 2, 2]], "2 roots"),
    ([[3, 4, 0, 3]], "derives none of the trees"),
    ([["_", 1, 1, 1]], "has no complete tree"),
    ([], "there is no sentence"),
])
def test_treebanks_that_cannot_be_used(
    tables: Tables, tmp_path: Path, trees: list[list[int | str]], message: str
) -> None:
    folder = write_treebank(tmp_path / "treebank", trees)
    result = tables("003-1", f"xx={folder}")
    assert result.exit_code == 1
    assert message in str(result.exception)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("names", "treebank", "message"), [
    ("005-1", "xx=nowhere", "Table '005-1' is unknown; use one of 000-1,"),
    ("000-1", "nowhere", "'nowhere' should be NAME=FOLDER"),
])
def test_wrong_usage(tables: Tables, names: str, treebank: str, message: str) -> None:
    result = tables(names, treebank)
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


def test_a_folder_without_treebank(tables: Tables, tmp_path: Path) -> None:
    result = tables("000-1", f"xx={tmp_path}")
    assert "0 files" in str(result.exception)
