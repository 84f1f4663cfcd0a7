"""The command `evaluate`: what it tells beside the scores."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest
import spacy
import srsly
from typer.testing import CliRunner, Result
from udtools import udeval

import spacy_arceager
from spacy_arceager.cli import app
from spacy_arceager.cli.evaluate import _describe_fragments, _describe_repairs
from spacy_arceager.corpus.conllu import doc_to_conllu, read_file
from spacy_arceager.evaluation.fragments import Fragments
from spacy_arceager.evaluation.raw_alignment import paragraphs
from spacy_arceager.evaluation.repairs import Repairs
from tests.cli.conftest import command
from tests.cli.files import folder
from tests.conftest import DATA

DEV = Path(__file__).parents[1] / "data" / "en_small-dev.conllu"


def test_scores_by_kinds_and_counts_of_derivations(tmp_path: Path) -> None:
    output = tmp_path / "scores.json"
    result = CliRunner().invoke(app, [
        "evaluate", "en", str(DEV), "--by", "length", "--by", "distance", "--by", "label",
        "--derivations", "-o", str(output),
    ])
    assert result.exit_code == 0, result.output
    scores = srsly.read_json(output)
    n = sum(row["gold"] for row in scores["by"]["label"])
    for name in ("length", "distance", "label"):
        rows = scores["by"][name]
        assert f"By {name}" in result.output and rows[0]["name"] in result.output
        right = sum(row["gold"] * row["recall"] for row in rows if row["gold"])
        assert abs(right / n - scores["dep_las_ud"]) < 1e-6
    assert scores["fragments"]["words"] == n
    # In a derivation, the few lifted arcs stand where they were lifted to.
    assert abs(scores["fragments"]["right_new"] - n * scores["dep_uas_ud"]) < 2
    counts = scores["repairs"]["counts"].values()
    pops = [sum(one.values()) - one["harmful"] for one in counts]
    assert 0 < sum(pops) <= n
    lines = result.output.splitlines()
    assert "At the end of the input, 0 of 31 sentences had several words without a head." in lines
    for name, numbers in scores["repairs"]["counts"].items():
        missed = numbers["true_negative"] + numbers["false_negative"]
        assert f"Of the {missed} repairs that {name} did not make, 0 would" in result.output


def test_counts_of_derivations_are_sentences() -> None:
    fragments = Fragments(
        sentences=9, fragmented=2, stack_token=5, stack_head=4, stack_root=1, correct_old=1,
        correct_new=3,
    )
    assert _describe_fragments(asdict(fragments)) == (
        "At the end of the input, 2 of 9 sentences had several words without a head. The treebank "
        "has heads for 5 words of these. The parser went on and found 3 of the heads; if it had "
        "made all of the words roots, 1 would be right."
    )
    assert _describe_repairs("REDUCE", asdict(Repairs(1, 2, 1, 6, 4))) == (
        "REDUCE made 3 repairs. Of these, 1 gave a word its gold head, and 1 lost a gold head that "
        "the word had or could still get. Of the 10 repairs that REDUCE did not make, 4 would have "
        "given a word its gold head. Punctuation is not counted."
    )


def test_pipelines_without_such_derivations(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    result = CliRunner().invoke(
        app, ["evaluate", str(tmp_path / "blank"), str(DEV), "--derivations"]
    )
    assert result.exit_code == 1
    assert "The pipeline has no arceager_parser" in result.output


def test_boundaries_of_the_treebank_are_kept(tmp_path: Path) -> None:
    # Nothing but the words tells where these sentences end.
    path = tmp_path / "commas.conllu"
    path.write_text(re.sub(
        r"(?m)^(\d+)\t([^\t]*)",
        lambda word: f"{word[1]}\t{word[2].lower().replace('.', ',')}", DEV.read_text(),
    ))
    scores = {}
    for option in ((), ("--gold-sentences",)):
        output = tmp_path / "scores.json"
        result = CliRunner().invoke(app, [
            "evaluate", "en", str(path), "--sentences-per-doc", "10", "-o", str(output), *option,
        ])
        assert result.exit_code == 0, result.output
        scores[option] = srsly.read_json(output)
    assert scores[()]["sents_f"] < 1 == scores["--gold-sentences",]["sents_f"]
    assert scores[()]["dep_las_ud"] < scores["--gold-sentences",]["dep_las_ud"]


@pytest.mark.parametrize("name", ["missing/out.json", ".", "out.json/x"])
def test_evaluate_checks_its_output_before_it_works(tmp_path: Path, name: str) -> None:
    (tmp_path / "out.json").write_text("keep")
    result = command("evaluate", "no_such_model", DATA, "-o", tmp_path / name)
    assert result.exit_code == 1
    assert "Cannot write the output" in result.stderr
    assert "no_such_model" not in result.stderr
    assert folder(tmp_path) == {"out.json": "keep"}


@pytest.mark.parametrize("name", [".", "*.conllu", "a.conllu"])
@pytest.mark.parametrize("arguments", [["evaluate", "en"], ["compare", "en", "en"]])
def test_a_file_of_the_treebank_is_not_replaced(
    tmp_path: Path, name: str, arguments: list[str]
) -> None:
    (tmp_path / "a.conllu").write_text("keep")
    result = command(*arguments, tmp_path / name, "-o", tmp_path / "a.conllu")
    assert result.exit_code == 2
    assert folder(tmp_path) == {"a.conllu": "keep"}


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
    out = tmp_path / "scores.json"
    result = command("evaluate", tmp_path / "blank", DEV, "-o", out)
    assert result.exit_code == 1
    assert "nothing to score" in result.stderr and not out.exists()


@pytest.mark.parametrize("options", [["--by", "label", "--derivations"], ["--raw"]])
def test_a_dash_stands_for_stdout_which_has_json_alone(
    tmp_path: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = command("evaluate", "en", DEV, *options, "-o", "-")
    _, scores = evaluate(tmp_path, "en", DEV, *options)
    for found in (written := json.loads(result.stdout)), scores:
        del found["speed"]
    assert written == scores and not result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["scores.json"]


def test_raw_text_is_scored_as_the_official_evaluation_does(tmp_path: Path) -> None:
    result, scores = evaluate(tmp_path, "en", DEV, "--raw", "--by", "label")
    gold = list(read_file(DEV))
    parse = tmp_path / "parse.conllu"
    nlp = spacy_arceager.load("en")
    parse.write_text("".join(map(doc_to_conllu, nlp.pipe(paragraphs(gold)))))
    expected = udeval.evaluate(*(udeval.load_conllu_file(str(path)) for path in (DEV, parse)))
    for name, row in scores["raw"].items():
        assert row["f1"] == pytest.approx(expected[name].f1, abs=1e-9)
    assert f"{100 * scores['raw']['LAS']['f1']:.2f}" in result.stdout
    assert scores["by"]["label"]
    assert scores["words"] == sum(len(sentence.words) for sentence in gold)


@pytest.mark.parametrize("option", [
    ("--gold-sentences",), ("--derivations",), ("--sentences-per-doc", "3"),
])
def test_raw_text_goes_without_options_for_gold_tokens(option: tuple[str, ...]) -> None:
    result = command("evaluate", "en", DEV, "--raw", *option)
    assert result.exit_code == 2 and option[0] in result.stderr


def test_raw_text_needs_heads(tmp_path: Path) -> None:
    path = tmp_path / "words.conllu"
    path.write_text("1\tHi\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    result = command("evaluate", "en", path, "--raw")
    assert result.exit_code == 1 and "words without a head" in result.stderr


def test_raw_text_needs_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "empty.conllu"
    path.write_text("")
    result = command("evaluate", "en", path, "--raw")
    assert result.exit_code == 1 and "has no sentence" in result.stderr
