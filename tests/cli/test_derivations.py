"""`parse` and `derive` write derivations as text, pages and drawings."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import spacy_arceager
from tests.cli.conftest import command
from tests.conftest import DATA

ENGLISH = DATA / "en_small-dev.conllu"
CROSSING = DATA / "de_crossing.conllu"


def views(html: str) -> list[list[dict]]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html)
    return [sentence["views"] for sentence in json.loads(text)]


def test_a_page_of_what_is_parsed() -> None:
    result = command("parse", "She left early. He stayed.", "--format", "html")
    assert result.exit_code == 0
    nlp = spacy_arceager.load("en")
    sentences = [*nlp("She left early. He stayed.").sents]
    for (view,), sentence in zip(views(result.stdout), sentences, strict=True):
        assert view["names"][:-1] == [token.text for token in sentence]
        arcs = {tuple(arc) for step in view["steps"] for arc in step["arcs"]}
        arcs -= {tuple(arc) for step in view["steps"] for arc in step["lost"]}
        assert arcs == {
            (token.head.i - sentence.start, token.i - sentence.start, token.dep_)
            for token in sentence if token.head.i != token.i
        }
        assert view["scored"] and not view["judged"]


@pytest.mark.slow
def test_processes_write_the_same_page(tmp_path: Path) -> None:
    alone, several = tmp_path / "alone.html", tmp_path / "several.html"
    for path, n in ((alone, 1), (several, 2)):
        result = command("parse", "-i", ENGLISH, "-f", "html", "-o", path, "--n-process", n)
        assert result.exit_code == 0
    assert alone.read_text() == several.read_text()
    assert len(views(alone.read_text())) == 31


def test_a_folder_has_a_page_for_each_input(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"She read {name}.\n")
    result = command("parse", "-i", tmp_path / "a.txt", "-i", tmp_path / "b.txt", "-f", "html",
                     "-o", tmp_path / "out")
    assert result.exit_code == 0
    for name in ("a", "b"):
        ((view,),) = views((tmp_path / "out" / f"{name}.html").read_text())
        assert f"{name}.txt" in " ".join(view["names"])


def test_a_drawing_of_a_step(tmp_path: Path) -> None:
    for step, there in ((0, set()), (2, {"nsubj"})):
        path = tmp_path / "step.svg"
        arguments = ["parse", "She left early.", "-f", "svg", "--step", step, "-o", path]
        assert command(*arguments).exit_code == 0
        tree = ElementTree.fromstring(path.read_text())
        arcs = [group for group in tree.iter() if "arc" in group.get("class", "").split()]
        assert {arc[-1].text for arc in arcs} == there


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["parse", "She left.", "--step", 1], 2, "--step needs --format svg"),
        (["parse", "She left.", "-f", "svg", "--step", 99], 1, "There is no step 99"),
        (["parse", "She left. He stayed.", "-f", "svg"], 1, "but there are 2"),
        (["derive", ENGLISH, "-f", "svg"], 1, "shows one derivation"),
        (["derive", ENGLISH, "--step", 1], 2, "--step needs --format svg"),
        (["derive", ENGLISH, "-o", ENGLISH], 2, "same file"),
        (["derive", ENGLISH, "-s", "arc_lazy"], 2, "unknown"),
        (["derive", ENGLISH, "-m", "no_such_pipeline"], 1, "Cannot load the pipeline"),
    ],
)
def test_what_cannot_be_drawn(arguments: list, code: int, said: str) -> None:
    result = command(*arguments)
    assert result.exit_code == code
    assert said in " ".join(result.output.split())


def test_systems_and_a_model_side_by_side() -> None:
    result = command("derive", ENGLISH, "--sentence", 2, "-s", "arc_eager", "-s", "easy_first",
                     "-m", "en", "-f", "html")
    ((eager, easy, model),) = views(result.stdout)
    assert [eager["name"], easy["name"]] == ["arc_eager", "easy_first"]
    assert model["name"].startswith("en (")
    assert [view["scored"] for view in (eager, easy, model)] == [False, False, True]
    for view in (eager, easy, model):
        assert view["judged"] and view["names"] == eager["names"]
        costs = [
            choice["cost"] for step in view["steps"] for choice in step["choices"]
            if choice["taken"]
        ]
        assert None not in costs
    assert eager["wrong"] == easy["wrong"] == []


def test_a_model_alone_and_as_text() -> None:
    result = command("derive", ENGLISH, "--sentence", 2, "-m", "en")
    assert result.stdout.count("# sentence 2, en (") == 1 and "score" in result.stdout
    both = command("derive", ENGLISH, "--sentence", 2, "-m", "en", "-s", "arc_hybrid")
    assert both.stdout.count("# sentence 2,") == 2
    records = command("derive", ENGLISH, "--sentence", 2, "-m", "en", "-f", "json").stdout
    (record,) = map(json.loads, records.splitlines())
    assert all(0 < step["probability"] <= 1 for step in record["steps"][1:])


def test_text_and_json_tell_what_errors_cost() -> None:
    arguments = ["derive", CROSSING, "--sentence", 6, "-m", "en"]
    ((view,),) = views(command(*arguments, "-f", "html").stdout)
    marked = [i for i, step in enumerate(view["steps"]) if "error" in step["marks"]]
    steps = json.loads(command(*arguments, "-f", "json").stdout)["steps"]
    assert marked and [i for i, step in enumerate(steps) if step.get("cost")] == marked
    header, *rows = command(*arguments).stdout.splitlines()[1:]
    end = header.index("cost") + len("cost")
    shown = {i: row[:end].split()[-1] for i, row in enumerate(rows) if row[end - 1:end].isdigit()}
    assert shown == {i: str(steps[i]["cost"]) for i in marked}


def test_crossing_arcs_are_judged_as_the_model_has_learnt_them(tmp_path: Path) -> None:
    # Sentence 6 has crossing arcs, which the model's system lifts; the other system has SWAP.
    result = command("derive", CROSSING, "--sentence", 6, "-m", "en", "-s", "arc_hybrid_swap",
                     "-f", "html")
    ((swap, model),) = views(result.stdout)
    assert swap["wrong"] == []
    gold = {tuple(arc[:2]) for step in swap["steps"] for arc in step["arcs"]}
    built = {tuple(arc[:2]) for step in model["steps"] for arc in step["arcs"]}
    assert gold and built and model["judged"]


def test_drawings_of_a_sentence_without_heads_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "two.conllu"
    row = "\t".join(["1", "Go", "_", "_", "_", "_", "{}", "root", "_", "_"])
    path.write_text(f"{row.format('_')}\n\n{row.format('0')}\n\n")
    result = command("derive", path, "-f", "html")
    assert result.exit_code == 1 and len(views(result.stdout)) == 1
