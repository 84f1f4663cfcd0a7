"""Results of trainings go into one file and come back, but for which words are right."""

from pathlib import Path
from typing import Any

import numpy
import pytest
import srsly
from typer.testing import CliRunner

from replication.archive import MEASURES, app, spread
from replication.trainings import is_whole, read_outcomes
from spacy_arceager.evaluation.outcomes import Outcomes, count_by_sentence, count_words

SENTENCE = numpy.array([0, 0, 0, 2, 3, 3])      # the second sentence has no annotated word
RIGHT = numpy.array([[False, True, True, False, True, True]] * len(MEASURES))


def make(folder: Path, seed: int, **files: Any) -> Path:
    """A training that is done; files: other content of its JSON files."""
    place = folder / "el" / f"model-20-{seed}"
    place.mkdir(parents=True)
    (place / "config.cfg").write_text(f"[system]\nseed = {seed}\n")
    arrays = dict(zip(MEASURES, RIGHT, strict=True))
    numpy.savez_compressed(place / "outcomes.npz", sentence=SENTENCE, **arrays)
    content = {
        "scores": {"dep_las_ud": 0.5 + seed, "dep_las_per_type": {"nsubj": {"f": 1.0}}},
        "trained": {"data": "abc", "seconds": 1.5}, **files,
    }
    for name, value in content.items():
        srsly.write_json(place / f"{name}.json", value)
    return place


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.output


def test_results_come_back(tmp_path: Path) -> None:
    first, second = (make(tmp_path / "old", seed) for seed in (0, 1))
    (second / "scores.json").unlink()       # it was not measured yet
    assert run("pack", tmp_path / "old", tmp_path / "a.json.xz").startswith("1 trainings")
    run("unpack", tmp_path / "a.json.xz", tmp_path / "new")
    (place,) = (tmp_path / "new" / "el").iterdir()
    assert place.name == "model-20-0"
    for name in ("config.cfg", "trained.json"):
        old, new = ((one / name).read_text() for one in (first, place))
        assert (srsly.json_loads(old) == srsly.json_loads(new)) if "json" in name else old == new
    assert srsly.read_json(place / "scores.json") == {"dep_las_ud": 0.5}
    assert is_whole(place / "outcomes.npz")
    for measure in MEASURES:
        before, after = (read_outcomes(one / "outcomes.npz", measure) for one in (first, place))
        assert after.sentence.tolist() == SENTENCE.tolist()
        assert count_by_sentence(after).tolist() == count_by_sentence(before).tolist()


def test_what_is_there_is_kept_and_two_files_of_the_same_are_equal(tmp_path: Path) -> None:
    make(tmp_path / "old", 0)
    run("pack", tmp_path / "old", tmp_path / "a.json.xz")
    other = make(tmp_path / "new", 0, scores={"dep_las_ud": 0.9})
    assert run("unpack", tmp_path / "a.json.xz", tmp_path / "new").startswith("0 of 1")
    assert srsly.read_json(other / "scores.json") == {"dep_las_ud": 0.9}
    run("unpack", tmp_path / "a.json.xz", tmp_path / "again")
    done = next((tmp_path / "again").glob("*/*/trained.json"))
    done.unlink()       # as if it had been interrupted
    assert run("unpack", tmp_path / "a.json.xz", tmp_path / "again").startswith("1 of 1")
    assert done.exists()
    run("pack", tmp_path / "again", tmp_path / "b.json.xz")
    assert (tmp_path / "a.json.xz").read_bytes() == (tmp_path / "b.json.xz").read_bytes()


@pytest.mark.parametrize("counts", [[0, 0, 0, 0], [3, 0, 1, 2], [2, 0, 0, 1]])
def test_right_words_are_spread_by_their_numbers(counts: list[int]) -> None:
    sizes = numpy.array([3, 0, 1, 2])
    right = spread(sizes, counts)
    assert right.tolist() == [
        i < count for size, count in zip(sizes, counts, strict=True) for i in range(size)
    ]


def test_sizes_of_sentences() -> None:
    assert count_words(Outcomes(RIGHT[0], SENTENCE)).tolist() == [3, 0, 1, 2]
