"""How `parse` and `select` send documents through a pipeline, in one process or several."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import typer

from ..formats.document import Document
from ..formats.rows import InputFormat
from ..processes import count_processes
from ..processes.batches import parse_stream
from ..processes.job import Job, Parsed
from ..processes.workers import WorkerError, Workers
from .files import is_file
from .inputs import InputDocuments
from .messages import counted, fail, progress_in_bytes, report_error
from .pipeline import HINT, explain, load_pipeline

Value = TypeVar("Value")
Results = Iterable[tuple[Document, Parsed[Value]]]


def check_usage(
    text: str | None,
    input_paths: Sequence[Path],
    input_format: InputFormat | None,
    n_process: int,
) -> None:
    """Raise typer.BadParameter if inputs are missing or contradict each other."""
    if text is not None and (input_paths or input_format):
        raise typer.BadParameter("--input and --input-format do not go with a TEXT.")
    if text is not None and is_file(text):
        raise typer.BadParameter(
            f"The TEXT is the name of a file. To parse what is in the file, use --input {text}. To "
            "parse the name itself, write it to stdin."
        )
    if text is None and not input_paths and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("Give a TEXT, --input FILE, or text on stdin.")
    if input_format and input_format.needs_file and not input_paths:
        raise typer.BadParameter(f"--input-format {input_format} needs an --input.")
    try:
        count_processes(n_process)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


class Successes(Generic[Value]):
    """The documents that were parsed and what is written of each. Failures are reported.

    Attributes:
        count: how many documents were parsed so far.
        n_words: how many words they have.
    """

    def __init__(self, results: Results[Value]) -> None:
        self.results = results
        self.count = 0
        self.n_words = 0

    def __iter__(self) -> Iterator[tuple[Document, Value]]:
        for document, parsed in self.results:
            if parsed.failure or parsed.value is None:
                report_error(*(parsed.failure or ("Cannot write a document.",)))
            else:
                self.count += 1
                self.n_words += parsed.n_words
                yield document, parsed.value

    def __str__(self) -> str:
        return f"{counted(self.count, 'document')} with {counted(self.n_words, 'word')}"


@contextmanager
def parse_documents(
    job: Job[Value],
    documents: InputDocuments | Sequence[Document],
    n_process: int,
    batch_size: int | None,
) -> Iterator[Successes[Value]]:
    """Parse documents, in their order, with a progress bar if they come from files.

    A job that cannot run ends the command.

    Args:
        n_process: the number of processes; 1 is this process, -1 one for each core.
    """
    n_process = count_processes(n_process)
    if n_process == 1:
        nlp = load_pipeline(job.source)
        try:
            write = job.writer(nlp)
        except ValueError as error:
            fail("The pipeline cannot do this.", str(error))
        yield Successes(_watch(parse_stream(nlp, documents, write, batch_size), documents))
        return
    with Workers(job, n_process, batch_size) as workers:
        try:
            yield Successes(_watch(workers.parse(documents), documents))
        except WorkerError as error:
            fail("Cannot load the pipeline.", f"{job.source.model}: {explain(str(error), HINT)}")


def _watch(
    results: Results[Value], documents: InputDocuments | Sequence[Document]
) -> Results[Value]:
    """The same results, with a progress bar for documents that come from files."""
    if not isinstance(documents, InputDocuments):
        return results
    return progress_in_bytes(
        results, documents.n_bytes, "documents", lambda: documents.n_bytes_read
    )


def fail_unless_all(
    successes: Successes[Value], n_documents: int, inputs: InputDocuments
) -> None:
    """End the command with exit code 1 if a document failed or an input could not be read."""
    if successes.count < n_documents:
        fail(f"{n_documents - successes.count} of {n_documents} documents failed.")
    if inputs.unreadable:
        fail(f"{len(inputs.unreadable)} of {len(inputs.paths)} inputs failed.")
