"""Parse tables of texts with Apache Spark. This needs the extra `spark` and Java."""

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
from .schema import COLUMNS, Rows
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

    A document that fails becomes a row with its `error`. So does a document that kills its Python
    worker, if Spark tries a failed task again. The masters `local` and `local[2]` do not try again,
    but `local[2,4]` tries four times.

    Args:
        text: the name of the column with the texts, which are strings or bytes in UTF-8.
        model: as for `spacy_arceager.load`, and the same on all machines; or the name of an archive
            that is sent with the job (`spark-submit --archives folder.zip#NAME`). Each Python
            worker loads it once. The job fails if a worker has another version of its folder.
        rows: what a row describes: "document", "sentence" or "conllu". See `schema.Rows`.
        keep: the columns of `df` that are copied to the result; None copies all but the text.
        code: Python files that the pipeline needs, by their paths or their names in `--files`.
        confidence: write how likely each head and label is right. The pipeline needs an
            arceager_parser.

    Raises:
        ValueError: If a column is missing, has no texts, or has the name of a column of the result.
    """
    kind = Rows(rows)
    kept = [name for name in df.columns if name != text] if keep is None else keep
    copied = [*dict.fromkeys(kept)]
    missing = sorted({text, *copied} - set(df.columns))
    if missing:
        raise ValueError(f"The table has no column {', '.join(missing)}; it has {df.columns}")
    kind_of_text = dict(df.dtypes)[text]
    if kind_of_text not in ("string", "binary"):
        # The cast below would turn numbers into texts.
        raise ValueError(f"The column {text} has values of type {kind_of_text}, not texts")
    # Strings of Spark may be invalid UTF-8, which it cannot convert to Python. So texts are sent as
    # bytes. They get a column of their own, since the text may also be copied.
    data = "arceager text"
    # mapInArrow cannot take a column whose name has a full stop.
    columns = [quoted(name).alias(f"arceager {i}") for i, name in enumerate(copied)]
    table = df.select(*columns, quoted(text).cast("binary").alias(data))
    source = Source(str(model), tuple(map(str, code)))
    folder = source.find_folder()
    checksum = make_checksum(folder) if folder else None
    form = RowWriting(kind, confidence)
    parser = PartitionParser(source, checksum, data, tuple(copied), form)
    return table.mapInArrow(parser, schema_of(df, copied, kind))


def schema_of(df: DataFrame, copied: Sequence[str], rows: Rows) -> StructType:
    """The columns of a parsed table: first the copied ones, then those of `rows`."""
    # Spark ignores the case of names.
    clashes = sorted(name for name in set(copied) if name.lower() in COLUMNS[rows])
    if clashes:
        raise ValueError(
            f"The columns {', '.join(clashes)} of the table have names that the result needs. "
            "Rename them, or choose the columns to keep"
        )
    made = from_arrow_schema(pa.schema(list(COLUMNS[rows].items())))
    return StructType([*(df.schema[name] for name in copied), *made.fields])


def quoted(name: str) -> Column:
    """A column by its name, which may have any characters."""
    return col("`" + name.replace("`", "``") + "`")
