"""Parsing by Spark with two executors, one of which is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyspark.sql import SparkSession

from spacy_arceager.spark import parse, write_table
from tests.conftest import Trained
from tests.spark.conftest import TEXTS, assert_same_trees, by_id, needs_java, start_session
from tests.spark.killing import kill_executor, kill_once

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
    marker = kill_once(kill_executor, tmp_path, monkeypatch)
    table = spark.createDataFrame(list(enumerate(TEXTS)), "id int, text string").repartition(4)
    write_table(parse(table, model=saved), str(tmp_path / "out"))
    assert_same_trees(by_id(spark.read.parquet(str(tmp_path / "out"))), english)
    assert marker.exists()
