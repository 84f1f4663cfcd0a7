import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc
from typer.testing import CliRunner, Result

import spacy_arceager
import spacy_arceager.corpus.corpus  # registers a reader, which `info` lists
from spacy_arceager.cli import app
from spacy_arceager.systems.catalogue import CATALOGUE, TREE_SYSTEMS
from tests.cli import attach_to_first

Run = Callable[..., Result]
CODE = Path(attach_to_first.__file__)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nlp = spacy.blank("xx")
    nlp.add_pipe("attach_to_first")
    folder = tmp_path_factory.mktemp("attach") / "model"
    nlp.to_disk(folder)
    return folder


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline without components, for processes that have not registered ours."""
    folder = tmp_path_factory.mktemp("blank") / "model"
    spacy.blank("xx").to_disk(folder)
    return folder


@pytest.fixture
def run(model: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `parse` with a small pipeline."""
    monkeypatch.setattr(spacy_arceager, "load", spacy.load, raising=False)

    def run_parse(*arguments: object, input: str | None = None) -> Result:
        command = ["parse", "--model", str(model), "--code", str(CODE), *map(str, arguments)]
        return CliRunner().invoke(app, command, input=input)

    return run_parse


def read_columns(conllu: str, *columns: int) -> list[tuple[str, ...]]:
    rows = [line.split("\t") for line in conllu.splitlines() if "\t" in line]
    return [tuple(row[column] for column in columns) for row in rows]


def read_json_texts(lines: str) -> list[str]:
    return [json.loads(line)["text"] for line in lines.splitlines()]


# Inputs


def test_text_argument(run: Run):
    result = run("Some words here")
    assert result.exit_code == 0
    assert read_columns(result.stdout, 0, 1, 6, 7) == [
        ("1", "Some", "0", "root"),
        ("2", "words", "1", "dep"),
        ("3", "here", "1", "dep"),
    ]


def test_text_file_has_a_document_a_line(run: Run, tmp_path: Path):
    path = tmp_path / "input.txt"
    path.write_text("\ufeffOne line\n\n  \nTwo — lines\n", encoding="utf-8")
    result = run("--input", path, "--format", "json")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert read_json_texts(result.stdout) == ["One line", "Two — lines"]


def test_stdin(run: Run):
    result = run("--format", "json", input="One line\nTwo — lines\n")
    assert read_json_texts(result.stdout) == ["One line", "Two — lines"]


def test_stdin_in_other_format(run: Run):
    options = ["--format", "json", "--input-format", "jsonl"]
    result = run(*options, input='{"text": "A line\\nand more"}\n')
    assert read_json_texts(result.stdout) == ["A line\nand more"]


def test_jsonl_is_detected_by_ending(run: Run, tmp_path: Path):
    path = tmp_path / "input.jsonl"
    path.write_text('{"text": "One", "id": 1}\n\n{"text": "Two"}\n')
    result = run("--input", path, "--format", "json")
    assert read_json_texts(result.stdout) == ["One", "Two"]


@pytest.mark.parametrize("bad_line", ['{"text": "Tw', '{"id": 1}', '{"text": 1}', "[]"])
def test_bad_jsonl_line_is_named(run: Run, tmp_path: Path, bad_line: str):
    path = tmp_path / "input.jsonl"
    path.write_text(f'{{"text": "One"}}\n{bad_line}\n')
    result = run("--input", path)
    assert result.exit_code == 1
    assert read_columns(result.stdout, 1) == [("One",)]
    assert f"{path}, line 2" in result.stderr


def test_conllu_keeps_tokens_and_sentences_and_replaces_the_parse(
    run: Run, tmp_path: Path
):
    path = tmp_path / "input.conllu"
    path.write_text(
        "# sent_id = a\n"
        "1\tDon't\t_\t_\t_\t_\t2\taux\t_\t_\n"
        "2\tstop. Go\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
        "\n"
        "# sent_id = b\n"
        "1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "\n"
    )
    result = run("--input", path)
    assert result.exit_code == 0
    assert read_columns(result.stdout, 0, 1, 6, 7) == [
        ("1", "Don't", "0", "root"),
        ("2", "stop. Go", "1", "dep"),
        ("1", "Yes", "0", "root"),
    ]
    assert "# sent_id = b" in result.stdout


