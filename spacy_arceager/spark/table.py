"""Tables in files. A table replaces an older one only when it is complete."""

import os
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

from ..errors import unknown_name

FORMS = ("parquet", "conllu")
SHOWN = 10      # how many errors are shown
NAME = "id"     # errors name their rows by this column, if the table has it
SUCCESS = "_SUCCESS"    # the file that Spark writes last
# The words of a row: lines of CoNLL-U that begin with a number, or all that are not white space.
COUNTS = {
    "conllu": r"size(regexp_extract_all(conllu, '(?m)^[0-9]+\\t', 0))",
    "words": r"size(filter(words, word -> word rlike '\\S'))",
}


class TableExistsError(FileExistsError):
    """The output exists already."""


class Written(NamedTuple):
    """What was written of a table.

    Attributes:
        number: how many documents have no parse.
        errors: the errors of some of them, with the ids of their rows.
        rows: how many rows have a parse.
        words: how many words these rows have.
    """

    number: int
    errors: list[str]
    rows: int
    words: int


def write_table(
    df: DataFrame, path: str, form: str = "parquet", overwrite: bool = False
) -> Written:
    """Write a parsed table as a folder of files, which replaces an older one when it is complete.

    Until then the files are in a hidden folder next to the output. A job that is killed leaves the
    hidden folder, and the next job for the same path overwrites it. So only one job at a time may
    write to a path.

    Args:
        form: "parquet" or "conllu". For "conllu", the table needs a column of that name, which is
            written as text. Documents that failed are JSON lines in the folder `_errors` of the
            output, which Spark does not read together with the text.
        overwrite: replace the table if it exists.

    Raises:
        ValueError: If the form is unknown, or the output is an input or a folder that holds one.
        TableExistsError: If the output exists, and `overwrite` is not set or it is not a table.
        OSError: If the hidden folder cannot be renamed.
    """
    if form not in FORMS:
        raise ValueError(unknown_name(f"form='{form}'", form, FORMS))
    folder = Folder(df.sparkSession, path)
    inside = [file for file in df.inputFiles() if folder.holds(file)]
    if inside:
        raise ValueError(f"The output {path} would replace an input, {inside[0]}")
    if folder.exists() and not overwrite:
        raise TableExistsError(f"There is a table already: {path}")
    if folder.exists() and not folder.is_table():
        raise TableExistsError(
            f"{path} is not a complete table of Spark, because it has no {SUCCESS}. To replace it, "
            "remove it first"
        )
    staging = folder.staging()
    if form == "conllu":
        written = write_conllu(df, staging.path)
        staging.move_to(folder)
        return written
    df.write.mode("overwrite").parquet(staging.path)
    staging.move_to(folder)
    return describe_table(df.sparkSession.read.parquet(path))


def write_conllu(df: DataFrame, path: str) -> Written:
    """Write the column `conllu` as text, and documents that failed as JSON lines."""
    # The table is kept, because otherwise each of the two outputs would parse all documents.
    df = df.persist(StorageLevel.DISK_ONLY)
    try:
        # Spark's writer adds a line feed to each value, so the value's last line feed is cut off.
        text = df.where("conllu != ''").selectExpr("left(conllu, length(conllu) - 1)")
        text.write.mode("overwrite").text(path)
        errors = df.where("error IS NOT NULL").drop("conllu")
        errors.write.mode("overwrite").json(f"{path}/_errors")
        return describe_table(df)
    finally:
        df.unpersist()


def describe_table(df: DataFrame) -> Written:
    """Count the rows and words of a parsed table, and find some of its errors."""
    named = [NAME] if NAME in df.columns else []
    # The columns of the result stand behind those that are kept, which may have such a name.
    last = next(name for name in reversed(df.columns) if name in COUNTS)
    words = COUNTS[last]
    number, rows, n_words = df.selectExpr(
        "count(error)", "count(*) - count(error)",
        f"coalesce(sum(if(error IS NULL, {words}, 0)), 0)",
    ).first() or (0, 0, 0)
    failed = df.where("error IS NOT NULL").select(*named, "error")
    errors = [
        "".join(f"{name} {row[name]}: " for name in named) + row["error"]
        for row in (failed.take(SHOWN) if number else [])
    ]
    return Written(number, errors, rows, n_words)


class Folder:
    """A folder in any file system that Spark knows."""

    def __init__(self, spark: SparkSession, path: str):
        self.spark = spark
        jvm: Any = spark._jvm
        self._path = jvm.org.apache.hadoop.fs.Path(path)
        self._system = self._path.getFileSystem(spark._jsc.hadoopConfiguration())

    @property
    def path(self) -> str:
        """The path as Spark takes it."""
        return str(self._path.toString())

    def exists(self) -> bool:
        """Whether the path exists."""
        return bool(self._system.exists(self._path))

    def is_table(self) -> bool:
        """Whether this is a folder that Spark has written completely."""
        return Folder(self.spark, f"{self.path}/{SUCCESS}").exists()

    def holds(self, file: str) -> bool:
        """Whether a file, given by its URI, is this path or inside it. Links are followed."""
        jvm: Any = self.spark._jvm
        paths = (jvm.org.apache.hadoop.fs.Path(jvm.java.net.URI(file)), self._path)
        inner, outer = (self._system.makeQualified(path).toUri() for path in paths)
        if inner.getScheme() == "file" == outer.getScheme():
            here = Path(os.path.realpath(outer.getPath()))
            return Path(os.path.realpath(inner.getPath())).is_relative_to(here)
        same_system = inner.getScheme() == outer.getScheme() and (
            inner.getAuthority() == outer.getAuthority()
        )
        return same_system and PurePosixPath(inner.getPath()).is_relative_to(outer.getPath())

    def staging(self) -> "Folder":
        """A hidden folder next to this one. Spark skips it when it reads all folders there."""
        full = self._system.makeQualified(self._path)
        return Folder(self.spark, f"{full.getParent().toString()}/.{full.getName()}.staging")

    def move_to(self, target: "Folder") -> None:
        """Replace another folder. Raises OSError if this one is incomplete or cannot be moved."""
        if not self.is_table():
            raise OSError(f"{self.path} is incomplete, because it has no {SUCCESS}")
        if target.exists():
            self._system.delete(target._path, True)
        if not self._system.rename(self._path, target._path):
            raise OSError(f"{self.path} cannot be moved to {target.path}")
