"""Documents through a pipeline, in one process or several: what `parse` and `select` share."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import typer
from tqdm import tqdm

from ..formats.document import Document
from ..formats.rows import InputFormat
from ..processes import count_processes
from ..processes.batches import parse_stream
from ..processes.job import Job
from ..processes.parsed import Parsed
from ..processes.workers import WorkerError, Workers
from .inputs import InputDocuments
from .messages import fail, report_error
from .pipeline import HINT, load_pipeline

Value = TypeVar("Value")
Results = Iterable[tuple[Document, Parsed[Value]]]


def check_usage(
    text: str | None,
    input_paths: Sequence[Path],
    input_format: InputFormat | None,
    n_process: int,
) -> None:
    """Raise typer.BadParameter for inputs that contradict each other or are missing."""
    if text is not None and (input_paths or input_format):
        raise typer.BadParameter("--input and --input-format do not go with a TEXT.")
    if text is not None and os.path.isfile(text):   # noqa: PTH113 (False for any text)
        raise typer.BadParameter(
            f"The TEXT is the name of a file. To parse what is in the file: --input {text}. To "
            "parse the name itself, write it to stdin."
        )
    if text is None and not input_paths and sys.stdin.isatty():
        raise typer.BadParameter("Give a TEXT, --input FILE, or text on stdin.")
    if input_format and input_format.needs_file and not input_paths:
        raise typer.BadParameter(f"--input-format {input_format} needs an --input.")
    try:
        count_processes(n_process)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@contextmanager
def parse_documents(
    job: Job[Value], documents: Iterable[Document], n_process: int, batch_size: int | None
) -> Iterator[Results[Value]]:
    """The results of a job in the order of the documents; end the command where it cannot run.

    Args:
        n_process: 1 is this process, -1 one a core.
    """
    n_process = count_processes(n_process)
    if n_process == 1:
        nlp = load_pipeline(job.source)
        try:
            write = job.writer(nlp)
        except ValueError as error:
            fail("The pipeline cannot do this.", str(error))
        yield parse_stream(nlp, documents, write, batch_size)
        return
    with Workers(job, n_process, batch_size) as workers:
        try:
            yield workers.parse(documents)
        except WorkerError as error:
            fail("Cannot load the pipeline.", f"{job.source.model}: {error}\n{HINT}")


def show_progress(results: Results[Value], documents: InputDocuments) -> Results[Value]:
    """The same results, with a progress bar of the bytes of the files that have been read.

    There is none where stderr is no terminal, or where no file is read.
    """
    # tqdm reads disable=None as: unless stderr is a terminal.
    with tqdm(
        total=documents.n_bytes, unit="B", unit_scale=True,
        disable=None if documents.n_bytes else True,
    ) as bar:
        for number, result in enumerate(results, 1):
            yield result
            bar.set_postfix_str(f"{number:,} documents", refresh=False)
            bar.update(documents.n_bytes_read - bar.n)


class Successes(Generic[Value]):
    """The documents of which something is written; the others are reported.

    Attributes:
        count: of the documents so far.
    """

    def __init__(self, results: Results[Value]) -> None:
        self.results = results
        self.count = 0

    def __iter__(self) -> Iterator[tuple[Document, Value]]:
        for document, parsed in self.results:
            if parsed.failure or parsed.value is None:
                report_error(*(parsed.failure or ("Cannot write a document.",)))
            else:
                self.count += 1
                yield document, parsed.value