def test_bad_conllu_line_is_named(run: Run, tmp_path: Path):
    path = tmp_path / "input.conllu"
    path.write_text("1 no tabs here\n\n1\tfine\n\n")
    result = run("--input", path)
    assert result.exit_code == 1
    assert f"{path}, line 1" in result.stderr
    assert read_columns(result.stdout, 1) == [("fine",)]


def test_missing_input_file(run: Run, tmp_path: Path):
    result = run("--input", tmp_path / "missing.txt")
    assert result.exit_code == 1
    assert "missing.txt" in result.stderr


def test_input_that_is_not_utf8(run: Run, tmp_path: Path):
    path = tmp_path / "input.txt"
    path.write_bytes("café".encode("latin-1"))
    result = run("--input", path)
    assert result.exit_code == 1
    assert f"{path}, line 1: the text is not UTF-8" in result.stderr


# Outputs


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


# Failing documents


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_failing_document_does_not_stop_the_others(run: Run, n_process: int):
    options = ["--format", "json", "--batch-size", 2, "--n-process", n_process]
    result = run(*options, input="One\nFAIL here\nTwo\nThree\n")
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two", "Three"]
    assert "1 of 4 documents failed" in result.stderr


def test_failing_document_is_named(run: Run):
    result = run("FAIL here")
    assert "'attach_to_first' failed" in result.stderr
    assert "'FAIL here': RuntimeError: this text cannot be parsed" in result.stderr


def test_text_that_is_too_long_does_not_stop_the_others(run: Run):
    too_long = "a" * 1_000_001  # Language.max_length is 1,000,000
    result = run("--format", "json", input=f"One\n{too_long}\nTwo\n")
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two"]
    assert "1 of 3 documents failed" in result.stderr


def test_document_that_cannot_be_written_does_not_stop_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
):
    def refuse_two(doc: Doc, prefix: str) -> str:
        if doc.text == "Two":
            raise ValueError("no tree")
        return doc.text + "\n"

    monkeypatch.setattr("spacy_arceager.corpus.conllu.doc_to_conllu", refuse_two)
    result = run(input="One\nTwo\nThree\n")
    assert result.exit_code == 1
    assert result.stdout == "One\nThree\n"
    assert "'Two': no tree" in result.stderr


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_bad_line_loses_only_itself(run: Run, n_process: int):
    options = ["--input-format", "jsonl", "--n-process", n_process, "--batch-size", 1]
    result = run(*options, "-f", "json", input='{"text": "One"}\nbad\n{"text": "Two"}\n' * 3)
    assert result.exit_code == 1
    assert read_json_texts(result.stdout) == ["One", "Two"] * 3
    assert "stdin, line 2: not JSON" in result.stderr
    assert "3 of 9 documents failed" in result.stderr


# Usage


def test_unknown_model(run: Run):
    result = run("Some words", "--model", "no_such_model")
    assert result.exit_code == 1
    assert "no_such_model" in result.stderr
    assert "installed pipeline package" in result.stderr


@pytest.mark.parametrize("name", ["meta.json", "config.cfg", "tokenizer", "vocab/lookups.bin"])
@pytest.mark.parametrize("data", [None, b"", b"5", b"\xc0{\x00"])
def test_a_pipeline_whose_files_are_missing_or_damaged(
    run: Run, model: Path, tmp_path: Path, name: str, data: bytes | None
):
    damaged = shutil.copytree(model, tmp_path / "damaged")
    (damaged / name).unlink()
    if data is not None:
        (damaged / name).write_bytes(data)
    result = run("Some words", "--model", damaged)
    # An empty file is as good as none for what is not needed.
    assert result.exit_code == (1 if "Cannot load" in result.stderr else 0)
    assert isinstance(result.exception, (SystemExit, type(None)))
    assert result.exit_code == 0 or f"{damaged}: " in result.stderr


def test_nothing_to_parse(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    with pytest.raises(SystemExit) as stop:
        app(["parse"])
    assert stop.value.code == 2
    assert "Give a TEXT" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["Some words", "--input", "file.txt"],
        ["Some words", "--input-format", "text"],
        ["--input", "file.txt", "--output", "file.txt"],
        ["--input-format", "html"],
        ["--batch-size", "0"],
        ["--n-process", "0"],
        ["--n-process", "100000000"],
    ],
)
def test_wrong_usage(run: Run, arguments: list[str]):
    assert run(*arguments).exit_code == 2


