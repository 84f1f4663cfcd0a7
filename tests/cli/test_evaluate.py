"""The command `evaluate`: what it tells beside the scores."""

from pathlib import Path

import spacy
import srsly
from typer.testing import CliRunner

from spacy_arceager.cli import app

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
    assert abs(scores["fragments"]["right_new"] / n - scores["dep_uas_ud"]) < 1e-6
    counts = scores["repairs"]["counts"].values()
    pops = [sum(one.values()) - one["harmful"] for one in counts]
    assert 0 < sum(pops) <= n
    found = scores["fragments"]["sentences"]
    assert f"Left over at the end of the input: sentences {found}" in result.output


def test_pipelines_without_such_derivations(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    result = CliRunner().invoke(
        app, ["evaluate", str(tmp_path / "blank"), str(DEV), "--derivations"]
    )
    assert result.exit_code == 1
    assert "The pipeline has no arceager_parser" in result.output


def test_boundaries_of_the_treebank_are_kept(tmp_path: Path) -> None:
    scores = {}
    for option in ((), ("--gold-sentences",)):
        output = tmp_path / "scores.json"
        result = CliRunner().invoke(app, [
            "evaluate", "en", str(DEV), "--sentences-per-doc", "10", "-o", str(output), *option,
        ])
        assert result.exit_code == 0, result.output
        scores[option] = srsly.read_json(output)
    assert scores[()]["sents_f"] < 1 == scores["--gold-sentences",]["sents_f"]
    assert scores[()]["dep_las_ud"] < scores["--gold-sentences",]["dep_las_ud"]
