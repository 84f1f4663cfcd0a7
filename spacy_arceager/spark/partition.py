"""How a Python worker of Spark parses the rows that it gets."""

import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark import SparkFiles, TaskContext

from ..errors import ModelMismatchError
from ..formats.document import Document, Writer
from ..processes.batches import BATCH, parse_stream
from ..processes.job import Failure, Job, Parsed
from ..processes.pipeline import Source, make_checksum
from ..processes.workers import Workers
from .rows import Row, RowWriting
from .schema import COLUMNS, Rows

if TYPE_CHECKING:
    from spacy import Language

Results = Iterator[tuple[Document, Parsed[list[Row]]]]


@dataclass(frozen=True)
class PartitionParser:
    """Parses a partition of a table. `DataFrame.mapInArrow` calls it.

    Attributes:
        source: where the pipeline is loaded from. Each Python worker loads it once.
        checksum: the checksum of the pipeline's folder on the machine that made the job; None if
            there is no folder.
        text: the name of the binary column with the texts.
        copied: the names of the columns that are copied.
        form: makes the rows of the result of a parsed Doc.
    """

    source: Source
    checksum: str | None
    text: str
    copied: Sequence[str]
    form: RowWriting

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Parse record batches. If there are none, no pipeline is loaded.

        If Spark tries the task again, a document may have killed its process. Then documents are
        parsed in a process of our own, so that only this process dies, and the document becomes a
        row with its error.
        """
        source = find_source(self.source)
        check_version(source, self.checksum)
        context = TaskContext.get()
        if context is None or context.attemptNumber() == 0:
            yield from self._tables(batches, partial(parse_here, source, self.form))
            return
        with Workers(Job(source, self.form), n_process=1) as workers:
            yield from self._tables(batches, workers.parse)

    def _tables(
        self, batches: Iterable[pa.RecordBatch], parse: Callable[[list[Document]], Results]
    ) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            named = batch.rename_columns([*self.copied, self.text])
            for first in range(0, named.num_rows, BATCH):
                part = named.slice(first, BATCH)
                texts = self._read(part)
                results = parse([text for text in texts if isinstance(text, Document)])
                yield self._table(part, [
                    next(results)[1] if isinstance(text, Document) else Parsed(None, text)
                    for text in texts
                ])

    def _read(self, part: pa.RecordBatch) -> list[Document | Failure]:
        records: list[dict] = [{}] * part.num_rows
        if self.form.rows is Rows.conllu:
            records = part.select(list(self.copied)).to_pylist()
        return [*map(read_text, part.column(self.text).to_pylist(), records)]

    def _table(
        self, part: pa.RecordBatch, results: Sequence[Parsed[list[Row]]]
    ) -> pa.RecordBatch:
        made = [rows_of(result) for result in results]
        places = pa.array([i for i, rows in enumerate(made) for _ in rows], pa.int32())
        copied = {name: part.column(name).take(places) for name in self.copied}
        new = {
            name: pa.array([row.get(name) for rows in made for row in rows], kind)
            for name, kind in COLUMNS[self.form.rows].items()
        }
        return pa.RecordBatch.from_pydict({**copied, **new})


def read_text(data: bytes | None, record: dict) -> Document | Failure:
    """The document of a row, or why it cannot be read."""
    if data is None:
        return Failure("Cannot read a document.", "There is no text.")
    try:
        return Document(data.decode(), record)
    except UnicodeDecodeError as error:
        return Failure("Cannot read a document.", f"The text is not UTF-8: {error}")


def rows_of(result: Parsed[list[Row]]) -> list[Row]:
    """The rows of a document. A document that failed has one row, with the error."""
    if result.value is None:
        return [{"error": str(result.failure)}]
    return result.value


def find_source(source: Source) -> Source:
    """The source with its paths on this machine.

    Spark puts files and archives that it has sent (`--files`, `--archives`) into a folder of its
    own, where they are found by their names.
    """
    root = Path(SparkFiles.getRootDirectory())
    paths = [str(root / path) if (root / path).exists() else path for path in source.code]
    model = root / source.model
    name = str(model) if source.model and model.is_dir() else source.model
    return replace(source, model=name, code=tuple(paths))


@lru_cache(maxsize=1)
def check_version(source: Source, checksum: str | None) -> None:
    """Check that the pipeline's folder is the same as on the machine that made the job.

    Raises:
        ModelMismatchError: If the folder or the version of this package differs.
    """
    folder = source.find_folder()
    if checksum is None or folder is None or make_checksum(folder) == checksum:
        return
    raise ModelMismatchError(
        f"The pipeline in {folder} on {socket.gethostname()}, or the spacy_arceager there, differs "
        "from that of the machine that made the job. Copy it there, or send it as an archive"
    )


def parse_here(source: Source, form: RowWriting, documents: list[Document]) -> Results:
    """Parse documents in this process."""
    nlp, write = load(source, form)
    return parse_stream(nlp, documents, write)


@lru_cache(maxsize=1)
def load(source: Source, form: RowWriting) -> tuple["Language", Writer[list[Row]]]:
    """The pipeline of this process, and the function that turns its documents into rows."""
    nlp = source.load_for_worker()
    return nlp, form(nlp)
