"""The sentences that are added to a treebank."""

from pathlib import Path

import pytest

from release.supplement import SUPPLEMENTS, with_supplement
from replication.trainings import Treebank
from spacy_arceager.corpus.conllu import read_file
from tests.conftest import DATA


@pytest.fixture
def treebank(tmp_path: Path) -> Treebank:
    folder = tmp_path / "original"
    folder.mkdir()
    for part in ("train", "dev"):
        text = (DATA / f"en_small-{part}.conllu").read_text(encoding="utf8")
        (folder / f"x-{part}.conllu").write_text(text, encoding="utf8")
    return Treebank("en", folder)


def test_the_train_file_has_both_and_the_dev_file_is_the_same(
    treebank: Treebank, tmp_path: Path
) -> None:
    joined = with_supplement("en", treebank, tmp_path / "joined")
    assert list(read_file(joined.train)) == [
        *read_file(treebank.train), *read_file(SUPPLEMENTS / "en.conllu")
    ]
    assert joined.dev.read_bytes() == treebank.dev.read_bytes()


def test_a_language_without_a_supplement_has_its_treebank(
    treebank: Treebank, tmp_path: Path
) -> None:
    assert with_supplement("xx", treebank, tmp_path / "joined") is treebank
    assert not (tmp_path / "joined").exists()


def test_the_tag_of_a_question_is_parataxis_and_has_a_subject() -> None:
    found = 0
    for sentence in read_file(SUPPLEMENTS / "en.conllu"):
        words = sentence.words
        assert [word.head for word in words].count(0) == 1
        tags = [i for i, word in enumerate(words, 1) if word.deprel == "parataxis"]
        for tag in tags:
            found += 1
            dependents = {word.deprel for word in words if word.head == tag}
            assert dependents & {"nsubj", "expl"} and "punct" in dependents
    assert found > 50
