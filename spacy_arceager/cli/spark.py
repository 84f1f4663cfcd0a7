"""The command `spark`: parse large corpora with Apache Spark."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .messages import counted, fail, install_hint, report, report_error
from .pipeline import ModelOption

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

INSTALL = f"Run: {install_hint('spark')}. It also needs Java 17 or later"


def spark(
    input_paths: Annotated[
        list[str],
        typer.Option("--input", "-i", help="File, folder or pattern. Can be given several times."),
    ],
    output_path: Annotated[
        str,
        typer.Option("--output", "-o", help="New folder to write, or an old one with --overwrite."),
    ],
    model: ModelOption = "en",
    input_format: Annotated[
        Literal["text", "jsonl", "parquet"],
        typer.Option(
            help="text: each line is a document, and gets an `id`. jsonl: Spark reads numbers and "
            "objects as texts if other lines have texts there. parquet: a table with columns."
        ),
    ] = "text",
    output_format: Annotated[
        Literal["parquet", "conllu"],
        typer.Option(
            "--format", "-f",
            help="parquet: a table. conllu: text, with the documents that failed in its folder "
            "`_errors`.",
        ),
    ] = "parquet",
    rows: Annotated[
        Literal["document", "sentence"],
        typer.Option(help="Whether a row of Parquet is a document or a sentence."),
    ] = "document",
    text: Annotated[str, typer.Option(help="Column to parse.")] = "text",
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Column to copy. By default all columns but the text."),
    ] = None,
    confidence: Annotated[
        bool, typer.Option(help="Write how likely each head and label is right.")
    ] = False,
    partitions: Annotated[
        int | None, typer.Option(min=1, help="Number of tasks that the input is cut into.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option(help="Replace the output if it is a table of Spark.")
    ] = False,
    master: Annotated[
        str | None,
        typer.Option(
            help="Master of the cluster. By default that of spark-submit, or this machine."
        ),
    ] = None,
    code: Annotated[
        list[str], typer.Option(help="Python file with functions that the pipeline needs.")
    ] = [],
) -> None:
    """Parse a corpus with Apache Spark, on this machine or on a cluster.

    The output replaces an older one only when it is complete.

    Exit codes: 0 everything is parsed, 1 the job or a document failed, 2 wrong usage.

    Example: arceager spark --input texts.txt --output parses --rows sentence
    """
    session, is_ours = start_session(master)
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    from ..spark import parse, write_table

    try:
        df = read_input(session, input_paths, input_format)
        df = df.repartition(partitions) if partitions else df
        kind = "conllu" if output_format == "conllu" else rows
        parsed = parse(df, text, model, rows=kind, keep=keep, code=code, confidence=confidence)
        written = write_table(parsed, output_path, output_format, overwrite)
    except (PySparkException, Py4JError, OSError, ValueError) as error:
        fail("The job failed.", str(error)[:2000])
    finally:
        if is_ours:
            session.stop()
    report(
        f"Parsed {counted(written.rows, 'sentence' if kind == 'sentence' else 'document')} with "
        f"{counted(written.words, 'word')} to {output_path}. To read them:",
        f"spark.read.{'text' if kind == 'conllu' else 'parquet'}({output_path!r})",
    )
    for message in written.errors:
        report_error("A document failed.", message)
    if written.number:
        fail(f"{written.number} documents failed.")


def start_session(master: str | None) -> "tuple[SparkSession, bool]":
    """A session of Spark, and whether this command has started it. A failure ends the command."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        fail("Spark is not installed.", f"{error}. {INSTALL}")
    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    builder = SparkSession.builder.appName("arceager")
    # spark-submit has chosen a master and an interpreter, and sets this variable.
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        # A task is tried four times, as on a cluster. With local[*] it would be tried once.
        builder = builder.master(master or "local[*,4]")
    elif master:
        builder = builder.master(master)
    try:
        return builder.getOrCreate(), True
    except PySparkException as error:
        fail("Cannot start Spark.", f"{error}. {INSTALL}")


def read_input(session: "SparkSession", paths: list[str], input_format: str) -> "DataFrame":
    """The input as a table. Lines of text are documents; JSON lines and Parquet have columns."""
    if input_format == "parquet":
        return session.read.parquet(*paths)
    if input_format == "jsonl":
        return session.read.json(paths)
    lines = session.read.text(paths).where("trim(value) != ''")
    return lines.selectExpr("monotonically_increasing_id() AS id", "value AS text")
