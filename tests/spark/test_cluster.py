"""Parsing by Spark with two executors, one of which is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

import spacy_arceager.spark
from spacy_arceager.spark import parse, write_table
from spacy_arceager.spark.partition import PartitionParser
from tests.conftest import Trained
from tests.spark.conftest import TEXTS, needs_java, start_session, tree_of
from tests.spark.killing import Killing, kill_executor

pytestmark = [
    pytest.mark.slow,
    needs_java,
    pytest.mark.filterwarnings("ignore:.*as one sentence", "ignore::UserWarning"),
]


@pytest.fixture(scope="module")
def spark(
    tmp_path_factory: pytest.TempPathFactory, module_patch: pytest.MonkeyPatch
) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    session = start_session("local-cluster[2,1,1024]", folder, module_patch)
    yield session
    session.stop()


def test_an_executor_killed_in_a_partition_costs_and_doubles_nothing(
    spark: SparkSession,
    saved: str,
    english: Trained,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marker = tmp_path / "killed"
    monkeypatch.setattr(
        spacy_arceager.spark,
        "PartitionParser",
        lambda *arguments: Killing(PartitionParser(*arguments), kill_executor, str(marker)),
    )
    table = spark.createDataFrame(list(enumerate(TEXTS)), "id int, text string").repartition(4)
    write_table(parse(table, model=saved), str(tmp_path / "out"))
    rows = spark.read.parquet(str(tmp_path / "out")).orderBy("id").collect()
    assert [row["id"] for row in rows] == [*range(len(TEXTS))]
    for row, doc in zip(rows, english.nlp.pipe(TEXTS), strict=True):
        assert (row["words"], row["heads"], row["labels"]) == tree_of(doc)
    assert marker.exists()
