"""What is measured of pipelines without and with the rules of valid trees."""

from pathlib import Path

import pytest
from spacy.tokens import Doc

from release.validity import (
    Treebank,
    compare,
    count_refused,
    count_syntax,
    measure_speeds,
    score_gold_tokens,
    score_raw,
)
from tests.conftest import DATA, Trained

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_both_sides_are_measured(english: Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    # The validator wants tags, which this pipeline does not find.
    monkeypatch.setattr("release.validity.count_syntax", lambda docs: {"all": len(docs)})
    treebank = Treebank(english.copy(), DATA / "en_small-test.conllu")
    for score in (score_raw, score_gold_tokens):
        found = compare(lambda score=score: score(treebank), treebank.parser)
        assert [*found] == ["without", "with"]
        assert all(0 < side["LAS"] <= side["UAS"] <= 100 for side in found.values())
    speeds = measure_speeds(treebank, 1)
    assert all(side > 0 for part in speeds.values() for side in part.values())


def test_errors_are_counted_by_test(english: Trained) -> None:
    doc = Doc(
        english.nlp.vocab, words=["She", "she", "reads"], pos=["PRON", "PRON", "VERB"],
        heads=[2, 2, 2], deps=["nsubj", "nsubj", "ROOT"],
    )
    assert count_syntax([doc]) == {"too-many-subjects": 1}


def test_refused_arcs_are_counted_by_tags(english: Trained, tmp_path: Path) -> None:
    rows = [("She", "PRON", 2, "nsubj"), ("reads", "VERB", 0, "root"), ("now", "NOUN", 2, "advmod")]
    path = tmp_path / "one.conllu"
    path.write_text("".join(
        f"{i}\t{form}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_\n"
        for i, (form, tag, head, label) in enumerate(rows, 1)
    ) + "\n")
    # The pipeline has no tagger, so nothing is refused for its tags.
    assert count_refused(Treebank(english.copy(), path)) == {
        "gold tags": 1, "tags of the pipeline": 0
    }
