"""What `arceager spark` replaces, and what it refuses to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import spacy
from typer.testing import CliRunner, Result

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from spacy_arceager.cli import app
from tests.spark.conftest import needs_java, start_session

pytestmark = [pytest.mark.slow, needs_java, pytest.mark.filterwarnings("ignore::UserWarning")]


@pytest.fixture(scope="module")
def session(
    tmp_path_factory: pytest.TempPathFactory, module_patch: pytest.MonkeyPatch
) -> Iterator[SparkSession]:
    started = start_session("local[1]", tmp_path_factory.mktemp("spark"), module_patch)
    yield started
    started.stop()


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    spacy.blank("xx").to_disk(tmp_path / "blank")
    return tmp_path / "blank"


def run(model: Path, *arguments: object) -> Result:
    return CliRunner().invoke(app, ["spark", "-m", str(model), *map(str, arguments)])


def test_an_output_that_is_or_holds_an_input_is_refused(
    session: SparkSession, blank: Path, tmp_path: Path
) -> None:
    data = tmp_path / "the data"
    data.mkdir()
    (data / "texts.txt").write_text("The market opens.\n")
    (data / "other.doc").write_text("x")
    (data / "_SUCCESS").touch()
    (tmp_path / "link").symlink_to(data)
    for source in (data / "texts.txt", data, data / "*.txt"):
        for output in (data, tmp_path / "link", tmp_path):
            result = run(blank, "-i", source, "-o", output, "--overwrite")
            assert result.exit_code == 1 and "would replace an input" in result.stderr
    result = run(blank, "-i", data / "texts.txt", "-o", data / "texts.txt", "--overwrite")
    assert result.exit_code == 1 and "would replace an input" in result.stderr
    assert {file.name for file in data.iterdir()} == {"texts.txt", "other.doc", "_SUCCESS"}


def test_only_a_table_is_replaced(session: SparkSession, blank: Path, tmp_path: Path) -> None:
    texts, output = tmp_path / "texts.txt", tmp_path / "out"
    texts.write_text("The market opens.\n")
    output.mkdir()
    (output / "mine.doc").write_text("x")
    result = run(blank, "-i", texts, "-o", output, "--overwrite")
    assert result.exit_code == 1 and "is not a complete table" in result.stderr
    assert [file.name for file in output.iterdir()] == ["mine.doc"]
    (output / "mine.doc").unlink()
    output.rmdir()
    for _ in range(2):
        assert run(blank, "-i", texts, "-o", output, "--overwrite").exit_code == 0
        assert session.read.parquet(str(output)).count() == 1


def test_errors_name_rows_and_numbers_are_no_texts(
    session: SparkSession, blank: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "x7", "text": null}\n{"id": "y", "text": "b"}\n')
    result = run(blank, "-i", path, "--input-format", "jsonl", "-o", tmp_path / "out")
    assert result.exit_code == 1 and "id x7: Cannot read a document. There is no text" in (
        " ".join(result.stderr.split())
    )
    path.write_text('{"id": "x7", "text": 5}\n')
    result = run(blank, "-i", path, "--input-format", "jsonl", "-o", tmp_path / "out2")
    assert result.exit_code == 1 and "not texts" in result.stderr
