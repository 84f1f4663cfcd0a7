"""What `parse` writes."""

from pathlib import Path

from typer.testing import CliRunner

import spacy_arceager
from spacy_arceager.cli import app
from tests.cli.conftest import Run, read_columns


def test_tree(run: Run):
    result = run("Some words", "--format", "tree")
    assert result.stdout == "┌── 1  Some   ROOT\n└─► 2  words  dep\n\n"


def test_ascii_tree(run: Run):
    result = run("Some words", "--format", "tree", "--ascii")
    assert result.stdout == ".-- 1  Some   ROOT\n'-> 2  words  dep\n\n"


def test_derivation(tmp_path: Path):
    path = tmp_path / "two.txt"
    path.write_text("She left early. He stayed.\nWe know.\n")
    arguments = ["parse", "--input", str(path), "--format", "derivation"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    blocks = result.stdout.strip().split("\n\n")
    assert [block.splitlines()[0].split(",")[0] for block in blocks] == [
        "# sentence 1", "# sentence 2", "# sentence 3",
    ]
    nlp = spacy_arceager.load("en")
    sentences = [s for text in path.read_text().splitlines() for s in nlp(text).sents]
    for block, sentence in zip(blocks, sentences, strict=True):
        assert block.splitlines()[-1] == f"root: {sentence.root}"
        for token in sentence:
            if token.dep_ != "ROOT":
                assert f"{token.head} ─{token.dep_}─► {token}" in block
    ascii_only = CliRunner().invoke(app, [*arguments, "--ascii"])
    assert ascii_only.stdout.isascii()


def test_derivation_of_a_pipeline_without_our_parser(run: Run):
    result = run("--format", "derivation", input="Some words\n")
    assert result.exit_code == 1
    assert "no arceager_parser" in result.stderr


def test_output_file(run: Run, tmp_path: Path):
    path = tmp_path / "output.conllu"
    result = run("Some wörds", "--output", path)
    assert result.exit_code == 0
    assert result.stdout == ""
    conllu = path.read_text(encoding="utf-8")
    assert read_columns(conllu, 1) == [("Some",), ("wörds",)]


def test_output_file_that_cannot_be_written(run: Run, tmp_path: Path):
    result = run("Some words", "--output", tmp_path / "missing" / "output.conllu")
    assert result.exit_code == 1
    assert "Cannot write" in result.stderr