@pytest.mark.slow
def test_closed_stdout_is_no_error_message(blank: Path, tmp_path: Path):
    path = tmp_path / "input.txt"
    path.write_text("Some words here\n" * 20_000)
    code = (
        "import spacy, spacy_arceager; spacy_arceager.load = spacy.load; "
        "from spacy_arceager.cli import app; app()"
    )
    command = [sys.executable, "-c", code, "parse", "-m", str(blank), "-i", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_info():
    result = CliRunner().invoke(app, ["info"])
    assert result.exit_code == 0
    assert spacy.__version__ in result.stdout


def test_info_lists_registered_names():
    result = CliRunner().invoke(app, ["info"])
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["readers", "arceager.ConlluCorpus.v1"] in rows


def test_info_lists_systems():
    result = CliRunner().invoke(app, ["info"])
    rows = [line.split() for line in result.stdout.splitlines()]
    assert set(CATALOGUE) <= {row[0] for row in rows if row}


# Treebanks

DATA = Path(__file__).parents[1] / "data"
TWO_ROOTS = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
ONE_WORD = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
NO_HEAD = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_inspect():
    result = command("inspect", DATA / "de_crossing.conllu", DATA / "de_enhanced.conllu")
    assert result.exit_code == 0
    assert "37 (67.27 %)" in result.stdout
    assert "arceager init-config --system arc_eager_nm" in result.stdout
    assert all(name in result.stdout for name in TREE_SYSTEMS)


def test_inspect_as_json():
    result = command("inspect", DATA, "--format", "json")
    found = json.loads(result.stdout)
    texts = [path.read_text("utf8") for path in DATA.glob("*.conllu")]
    assert found["size"]["sentences"] == sum(text.count("# text = ") for text in texts)
    assert found["non_projectivity"]["arcs"] == 40
    assert found["coverage"]["arc_hybrid_swap"]["non_projective"] == 1
    assert found["advice"][0]["system"] == "arc_eager_nm"
    assert found["faults"] == []


def test_inspect_leaves_out_what_is_no_tree(tmp_path: Path):
    path = tmp_path / "faulty.conllu"
    path.write_text(ONE_WORD + TWO_ROOTS + ONE_WORD)
    result = command("inspect", path, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["size"]["sentences"] == 2
    assert f"{path}, line 4: the sentence has 2 roots" in result.stderr


@pytest.mark.parametrize("text", ["", TWO_ROOTS])
def test_inspect_without_usable_sentences(tmp_path: Path, text: str):
    path = tmp_path / "faulty.conllu"
    path.write_text(text)
    result = command("inspect", path)
    assert result.exit_code == 1
    assert str(path) in result.stderr


@pytest.mark.parametrize("name", ["inspect", "derive"])
def test_treebank_that_cannot_be_read(tmp_path: Path, name: str):
    result = command(name, tmp_path / "missing.conllu")
    assert result.exit_code == 1
    assert "missing.conllu" in result.stderr
    path = tmp_path / "latin.conllu"
    path.write_bytes("# café\n".encode("latin-1") + ONE_WORD.encode())
    result = command(name, path)
    assert result.exit_code == 1
    assert "not UTF-8" in result.stderr


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
    result = command("derive", DATA / "de_crossing.conllu", "--sentence", 6)
    assert result.exit_code == 0
    assert "arc_eager cannot derive this tree; wrong heads: " in result.stdout


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
    assert "dag cannot derive this graph; wrong heads: Anna\n" in result.stdout


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
    result = command("derive", path, "--sentence", 2)
    assert result.exit_code == 1
    assert "fewer than 2 sentences" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--system", "arc_lazy"],
        ["--oracle", "delphic"],
        ["--oracle", "exact", "--system", "attardi2"],
        ["--sentence", "0"],
        ["--sentence", "99999999999999999999"],
        ["--format", "pdf"],
    ],
)
def test_wrong_usage_of_derive(arguments: list[str]):
    assert command("derive", DATA / "de_crossing.conllu", *arguments).exit_code == 2


def test_wrong_usage_of_inspect():
    assert command("inspect").exit_code == 2
    assert command("inspect", DATA, "--format", "html").exit_code == 2
