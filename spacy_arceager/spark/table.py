"""Tables in files, which take their places when all is written."""

import os
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

FORMS = ("parquet", "conllu")
SHOWN = 10      # errors
NAME = "id"     # the column by which errors name their rows, where there is one
SUCCESS = "_SUCCESS"    # the file that Spark writes last


class TableExistsError(FileExistsError):
    """There is a table already."""


class Failed(NamedTuple):
    """Documents without a parse: how many, and the errors of some, with the ids of their rows."""

    number: int
    errors: list[str]


def write_table(
    df: DataFrame, path: str, form: str = "parquet", overwrite: bool = False
) -> Failed:
    """Write a parsed table as a folder of files, which takes its place when all is written.

    Until then it is in a hidden folder beside it. A job that is killed leaves that one; the next
    job for the same path writes it anew. So let no two write to one path at a time.

    Args:
        form: "parquet"; or "conllu", for a table with a column of that name: files of text, and in
            the folder `_errors` there, which Spark does not read with them, JSON lines of documents
            that failed.
        overwrite: replace the table that is there.

    Raises:
        ValueError: For an unknown form, and where the output is an input or holds one.
        TableExistsError: Where the output has a table already, or is there and is no table.
        OSError: Where the folder cannot take its place.
    """
    if form not in FORMS:
        raise ValueError(f"form='{form}' is unknown; use one of {', '.join(FORMS)}")
    folder = Folder(df.sparkSession, path)
    inside = [file for file in df.inputFiles() if folder.holds(file)]
    if inside:
        raise ValueError(f"The output {path} would replace an input, {inside[0]}")
    if folder.exists() and not overwrite:
        raise TableExistsError(f"There is a table already: {path}")
    if folder.exists() and not folder.is_table():
        raise TableExistsError(
            f"{path} is no table: it has no {SUCCESS}. Only a table is replaced; remove it yourself"
        )
    staging = folder.staging()
    if form == "conllu":
        failed = write_conllu(df, staging.path)
        staging.move_to(folder)
        return failed
    df.write.mode("overwrite").parquet(staging.path)
    staging.move_to(folder)
    return find_failed(df.sparkSession.read.parquet(path))


def write_conllu(df: DataFrame, path: str) -> Failed:
    """Write the column `conllu` as text, and documents that failed as JSON lines."""
    # Both come from one pass.
    df = df.persist(StorageLevel.DISK_ONLY)
    try:
        # The writer ends each value with a line feed, which it has.
        text = df.where("conllu != ''").selectExpr("left(conllu, length(conllu) - 1)")
        text.write.mode("overwrite").text(path)
        errors = df.where("error IS NOT NULL").drop("conllu")
        errors.write.mode("overwrite").json(f"{path}/_errors")
        return find_failed(df)
    finally:
        df.unpersist()


def find_failed(df: DataFrame) -> Failed:
    """The documents without a parse of a parsed table."""
    named = [NAME] if NAME in df.columns else []
    errors = df.where("error IS NOT NULL").select(*named, "error")
    number = errors.count()
    shown = errors.take(SHOWN) if number else []
    return Failed(number, [
        "".join(f"{name} {row[name]}: " for name in named) + row["error"] for row in shown
    ])


class Folder:
    """A folder in any file system that Spark knows."""

    def __init__(self, spark: SparkSession, path: str):
        self.spark = spark
        jvm: Any = spark._jvm
        self._path = jvm.org.apache.hadoop.fs.Path(path)
        self._system = self._path.getFileSystem(spark._jsc.hadoopConfiguration())

    @property
    def path(self) -> str:
        """As Spark takes it."""
        return str(self._path.toString())

    def exists(self) -> bool:
        """Whether there is something."""
        return bool(self._system.exists(self._path))

    def is_table(self) -> bool:
        """Whether it is a folder that Spark has written to its end."""
        return Folder(self.spark, f"{self.path}/{SUCCESS}").exists()

    def holds(self, file: str) -> bool:
        """Whether a file, by its URI, is this path or in it, by whatever links."""
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
        """A hidden folder beside it, which Spark does not read with its neighbours."""
        full = self._system.makeQualified(self._path)
        return Folder(self.spark, f"{full.getParent().toString()}/.{full.getName()}.staging")

    def move_to(self, target: "Folder") -> None:
        """Take the place of another folder. Raises OSError where this one is not whole."""
        if not self.is_table():
            raise OSError(f"{self.path} is not whole: it has no {SUCCESS}")
        if target.exists():
            self._system.delete(target._path, True)
        if not self._system.rename(self._path, target._path):
            raise OSError(f"{self.path} cannot be moved to {target.path}")
