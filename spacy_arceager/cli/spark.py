"""The command `spark`: parse large corpora by Apache Spark."""

import os
import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from .messages import fail, install_hint, report_error
from .pipeline import ModelOption

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

INSTALL = f"Run: {install_hint('spark')}, and install Java 17 or later"


class TableFormat(str, Enum):
    """How the input is read: text, a document a line; JSON lines or Parquet, with a column."""

    text = "text"
    jsonl = "jsonl"
    parquet = "parquet"


class ParsedFormat(str, Enum):
    """How the output is written."""

    parquet = "parquet"
    conllu = "conllu"


class RowKind(str, Enum):
    """What a row of Parquet is."""

    document = "document"
    sentence = "sentence"


def spark(
    input_paths: Annotated[
        list[str],
        typer.Option("--input", "-i", help="File, folder or pattern. Can be given several times."),
    ],
    output_path: Annotated[
        str, typer.Option("--output", "-o", help="Folder to write, which must not be there.")
    ],
    model: ModelOption = "en",
    input_format: Annotated[
        TableFormat,
        typer.Option(help="text: a document a line, which gets a number, the column `id`."),
    ] = TableFormat.text,
    output_format: Annotated[
        ParsedFormat,
        typer.Option(
            "--format", "-f", help="conllu: text; documents that failed are in `_errors` there."
        ),
    ] = ParsedFormat.parquet,
    rows: Annotated[
        RowKind, typer.Option(help="What a row of Parquet is.")
    ] = RowKind.document,
    text: Annotated[str, typer.Option(help="Column of JSON lines or Parquet to parse.")] = "text",
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Column to take along; by default all but the text."),
    ] = None,
    confidence: Annotated[
        bool, typer.Option(help="Say how likely each head and label is right.")
    ] = False,
    partitions: Annotated[
        int | None, typer.Option(min=1, help="Cut the input into so many tasks.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option(help="Replace the output if it is there, and a table of Spark's.")
    ] = False,
    master: Annotated[
        str | None,
        typer.Option(help="Of the cluster; by default spark-submit's, else all cores here."),
    ] = None,
    code: Annotated[
        list[str], typer.Option(help="Python file with functions that the pipeline needs.")
    ] = [],
) -> None:
    """Parse a corpus by Apache Spark, here or on a cluster.

    The output is there when all of it is written. Exit codes: 0 all is parsed, 1 the job or a
    document failed, 2 wrong usage.
    """
    session, is_ours = start_session(master)
    from pyspark.errors import PySparkException

    from ..spark import parse, write_table

    try:
        df = read_input(session, input_paths, input_format)
        df = df.repartition(partitions) if partitions else df
        kind = "conllu" if output_format is ParsedFormat.conllu else rows.value
        parsed = parse(df, text, model, rows=kind, keep=keep, code=code, confidence=confidence)
        failed = write_table(parsed, output_path, output_format.value, overwrite)
    except (PySparkException, OSError, ValueError) as error:
        fail("The job failed.", str(error)[:2000])
    finally:
        if is_ours:
            session.stop()
    for message in failed.errors:
        report_error("A document failed.", message)
    if failed.number:
        fail(f"{failed.number} documents failed.")


def start_session(master: str | None) -> "tuple[SparkSession, bool]":
    """A session of Spark, and whether it was started for this; or the command ends."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        fail("Spark is not installed.", f"{error}. {INSTALL}")
    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    builder = SparkSession.builder.appName("arceager")
    # spark-submit has started what is needed, for a master of its own.
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        # A task is tried four times, as on a cluster; local[*] would try it once.
        builder = builder.master(master or "local[*,4]")
    elif master:
        builder = builder.master(master)
    try:
        return builder.getOrCreate(), True
    except PySparkException as error:
        fail("Cannot start Spark.", f"{error}. {INSTALL}")


def read_input(
    session: "SparkSession", paths: list[str], input_format: TableFormat
) -> "DataFrame":
    """The table of the input."""
    if input_format is TableFormat.parquet:
        return session.read.parquet(*paths)
    if input_format is TableFormat.jsonl:
        return session.read.json(paths)
    lines = session.read.text(paths).where("trim(value) != ''")
    return lines.selectExpr("monotonically_increasing_id() AS id", "value AS text")
