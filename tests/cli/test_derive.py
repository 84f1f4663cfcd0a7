"""`derive`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import command
from tests.cli.treebanks import NO_HEAD, ONE_WORD
from tests.conftest import DATA


def test_derive():
    result = command(
        "derive", DATA / "de_crossing.conllu", "--system", "arc_hybrid_swap", "--sentence", 6
    )
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "# sentence 6, arc_hybrid_swap: 6 words, 15 transitions"
    assert sum(line.startswith("SWAP") for line in lines) == 2
    assert lines[-2:] == ["root: gefunden", ""]


def test_derive_says_what_a_system_cannot_derive():
    result = command("derive", DATA / "de_crossing.conllu", "--sentence", 12)
    assert result.exit_code == 0
    said = "arc_eager does not derive this tree. The treebank has other heads for these words: "
    assert f"{said}Schwester\n" in result.stdout    # the static oracle misses eight heads


def test_derive_by_several_oracles(tmp_path: Path) -> None:
    result = command(
        "derive", DATA / "de_crossing.conllu", "--sentence", 12, "--format", "json",
        "--oracle", "static", "--oracle", "exact",
    )
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["system"] for record in records] == ["arc_eager, static", "arc_eager, exact"]
    # Both are asked by name, so the static one is followed although it misses more heads.
    static, exact = (len(record["steps"]) for record in records)
    assert static > exact


def test_derive_as_json():
    result = command("derive", DATA / "en_small-dev.conllu", "--format", "json")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(records) == 31
    assert all(record["derived"] for record in records)
    for record in records:
        heads = list(range(len(record["words"])))
        for step in record["steps"]:
            for arc in step["arcs"]:
                heads[arc["dependent"]] = arc["head"]
        assert heads == record["heads"]


def derive_graphs(path: Path) -> list[dict]:
    result = command("derive", path, "--system", "dag", "--format", "json")
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_derive_enhanced_graphs():
    records = derive_graphs(DATA / "de_enhanced.conllu")
    assert [record["derived"] for record in records] == [False, False, False, True, False]
    assert records[1]["heads"][:3] == [[1], [2, 8], []]
    for record in records:
        assert record["derived"] == (record["heads"] == record["gold_heads"])
        assert [*map(len, record["gold_labels"])] == [*map(len, record["gold_heads"])]
    labels = [
        arc["label"]
        for step in records[3]["steps"]
        for arc in step["arcs"]
        if arc["dependent"] == 5
    ]
    assert labels == ["conj>obj"]


def test_derive_trees_as_graphs_where_there_are_no_graphs():
    records = derive_graphs(DATA / "en_small-dev.conllu")
    assert len(records) == 31
    assert all(record["derived"] for record in records)
    assert all(sorted(map(len, record["heads"]))[:2] in ([0], [0, 1]) for record in records)


def test_derive_says_which_graph_it_cannot_derive():
    result = command(
        "derive", DATA / "de_enhanced.conllu", "--system", "dag", "--sentence", 3
    )
    assert result.exit_code == 0
    assert (
        "dag does not derive this graph. The treebank has other heads for these words: Anna\n"
        in result.stdout
    )


def test_derive_goes_on_after_a_sentence_without_heads(tmp_path: Path):
    path = tmp_path / "some.conllu"
    path.write_text(NO_HEAD + ONE_WORD)
    result = command("derive", path)
    assert result.exit_code == 1
    assert f"{path}, sentence 1: word 1 has no head" in result.stderr
    assert "# sentence 2, arc_eager: 1 words" in result.stdout


def test_derive_a_sentence_that_is_not_there(tmp_path: Path):
    path = tmp_path / "one.conllu"
    path.write_text(ONE_WORD)
    for number in (2, 10**20):
        result = command("derive", path, "--sentence", number)
        assert result.exit_code == 1
        assert f"fewer than {number} sentences" in result.stderr


def test_derive_reads_a_file_of_docs(docs_path: Path) -> None:
    result = command("derive", docs_path)
    assert result.exit_code == 0, result.stderr
    assert "# sentence 6, arc_eager: 2 words" in result.stdout      # of three Docs with two each


def test_derive_reads_a_folder_and_replaces_none_of_its_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.conllu").write_text(ONE_WORD)
    assert "# sentence 2, arc_eager: 1 words" in command("derive", tmp_path).stdout
    assert command("derive", tmp_path, "-o", tmp_path / "b.conllu").exit_code == 2
    assert (tmp_path / "b.conllu").read_text() == ONE_WORD


def test_derive_says_that_there_is_no_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty.conllu").touch()
    result = command("derive", tmp_path / "empty.conllu")
    assert result.exit_code == 1 and "has no sentence. Check" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--system", "arc_lazy"],
        ["--oracle", "delphic"],
        ["--oracle", "exact", "--system", "attardi2"],
        ["--sentence", "0"],
        ["--format", "pdf"],
    ],
)
def test_wrong_usage_of_derive(arguments: list[str]):
    assert command("derive", DATA / "de_crossing.conllu", *arguments).exit_code == 2


@pytest.mark.parametrize("option", ["--set=distance=3", "--oracle=static", "--swap-order=lazy"])
def test_options_of_a_system_need_one(option: str) -> None:
    path = DATA / "en_small-dev.conllu"
    result = command("derive", path, "--sentence", 1, "--model", "en", option)
    assert result.exit_code == 2 and "--system" in result.output
