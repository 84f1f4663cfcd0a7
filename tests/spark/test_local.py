"""Parsing by Spark with master local[2,4]: every document once, whatever happens."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import spacy
from typer.main import get_command
from typer.testing import CliRunner, Result

pytest.importorskip("pyspark")

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col

from spacy_arceager.annotation.confidence import HEAD, LABEL, values_of
from spacy_arceager.cli import app
from spacy_arceager.cli.spark import read_input
from spacy_arceager.corpus.conllu import doc_to_conllu
from spacy_arceager.pipe.component import find_parser
from spacy_arceager.spark import TableExistsError, parse, write_table
from tests.conftest import Trained
from tests.processes.trapped import TRAP, save_trap
from tests.spark.conftest import TEXTS, assert_same_trees, by_id, needs_java, start_session
from tests.spark.killing import kill_once, kill_worker

pytestmark = [
    pytest.mark.slow,
    needs_java,
    pytest.mark.filterwarnings("ignore:.*as one sentence", "ignore::UserWarning"),
]


@pytest.fixture(scope="module")
def spark(
    tmp_path_factory: pytest.TempPathFactory, module_patch: pytest.MonkeyPatch
) -> Iterator[SparkSession]:
    session = start_session("local[2,4]", tmp_path_factory.mktemp("spark"), module_patch)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(list(enumerate(TEXTS)), "id int, text string").repartition(3)


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_trap(tmp_path_factory.mktemp("trap")))


def test_trees_are_those_of_the_pipeline(
    table: DataFrame, saved: str, english: Trained
) -> None:
    assert_same_trees(by_id(parse(table, model=saved)), english)


def test_the_schema_is_what_is_documented(table: DataFrame) -> None:
    words = (
        "words:array<string>,offsets:array<int>,lemmas:array<string>,upos:array<string>,"
        "xpos:array<string>,feats:array<string>,heads:array<int>,labels:array<string>,"
        "head_confidences:array<float>,label_confidences:array<float>"
    )
    columns = {
        "document": f"text:string,sentences:array<int>,{words}",
        "sentence": f"sentence:int,start:int,end:int,text:string,{words}",
        "conllu": "conllu:string",
    }
    for rows, made in columns.items():
        found = parse(table, rows=rows).schema
        assert found.simpleString() == f"struct<id:int,{made},error:string>"


def test_confidences_are_those_of_the_pipeline(table: DataFrame, saved: str) -> None:
    assert all(row["head_confidences"] is None for row in parse(table, model=saved).collect())
    nlp = spacy.load(saved)
    find_parser(nlp)[0].confidence = True
    for row in parse(table, model=saved, confidence=True).collect():
        doc = nlp(row["text"])
        for name, extension in (("head", HEAD), ("label", LABEL)):
            expected = pytest.approx(values_of(doc, extension), abs=1e-3)
            assert row[f"{name}_confidences"] == expected
    for row in parse(table, model=saved, rows="conllu", confidence=True).collect():
        assert "HeadConfidence=" in row["conllu"] or not row["conllu"].strip()


def test_sentences_are_rows_with_their_places(spark: SparkSession, tmp_path: Path) -> None:
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path)
    text = "One two. Three. "
    table = spark.createDataFrame([("a", text), ("b", ""), ("c", None)], "key string, t string")
    found = parse(table, "t", tmp_path, rows="sentence").collect()
    assert [(row["key"], row["sentence"], row["words"]) for row in found] == [
        ("a", 0, ["One", "two", "."]), ("a", 1, ["Three", "."]), ("c", None, None)
    ]
    for row in found[:2]:
        assert text[row["start"]:row["end"]] == row["text"]
        assert row["heads"] == [-1] * len(row["words"])
        starts = [text[i:i + len(word)] for i, word in zip(row["offsets"], row["words"])]
        assert starts == row["words"]
    assert "There is no text" in found[2]["error"]


def test_numbers_among_the_texts_of_json_lines_are_texts_as_the_help_says(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "mixed.jsonl"
    path.write_text('{"text": "One."}\n{"text": 5}\n{"text": {"a": 1}}\n')
    found = read_input(spark, [str(path)], "jsonl").collect()
    assert sorted(row["text"] for row in found) == ["5", "One.", '{"a": 1}']
    options = get_command(app).commands["spark"].params
    (option,) = (one for one in options if one.name == "input_format")
    assert "Spark reads numbers and objects as texts" in option.help
    path.write_text('{"text": 5}\n')
    with pytest.raises(ValueError, match="has values of type bigint, not texts"):
        parse(read_input(spark, [str(path)], "jsonl"))


def test_a_python_worker_killed_in_a_partition_costs_and_doubles_nothing(
    table: DataFrame,
    saved: str,
    english: Trained,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marker = kill_once(kill_worker, tmp_path, monkeypatch)
    assert_same_trees(by_id(parse(table, model=saved)), english)
    assert marker.exists()


def test_documents_that_fail_or_kill_are_rows_with_their_errors(
    spark: SparkSession, trap: str
) -> None:
    texts = [b"One", b"FAIL it", None, b"caf\xe9", b"KILL it", b"x" * 1_000_001, b"", b"Two"]
    # More partitions than documents.
    table = spark.createDataFrame(list(enumerate(texts)), "id int, text binary").repartition(12)
    found = by_id(parse(table, model=trap, code=[str(TRAP)]))
    assert [row["id"] for row in found] == [*range(len(texts))]
    assert [row["words"] for row in found] == [
        ["One"], None, None, None, None, None, [], ["Two"]
    ]
    errors = [
        None, "cannot be parsed", "There is no text", "not UTF-8", "SIGKILL", "maximum", None, None
    ]
    for row, error in zip(found, errors):
        assert (row["error"] is None) if error is None else (error in row["error"])
    assert "'KILL it'" in found[4]["error"]


def test_an_archive_goes_with_the_job(
    spark: SparkSession, table: DataFrame, saved: str, english: Trained, tmp_path: Path
) -> None:
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", saved)
    spark.sparkContext.addArchive(f"{archive}#sent_model")
    assert_same_trees(by_id(parse(table, model="sent_model")), english)


def test_another_pipeline_under_the_same_path_fails_the_job(
    table: DataFrame, saved: str, tmp_path: Path
) -> None:
    path = tmp_path / "model"
    shutil.copytree(saved, path)
    parsed = parse(table.where("id < 3"), model=path)
    with (path / "meta.json").open("a") as file:
        file.write(" ")
    with pytest.raises(PySparkException, match="from that of the machine that made the job"):
        parsed.collect()


def test_columns_that_are_kept_may_have_any_name(
    spark: SparkSession, saved: str, tmp_path: Path
) -> None:
    rows = [(1, "She saw him.", 3, "no tree")]
    table = spark.createDataFrame(rows, "id int, text string, `a.b` int, conllu string")
    (row,) = parse(table, model=saved).collect()
    assert (row["id"], row["a.b"], row["conllu"]) == (1, 3, "no tree")
    (row,) = parse(table, model=saved, keep=["a.b", "a.b"], rows="conllu").collect()
    assert row["a.b"] == 3 and "# a" not in row["conllu"]
    written = write_table(parse(table.drop("a.b"), model=saved), str(tmp_path / "parsed"))
    assert (written.rows, written.words) == (1, 4)


def test_wrong_columns_are_refused_at_once(table: DataFrame) -> None:
    with pytest.raises(ValueError, match="no column body"):
        parse(table, "body")
    with pytest.raises(ValueError, match="columns text of the table have names"):
        parse(table, keep=["id", "text"])
    with pytest.raises(ValueError, match="columns Words of the table have names"):
        parse(table.withColumn("Words", table.id))
    with pytest.raises(ValueError, match="not a valid Rows"):
        parse(table, rows="word")
    assert parse(table, keep=["text"], rows="conllu").columns == ["text", "conllu", "error"]


# Files


def test_a_table_is_whole_or_not_there(
    spark: SparkSession, table: DataFrame, saved: str, tmp_path: Path
) -> None:
    path = tmp_path / "out"
    parsed = parse(table, model=saved)
    broken = table.where("CASE WHEN id = 59 THEN raise_error('broken') ELSE true END")
    with pytest.raises(PySparkException, match="broken"):
        write_table(broken, str(path))
    assert not path.exists()
    staging = tmp_path / ".out.staging"
    staging.mkdir(exist_ok=True)
    (staging / "part-00000.parquet").write_text("half of a table of a job that was killed")
    assert write_table(parsed, str(path)).number == 0
    assert not staging.exists() and (path / "_SUCCESS").exists()
    assert spark.read.parquet(str(path)).select("id").distinct().count() == len(TEXTS)
    with pytest.raises(TableExistsError):
        write_table(parsed, str(path))
    write_table(parsed.where(col("id") < 3), str(path), overwrite=True)
    assert spark.read.parquet(str(path)).count() == 3


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["spark", *map(str, arguments)])


def test_the_command_writes_conllu_and_names_what_failed(
    spark: SparkSession, saved: str, english: Trained, tmp_path: Path
) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    lines = [json.dumps({"id": f"d{i}", "text": text}) for i, text in enumerate(TEXTS[:9])]
    source.write_text("\n".join([*lines, '{"id": "bad"}']))
    result = run("-i", source, "--input-format", "jsonl", "-o", out, "-f", "conllu", "-m", saved)
    assert result.exit_code == 1
    assert "1 documents failed" in result.stderr
    n_words = sum(not token.is_space for doc in english.nlp.pipe(TEXTS[:9]) for token in doc)
    assert f"Parsed 9 documents with {n_words} words to" in " ".join(result.stderr.split())
    text = "".join(path.read_text() for path in sorted(out.glob("part-*")))
    docs = english.nlp.pipe(TEXTS[:9])
    assert text == "".join(
        f"# newdoc id = d{i}\n{doc_to_conllu(doc, f'd{i}-')}" for i, doc in enumerate(docs)
    )
    errors = "".join(path.read_text() for path in (out / "_errors").glob("part-*"))
    assert json.loads(errors)["id"] == "bad"


def test_the_command_reads_lines_of_text(
    spark: SparkSession, saved: str, tmp_path: Path
) -> None:
    source, out = tmp_path / "in.txt", tmp_path / "out"
    source.write_bytes(b"One\n\nTwo words\n caf\xe9\n")
    result = run("-i", source, "-o", out, "-m", saved, "--rows", "sentence", "--partitions", 2)
    assert result.exit_code == 1
    rows = spark.read.parquet(str(out)).orderBy("id").collect()
    assert sorted(row["words"] or [] for row in rows) == [[], ["One"], ["Two", "words"]]
    assert "Parsed 2 sentences with 3 words to" in " ".join(result.stderr.split())
    missing = run("-i", tmp_path / "missing", "-o", tmp_path / "new", "-m", saved)
    assert missing.exit_code == 1 and "missing" in missing.stderr
    again = run("-i", source, "-o", out, "-m", saved)
    assert again.exit_code == 1 and "There is a table already" in again.stderr
