"""Sessions of Spark, one a module, where pyspark and Java are installed."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from spacy.tokens import Doc

from tests.conftest import Trained, numbered_texts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

HAS_JAVA = shutil.which("java") or os.environ.get("JAVA_HOME")
needs_java = pytest.mark.skipif(not HAS_JAVA, reason="Spark needs Java")
TEXTS = numbered_texts(60)


def start_session(master: str, folder: Any, monkeypatch: pytest.MonkeyPatch) -> "SparkSession":
    """Start Spark with small batches; its Python workers find what the tests do."""
    from pyspark.sql import SparkSession

    path = os.pathsep.join(os.path.abspath(part) for part in sys.path)  # noqa: PTH100
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_WORKER_DIR", str(folder))
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "5",
        "spark.executorEnv.PYTHONPATH": path,
    }
    builder = SparkSession.builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@pytest.fixture(scope="module")
def module_patch() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield monkeypatch


def tree_of(doc: Doc) -> tuple[list[str], list[int], list[str]]:
    """Words, heads and labels, as the columns have them."""
    heads = [-1 if token.head.i == token.i else token.head.i for token in doc]
    return [token.text for token in doc], heads, [token.dep_ for token in doc]


def by_id(df: "DataFrame") -> list["Row"]:
    return sorted(df.collect(), key=lambda row: row["id"])


def assert_same_trees(rows: list["Row"], english: Trained) -> None:
    assert [row["id"] for row in rows] == [*range(len(TEXTS))]
    for row, doc in zip(rows, english.nlp.pipe(TEXTS), strict=True):
        assert (row["words"], row["heads"], row["labels"]) == tree_of(doc)
        assert row["text"] == doc.text and row["error"] is None
        assert row["offsets"] == [token.idx for token in doc]
        assert row["sentences"] == [span.start for span in doc.sents]
