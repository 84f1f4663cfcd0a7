"""Apache Spark: tables of texts to tables of parses. Needs the extra `spark` and Java."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql.functions import col
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from ..processes.pipeline import Source, make_checksum
from .partition import PartitionParser
from .rows import RowWriting
from .schema import COLUMNS, Rows, check_names
from .table import TableExistsError, write_table

__all__ = ["Rows", "TableExistsError", "parse", "schema_of", "write_table"]


def parse(
    df: DataFrame,
    text: str = "text",
    model: str | Path = "en",
    *,
    rows: str = "document",
    keep: Sequence[str] | None = None,
    code: Sequence[str] = (),
    confidence: bool = False,
) -> DataFrame:
    """Parse a column of texts.

    A document that fails is a row with its `error`, and so is one of which a Python worker dies
    again and again, if the job can try again: not so with the master `local` or `local[2]`, for
    which it is `local[2,4]`.

    Args:
        text: the column, of strings or of bytes in UTF-8.
        model: as for `spacy_arceager.load`, the same on all machines; or the name of an archive
            that goes with the job (`spark-submit --archives folder.zip#NAME`). Each Python worker
            loads it once, and the job fails where its folder is another than here.
        rows: what a row is: "document", "sentence" or "conllu"; `schema.Rows` has the columns.
        keep: columns of `df` that come first in the result; None for all but the text.
        code: Python files with what the pipeline needs, by their paths, or names (`--files`).
        confidence: fill the columns of confidences; of CoNLL-U, MISC. The pipeline needs an
            arceager_parser.

    Raises:
        ValueError: Where a column is missing, or would be there twice, or has no texts.
    """
    kind = Rows(rows)
    kept = [name for name in df.columns if name != text] if keep is None else list(keep)
    missing = sorted({text, *kept} - set(df.columns))
    if missing:
        raise ValueError(f"The table has no column {', '.join(missing)}; it has {df.columns}")
    kind_of_text = dict(df.dtypes)[text]
    if kind_of_text not in ("string", "binary"):
        # Spark would turn numbers into texts.
        raise ValueError(f"The column {text} has no texts but values of type {kind_of_text}")
    # Strings of Spark may be any bytes, which Python must not be the first to notice. The text
    # may be kept, too.
    data = "arceager text"
    table = df.select(*map(quoted, kept), quoted(text).cast("binary").alias(data))
    source = Source(str(model), tuple(map(str, code)))
    folder = source.find_folder()
    checksum = make_checksum(folder) if folder else None
    form = RowWriting(kind, confidence)
    parser = PartitionParser(source, checksum, data, tuple(kept), form)
    return table.mapInArrow(parser, schema_of(df, kept, kind))


def schema_of(df: DataFrame, kept: Sequence[str], rows: Rows) -> StructType:
    """The columns of a parsed table: those that are kept, then those of `rows`."""
    check_names(kept, rows)
    made = from_arrow_schema(pa.schema(list(COLUMNS[rows].items())))
    return StructType([*(df.schema[name] for name in kept), *made.fields])


def quoted(name: str) -> Column:
    """A column by its name, whatever characters it has."""
    return col("`" + name.replace("`", "``") + "`")
