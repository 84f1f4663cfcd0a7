"""Every sentence of CoNLL-U that is written has a `sent_id` of its own."""

import re
from pathlib import Path

import pytest
import spacy
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.corpus.conllu import doc_to_conllu
from spacy_arceager.processes import parse

CONLLU = "# sent_id = mine\n# text = One\n1\tOne\n\n# text = Two\n1\tTwo\n\n1\tThree\n\n"


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path / "blank")
    return tmp_path / "blank"


def ids_of(conllu: str) -> list[str]:
    assert conllu.count("\n\n") == conllu.count("# sent_id = ")
    return re.findall("^# sent_id = (.*)$", conllu, re.M)


def run(*arguments: object, input: str | None = None) -> list[str]:
    result = CliRunner().invoke(app, [*map(str, arguments)], input=input)
    assert result.exit_code == 0, result.stderr
    return ids_of(result.stdout)


def test_ids_of_the_command(blank: Path, tmp_path: Path) -> None:
    assert run("parse", "One. Two.", "-m", blank) == ["1", "2"]
    assert run("parse", "-m", blank, input="One. Two.\n\nThree.\n") == ["1-1", "1-2", "2-1"]
    lines = '{"text": "One. Two.", "id": "a"}\n{"text": "Three.", "id": "b\\nc"}\n{"text": "4"}\n'
    found = run("parse", "-m", blank, "--input-format", "jsonl", input=lines)
    assert found == ["a-1", "a-2", "2-1", "3-1"]
    lines = '{"text": "One. Two.", "id": "news/of may.txt"}\n'
    found = run("parse", "-m", blank, "--input-format", "jsonl", input=lines)
    assert found == ["news_of_may.txt-1", "news_of_may.txt-2"]
    found = run("parse", "-m", blank, "--input-format", "conllu", input=CONLLU)
    assert found == ["mine", "2-1", "3-1"]


def test_each_file_begins_anew(blank: Path, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("One. Two.\n")
    inputs = [f"-i{tmp_path / name}.txt" for name in "ab"]
    run("parse", "-m", blank, *inputs, "-o", tmp_path / "out")
    for name in "ab":
        assert ids_of((tmp_path / "out" / f"{name}.conllu").read_text()) == ["1-1", "1-2"]


def test_ids_of_k_best_and_of_select_are_different(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f"Some {name} words. Nobody read them.\n")
    found = run("parse", "One word. Two words.", "--k-best", 2)
    assert found == ["1-1", "1-2", "2-1", "2-2"]
    found = run("select", *(f"-i{tmp_path / name}.txt" for name in "ab"))
    assert len(found) == len(set(found)) == 3


@pytest.mark.parametrize("start", ["# sent_id = ", "#sent_id=", "## sent_id  =  "])
def test_the_trees_of_a_sentence_with_an_id_have_ids_of_their_own(
    tmp_path: Path, start: str
) -> None:
    path = tmp_path / "a.conllu"
    rows = "".join(f"{i}\t{word}" + "\t_" * 8 + "\n" for i, word in enumerate(("Go", "on"), 1))
    path.write_text(f"{start}s1\n{rows}\n{start}s2 \n{rows}\n")
    result = CliRunner().invoke(app, ["parse", f"-i{path}", "--k-best", "2"])
    found = [line for line in result.stdout.splitlines() if "sent_id" in line]
    assert found == [f"{start}{name}" for name in ("s1-1", "s1-2", "s2-1", "s2-2")]


def test_ids_of_python(blank: Path) -> None:
    texts = ["One. Two.", ("Three.", {"id": 7})]
    written = [str(parsed.value) for parsed in parse(texts, blank, n_process=1)]
    assert [ids_of(text) for text in written] == [["1-1", "1-2"], ["7.1"]]
    assert ids_of(doc_to_conllu(spacy.load(blank)("One. Two."))) == ["1", "2"]


def test_sentences_of_several_inputs_in_one_output_differ(blank: Path, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("One. Two.\n")
    inputs = [f"-i{tmp_path / name}.txt" for name in "ab"]
    assert run("parse", "-m", blank, *inputs) == ["1-1", "1-2", "2-1", "2-2"]


@pytest.mark.parametrize("given", ["3", '"3"'])
def test_an_id_is_not_taken_for_a_number_of_a_document(blank: Path, given: str) -> None:
    lines = f'{{"text": "1"}}\n{{"text": "2", "id": {given}}}\n{{"text": "3"}}\n'
    found = run("parse", "-m", blank, "--input-format", "jsonl", input=lines)
    assert found == ["1-1", "3.1", "3-1"]


@pytest.mark.parametrize(
    ("given", "prefix"),
    [("0", "0."), ('""', "1-"), ("true", "1-"), ("1.5", "1-"), ('"0"', "0."), ("-1", "-1-")],
)
def test_an_id_is_a_number_or_a_text(blank: Path, given: str, prefix: str) -> None:
    line = f'{{"text": "One.", "id": {given}}}\n'
    found = run("parse", "-m", blank, "--input-format", "jsonl", input=line)
    assert found == [f"{prefix}1"]
