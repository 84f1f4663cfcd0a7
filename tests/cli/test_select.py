"""`select`: the least and the most confident sentences."""

import re
from functools import cache, partial
from pathlib import Path
from statistics import fmean

import pytest

import spacy_arceager
from spacy_arceager.corpus.conllu import read_file
from tests.cli.conftest import command
from tests.conftest import DATA, PARSER

ENGLISH = DATA / "en_small-dev.conllu"
TEXTS = """\
She left.
Time flies like an arrow. Fruit flies like a banana.
She left.

I know the old man and the young woman won.
"""


select = partial(command, "select")


def texts(conllu: str) -> list[str]:
    return re.findall(r"^# text = (.*)$", conllu, re.M)


def confidences(conllu: str) -> list[float]:
    return [float(value) for value in re.findall(r"^# confidence = (.*)$", conllu, re.M)]


@cache
def known() -> dict[str, list[float]]:
    """The sentences of TEXTS with the confidences of each."""
    nlp = spacy_arceager.load("en")
    nlp.get_pipe(PARSER).confidence = True
    return {
        sentence.text: [token._.arceager_confidence for token in sentence]
        for line in TEXTS.splitlines() for sentence in nlp(line).sents
    }


@pytest.mark.parametrize("by", ["mean", "minimum"])
@pytest.mark.parametrize("most", [False, True])
def test_it_takes_the_least_or_the_most_confident_ones(by: str, most: bool) -> None:
    statistic = {"minimum": min, "mean": fmean}[by]
    expected = {text: statistic(values) for text, values in known().items()}
    order = sorted(expected, key=lambda text: expected[text], reverse=most)
    result = select("--by", by, "-n", 3, *(["--most"] if most else []), input=TEXTS)
    assert result.exit_code == 0
    assert texts(result.stdout) == order[:3]
    assert confidences(result.stdout) == pytest.approx([expected[t] for t in order[:3]], abs=1e-4)
    assert "Selected 3 of 4 different sentences" in result.stderr


def test_lengths_are_bounded_and_sources_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXTS)
    result = select("-i", tmp_path, "--min-words", 4, "--max-words", 6)
    assert sorted(texts(result.stdout)) == [
        "Fruit flies like a banana.", "Time flies like an arrow."
    ]
    assert result.stdout.count(f"# source = {tmp_path / 'a.txt'}, line 2\n") == 2


@pytest.mark.slow
def test_what_is_written_can_be_trained_on_and_does_not_depend_on_processes(tmp_path: Path) -> None:
    outputs = []
    for n in (1, 2):
        path = tmp_path / f"{n}.conllu"
        arguments = ("-i", ENGLISH, "-n", 5, "-o", path, "--n-process", n, "--batch-size", 8)
        assert select(*arguments).exit_code == 0
        outputs.append(path.read_text())
    assert outputs[0] == outputs[1]
    assert confidences(outputs[0]) == sorted(confidences(outputs[0]))
    sentences = list(read_file(tmp_path / "1.conllu"))
    assert len(sentences) == 5
    assert all("HeadConfidence=" in word.misc for one in sentences for word in one.words)
    assert len(re.findall("^# sent_id = en-dev-", outputs[0], re.M)) == 5


def test_what_cannot_be_selected(tmp_path: Path) -> None:
    assert select("-i", ENGLISH, "--min-words", 5, "--max-words", 4).exit_code == 2
    assert select("-i", ENGLISH, "-o", ENGLISH).exit_code == 2
    (tmp_path / "faulty.jsonl").write_text('{"text": "She left."}\n{"text": 1}\n')
    result = select("-i", tmp_path / "faulty.jsonl")
    assert result.exit_code == 1 and "1 of 2 documents failed" in result.stderr
    assert texts(result.stdout) == ["She left."]
    assert "1 of 1 inputs failed" in select("-i", tmp_path / "none.txt").stderr


@pytest.mark.parametrize(("least", "most", "n"), [(6, 6, 2), (3, 3, 1), (4, 5, 0), (3, 6, 3)])
def test_bounds_of_lengths_are_inclusive(least: int, most: int, n: int) -> None:
    result = select("--min-words", least, "--max-words", most, input=TEXTS)
    assert len(texts(result.stdout)) == n


def test_a_file_without_its_option_is_answered_with_a_hint() -> None:
    result = select(ENGLISH)
    assert result.exit_code == 2 and "Write --input before a file" in result.output


def test_the_name_of_a_file_stays_in_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x\ny.txt"
    path.write_text("She saw him.\n", encoding="utf8")
    result = select("--input", path)
    assert result.exit_code == 0
    (tmp_path / "best.conllu").write_text(result.stdout, encoding="utf8")
    assert len([*read_file(tmp_path / "best.conllu")]) == 1
    assert "x\\ny.txt, line 1" in result.stdout
