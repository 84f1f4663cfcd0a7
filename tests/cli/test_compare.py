"""`compare`: what it needs is looked for first, and old and new scipy both serve."""

import gzip
import json
import re
import subprocess
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
import spacy
from spacy.tokens import DocBin

import spacy_arceager
from spacy_arceager.cli.values import find_parameters
from spacy_arceager.corpus.conllu import doc_to_conllu, read_file, sentence_to_doc
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.evaluation.raw_alignment import paragraphs
from spacy_arceager.evaluation.ud import MEASURES
from tests.cli.conftest import command
from tests.conftest import DATA

GOLD = DATA / "en_small-dev.conllu"


compare = partial(command, "compare")


def test_scipy_is_looked_for_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("spacy_arceager.cli.messages"), "find_spec", lambda _: None)
    # There are no such pipelines: parsing would fail for another reason.
    result = compare("no/pipeline", "no/pipeline", GOLD)
    assert result.exit_code == 1
    assert 'pip install "spacy-arceager[significance]"' in result.stderr
    assert "pipeline" not in result.stderr


def test_there_is_each_measure() -> None:
    command = import_module("spacy_arceager.cli.compare").compare
    assert tuple(MEASURES) in [get_args(kind) for _, kind in find_parameters(command)]


def test_a_measure_may_be_in_capitals_and_an_unknown_one_is_wrong_usage() -> None:
    result = compare(GOLD, GOLD, GOLD, "--measure", "LAS_full")
    assert f"las_full of A: 100.00  {GOLD}\n" in result.stdout
    assert compare(GOLD, GOLD, GOLD, "--measure", "clas").exit_code == 2


def test_parses_of_raw_text_may_have_other_tokens(tmp_path: Path) -> None:
    """The first two words of the treebank are one word of the parse: both are wrong."""
    first, *rest = read_file(GOLD)
    joined = first.words[0]._replace(form=first.words[0].form + first.words[1].form, misc="_")
    words = [
        word._replace(head=int(i > 0), deprel="dep" if i else "root")
        for i, word in enumerate([joined, *first.words[2:]])
    ]
    parse = tmp_path / "parse.conllu"
    nlp = spacy.blank("xx")
    parse.write_text("".join(
        doc_to_conllu(sentence_to_doc(nlp.vocab, sentence))
        for sentence in [replace(first, comments=[], words=words), *rest]
    ))
    assert compare(parse, GOLD, GOLD).exit_code == 1    # other words
    result = compare(parse, GOLD, GOLD, "--raw")
    assert result.exit_code == 0, result.stderr
    n_words = sum(len(sentence.words) for sentence in [first, *rest])
    accuracy = float(re.search(r"las of A: (\S+)", result.stdout)[1]) / 100
    assert 2 <= round(n_words * (1 - accuracy)) <= len(first.words)
    assert "las of B: 100.00" in result.stdout
    assert compare(parse, GOLD, GOLD, "--raw", "--sentences-per-doc", 2).exit_code == 2


def test_pipelines_are_compared_on_raw_text(tmp_path: Path) -> None:
    """A pipeline against the file of its own parse of the raw text: no difference."""
    parse = tmp_path / "parse.conllu"
    nlp = spacy_arceager.load("en")
    parse.write_text("".join(map(doc_to_conllu, nlp.pipe(paragraphs(read_file(GOLD))))))
    result = compare("en", parse, GOLD, "--raw")
    assert result.exit_code == 0, result.stderr
    assert "A - B: +0.00" in result.stdout


def test_no_input_is_replaced(tmp_path: Path) -> None:
    parses = tmp_path / "parses.conllu"
    parses.write_bytes(GOLD.read_bytes())
    for arguments in ((parses, GOLD, GOLD), (GOLD, f"{GOLD},{parses}", GOLD), (GOLD, GOLD, parses)):
        result = compare(*arguments, "-o", parses)
        assert result.exit_code == 2 and "--output would replace" in result.stderr
    assert parses.read_bytes() == GOLD.read_bytes()


def test_an_output_that_cannot_be_written_is_told_before_parsing(tmp_path: Path) -> None:
    # There are no such pipelines: parsing would fail for another reason.
    result = compare("no/pipeline", "no/pipeline", GOLD, "-o", tmp_path / "nosuch" / "out.json")
    assert result.exit_code == 1 and "There is no folder" in result.stderr
    assert "pipeline" not in result.stderr


def test_a_dash_stands_for_stdout_which_has_json_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = compare(GOLD, GOLD, GOLD, "-o", "-")
    assert json.loads(result.stdout)["difference"] == 0 and not result.stderr
    assert not [*tmp_path.iterdir()]


def test_a_file_of_any_name_has_parses(tmp_path: Path) -> None:
    parses = tmp_path / "parses.conllu.gz"
    parses.write_bytes(gzip.compress(GOLD.read_bytes()))
    for raw in ([], ["--raw"]):
        assert "A - B: +0.00" in compare(parses, GOLD, GOLD, *raw).stdout


def test_parses_of_one_text_may_have_other_spaces(tmp_path: Path) -> None:
    parses = tmp_path / "parses.conllu"
    parses.write_text(GOLD.read_text().replace("SpaceAfter=No", "_"))
    assert parses.read_text() != GOLD.read_text()
    assert "A - B: +0.00" in compare(parses, GOLD, GOLD).stdout
    parses.write_text(GOLD.read_text().replace("\tthe\t", "\tan\t"))
    result = compare(parses, GOLD, GOLD)
    assert result.exit_code == 1 and "different texts" in result.stderr


@pytest.mark.parametrize("raw", [[], ["--raw"]])
def test_the_gold_treebank_is_read_once_so_that_it_can_be_a_pipe(raw: list[str]) -> None:
    with subprocess.Popen(["cat", GOLD], stdout=subprocess.PIPE) as process:
        result = compare(GOLD, "en", f"/dev/fd/{process.stdout.fileno()}", *raw)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == compare(GOLD, "en", GOLD, *raw).stdout


def test_all_may_be_files_of_docs(tmp_path: Path) -> None:
    path = tmp_path / "gold.spacy"
    examples = ConlluCorpus(GOLD)(spacy.blank("xx"))
    DocBin(docs=[example.reference for example in examples]).to_disk(path)
    for raw in ([], ["--raw"]):
        result = compare(path, GOLD, path, *raw)
        assert "las of A: 100.00" in result.stdout and "A - B: +0.00" in result.stdout
    from_docs, from_conllu = (compare("en", GOLD, gold).stdout for gold in (path, GOLD))
    assert from_docs == from_conllu != ""


def test_the_name_of_a_file_may_have_a_comma(tmp_path: Path) -> None:
    parses = tmp_path / "p,1.conllu"
    parses.write_bytes(GOLD.read_bytes())
    assert f"las of A: 100.00  {parses}\n" in compare(parses, GOLD, GOLD).stdout
    assert "(100.00, 100.00)" in compare(f"{GOLD},{GOLD}", parses, GOLD).stdout
    result = compare(parses, GOLD, GOLD, "-o", parses)
    assert result.exit_code == 2 and "--output would replace" in result.stderr
