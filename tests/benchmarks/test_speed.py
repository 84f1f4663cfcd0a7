"""Each choice of benchmarks/speed.py measures what it says, on a small treebank."""

from pathlib import Path

import pytest
import spacy
import srsly
from typer.testing import CliRunner

from benchmarks.common import guard
from benchmarks.speed import MEASURES, app, count_products, texts_with_new_words
from replication.figures import read_figures
from tests.conftest import DATA

DEV = str(DATA / "en_small-dev.conllu")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(("command", "measures"), [
    ("parsing", [*MEASURES]), ("pipelines", ["sentences a text: 1", "sentences a text: 10"]),
])
def test_rates_of_two_sides(
    saved: str, tmp_path: Path, command: str, measures: list[str]
) -> None:
    file = tmp_path / "rates.json"
    run(command, saved, saved, DEV, "--repetitions", "2", "--output", str(file))
    found = srsly.read_json(file)
    assert [*found["rates"]] == measures
    for measured in found["rates"].values():
        assert sorted(measured) == ["ours", "peer"]
        assert all(len(rates) == 2 and min(rates) > 0 for rates in measured.values())


def test_the_guard_compares_ratios_with_those_on_record() -> None:
    known = {
        figure.row: float(figure.value) for figure in read_figures("benchmarks", "speed")
        if figure.column == "same BLAS" and figure.row in MEASURES
    }
    assert [*known] == [*MEASURES]
    as_fast = {name: {"ours": [10 * ratio], "peer": [10.0]} for name, ratio in known.items()}
    guard(as_fast, True)
    slow = as_fast | {"parser alone": {"ours": [9 * known["parser alone"]], "peer": [10.0]}}
    with pytest.raises(SystemExit, match="Slower than on record:\nparser alone: "):
        guard(slow, True)
    with pytest.raises(SystemExit, match="Not on record for 'as it comes': something"):
        guard({"something": {"ours": [1.0], "peer": [1.0]}}, False)


def test_beams_beside_greedy_search(saved: str, tmp_path: Path) -> None:
    file = tmp_path / "beams.json"
    run("beam", saved, DEV, "--widths", "2,3", "--repetitions", "2", "--output", str(file))
    found = srsly.read_json(file)
    searches = ["greedy", "beam of 2", "beam of 3"]
    assert [*found["microseconds a word"]] == [*found["LAS"]] == searches
    for times in found["microseconds a word"].values():
        assert len(times) == 2 and min(times) > 0
    assert all(0 < las <= 1 for las in found["LAS"].values())


def test_time_by_length(saved: str, tmp_path: Path) -> None:
    file = tmp_path / "times.json"
    run("growth", saved, DEV, "--repetitions", "1", "--output", str(file))
    assert [*srsly.read_json(file)] == ["10", "100", "1000", "10000"]


@pytest.mark.slow
def test_peak_memory(saved: str, tmp_path: Path) -> None:
    large = spacy.load(saved)
    strings = large.vocab.strings
    for i in range(300_000):
        strings.add(f"a string of the large pipeline {i}")
    large.to_disk(tmp_path / "large")
    file = tmp_path / "peaks.json"
    run("memory", str(tmp_path / "large"), saved, DEV, "--words", "2000", "--output", str(file))
    sizes = srsly.read_json(file)
    assert sizes["ours"] > sizes["peer"] + 10


def test_the_products_of_a_word(saved: str, tmp_path: Path) -> None:
    file = tmp_path / "limit.json"
    assert "transitions a word" in run("limit", saved, DEV, "--output", str(file))
    found = srsly.read_json(file)
    assert found["microseconds"] > 0 and found["peak, GFLOP/s"] > 0
    model = spacy.load(saved).pipeline[-1][1].model
    once = count_products(model, 0)
    upper = model.get_ref("scoring").get_param("upper_W").size
    # SHIFT and an arc a word, and no more than two others.
    assert once + 3 * upper < found["FLOP a word"]["parser"] < once + 9 * upper
    assert once == 2 * sum(
        node.get_param(name).size for node in model.walk() for name in ("W", "lower_W")
        if node.has_param(name)
    )


def test_memory_along_a_stream() -> None:
    lines = run("stream", DEV, "--words", "1000", "--plain").splitlines()
    assert len([line for line in lines if "words" in line]) == 10


def test_memory_of_a_long_sentence(saved: str, tmp_path: Path) -> None:
    file = tmp_path / "peaks.json"
    # Of a few words, all may have room in memory that the process has already.
    table = run("sentence", saved, DEV, "--words", "30000", "--output", str(file))
    peaks = srsly.read_json(file)
    assert "arceager_parser" in table and peaks["arceager_parser"] > 0


def test_a_share_of_the_words_of_a_stream_is_new() -> None:
    texts = texts_with_new_words(["a b c d e f g h i j"] * 3, 0.3)
    words = [word for _, text in zip(range(300), texts) for word in text.split()]
    new = [word for word in words if len(word) == 12]
    assert 0.25 < len(new) / len(words) < 0.35
    assert len(set(new)) == len(new)
