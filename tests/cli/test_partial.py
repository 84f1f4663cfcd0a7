"""`parse --partial`: trees with gaps are completed."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
from click.testing import Result
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.corpus.conllu import ConlluSentence, read_file
from tests.conftest import DATA

ENGLISH = DATA / "en_small-dev.conllu"
Parse = Callable[..., Result]


@pytest.fixture
def parse(saved: str) -> Parse:
    def run(path: Path, *arguments: object) -> Result:
        command = ["parse", "-m", saved, "-i", path, "--partial", *arguments]
        return CliRunner().invoke(app, [str(argument) for argument in command])

    return run


def write_rows(path: Path, *rows: tuple[str, str, str]) -> Path:
    """One sentence of (FORM, HEAD, DEPREL)."""
    lines = [
        "\t".join([str(i), form, *"____", head, deprel, "_", "_"])
        for i, (form, head, deprel) in enumerate(rows, 1)
    ]
    path.write_text("\n".join(lines) + "\n\n")
    return path


def with_gaps(path: Path, output: Path, seed: int) -> None:
    """A file of which about half of the heads and labels are left out."""
    draw = random.Random(seed)
    lines = []
    for line in path.read_text(encoding="utf8").splitlines():
        columns = line.split("\t")
        if columns[0].isdecimal() and draw.random() < 0.5:
            columns[6] = columns[7] = "_"
        lines.append("\t".join(columns))
    output.write_text("\n".join(lines) + "\n\n", encoding="utf8")


def arcs(sentence: ConlluSentence) -> list[tuple[int | None, str]]:
    return [(word.head, word.deprel) for word in sentence.words]


def test_what_is_given_is_kept_and_gaps_are_filled(parse: Parse, tmp_path: Path) -> None:
    partial, whole = tmp_path / "partial.conllu", tmp_path / "whole.conllu"
    with_gaps(ENGLISH, partial, 0)
    assert parse(partial, "-o", whole).exit_code == 0
    n_kept = n_filled = 0
    for before, after, gold in zip(*map(read_file, (partial, whole, ENGLISH)), strict=True):
        assert before.comments == after.comments
        for given, found, right in zip(*map(arcs, (before, after, gold)), strict=True):
            assert given in ((None, "_"), found)
            n_kept += given == right
            n_filled += given != found
    assert n_kept > 100 and n_filled > 100


@pytest.mark.slow
def test_processes_fill_the_same_gaps(parse: Parse, tmp_path: Path) -> None:
    partial, whole, again = (tmp_path / f"{name}.conllu" for name in ("partial", "whole", "again"))
    with_gaps(ENGLISH, partial, 0)
    assert parse(partial, "-o", whole).exit_code == 0
    assert parse(partial, "-o", again, "--n-process", 2).exit_code == 0
    assert whole.read_text() == again.read_text()


@pytest.mark.parametrize(
    "given",
    [
        [("3", "det"), ("1", "obj"), ("0", "root")],
        [("3", "det"), ("4", "obj"), ("0", "root"), ("3", "obj")],      # crossing arcs
    ],
)
def test_trees_that_are_whole_stay(
    parse: Parse, tmp_path: Path, given: list[tuple[str, str]]
) -> None:
    path = write_rows(tmp_path / "a.conllu", *((form, *arc) for form, arc in zip("abcd", given)))
    result = parse(path)
    rows = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [(row[6], row[7]) for row in rows] == given


def test_best_trees_have_what_is_given(parse: Parse, tmp_path: Path) -> None:
    rows = [("She", "_", "_"), ("left", "1", "obj"), (".", "_", "_")]
    path = write_rows(tmp_path / "a.conllu", *rows)
    result = parse(path, "--k-best", 3)
    found = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [row[6:8] for row in found if row[1] == "left"] == [["1", "obj"]] * 3


def test_what_cannot_be_completed_is_named(parse: Parse, tmp_path: Path) -> None:
    crossing = write_rows(
        tmp_path / "a.conllu", ("one", "3", "obj"), ("two", "4", "obj"), ("three", "_", "_"),
        ("four", "_", "_"),
    )
    result = parse(crossing)
    arcs = "from 'three' (2) to 'one' (0) and from 'four' (3) to 'two' (1) cross"
    assert result.exit_code == 1 and arcs in result.output
    faulty = write_rows(tmp_path / "b.conllu", ("one", "2", "obj"), ("two", "1", "obj"))
    assert "has no root" in parse(faulty).output
    unknown = write_rows(tmp_path / "c.conllu", ("one", "2", "nonsense"), ("two", "_", "_"))
    assert "'nonsense' of 'one' (0)" in parse(unknown).output


def test_it_is_of_conllu_and_needs_a_parser(parse: Parse, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("She left.\n")
    assert parse(tmp_path / "a.txt").exit_code == 2
    assert CliRunner().invoke(app, ["parse", "She left.", "--partial"]).exit_code == 2
    spacy.blank("xx").to_disk(tmp_path / "blank")
    result = parse(ENGLISH, "-m", tmp_path / "blank")
    assert result.exit_code == 1 and "no arceager_parser" in result.output


@pytest.mark.parametrize("word", range(4))
def test_a_label_can_be_given_without_its_head(parse: Parse, tmp_path: Path, word: int) -> None:
    rows = [("She", "_", "_"), ("left", "_", "_"), ("early", "_", "_"), (".", "_", "_")]
    rows[word] = (rows[word][0], "_", "discourse")
    result = parse(write_rows(tmp_path / "a.conllu", *rows))
    assert result.exit_code == 0
    found = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert found[word][7] == "discourse" and found[word][6] != "0"


def test_features_of_one_sentence_outlive_their_batch(tmp_path: Path) -> None:
    """Strings of the annotation that is replaced do not outlive a memory zone."""
    path = tmp_path / "two.conllu"
    path.write_text(
        "1\tGood\tgood\tADJ\tJJ\tDegree=Pos|Odd=Yes\t0\troot\t_\t_\n\n"
        "1\tGood\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    command = ["parse", "-i", str(path), "--partial", "--batch-size", "1"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\tGood\t") == 2
