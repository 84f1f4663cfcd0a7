"""Parse texts in one process or several."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..formats.document import Document, Record
from ..formats.registry import find_tree_format
from ..formats.writing import TreeWriting
from .batches import parse_stream
from .job import Failure, Job, Parsed
from .pipeline import Source
from .workers import WorkerError, Workers

__all__ = ["Failure", "Parsed", "WorkerError", "count_processes", "parse"]

# More processes only wait for each other, and thousands make a machine unusable.
PROCESSES_A_CORE = 16


def parse(
    texts: Iterable[str | tuple[str, Record]],
    model: str | Path = "en",
    *,
    n_process: int = -1,
    output_format: str = "conllu",
    batch_size: int | None = None,
    code: Sequence[str | Path] = (),
) -> Iterator[Parsed[str]]:
    """Parse texts in several processes and yield the written parse of each text, in their order.

    If a text cannot be parsed (None, say), or a process dies of it, its result has a `failure` and
    no value. The other texts are not affected.

    Args:
        texts: strings, or pairs of a string and a dict, which is written together with the parse.
            They are read a few batches ahead.
        model: as for `spacy_arceager.load`. Each process loads it once.
        n_process: the number of processes, see `count_processes`. 1 is this process.
        output_format: how each parse is written, see `formats.registry.TREES`.
        batch_size: how many texts go to a process together.
        code: Python files that the pipeline needs, for example to register its components.

    Raises:
        TypeError: If `texts` is one string.
        ValueError: If n_process is out of range, or there is no such tree format.
        WorkerError: If the processes cannot load the pipeline.
    """
    writing = TreeWriting(find_tree_format(output_format))
    job = Job(Source(str(model), tuple(map(str, code))), writing)
    n_process = count_processes(n_process)
    if isinstance(texts, str):
        raise TypeError("texts is one string; give a list of texts")
    return _run(job, texts, n_process, batch_size)


def _run(
    job: Job[str], texts: Iterable[str | tuple[str, Record]], n_process: int,
    batch_size: int | None,
) -> Iterator[Parsed[str]]:
    failures: dict[int, Failure] = {}
    documents = _make_documents(texts, failures)
    for document, parsed in _parse_documents(job, documents, n_process, batch_size):
        failure = failures.pop(document.number, None)
        yield Parsed(None, failure) if failure else parsed


def _make_documents(
    texts: Iterable[str | tuple[str, Record]], failures: dict[int, Failure]
) -> Iterator[Document]:
    """The documents of texts. What is no text is an empty one, and why stands in `failures`."""
    for number, item in enumerate(texts, 1):
        match (item, {}) if isinstance(item, str) else item:
            case str(text), Mapping() as record:
                yield Document(text, record, number=number)
            case _:
                problem = f"{item!r:.60} is neither a string nor a pair of a string and a dict"
                failures[number] = Failure("Cannot use a text.", problem)
                yield Document("", {}, number=number)


def _parse_documents(
    job: Job[str], documents: Iterable[Document], n_process: int, batch_size: int | None
) -> Iterator[tuple[Document, Parsed[str]]]:
    if n_process == 1:
        nlp = job.source.load()
        yield from parse_stream(nlp, documents, job.writer(nlp), batch_size)
        return
    with Workers(job, n_process, batch_size) as workers:
        yield from workers.parse(documents)


def count_processes(n_process: int) -> int:
    """The number of processes. -1 stands for one process for each core that may be used.

    Raises:
        ValueError: If it is 0, below -1, or more than PROCESSES_A_CORE for each core. On Windows
            only 1 is allowed, because a process cannot pass its connection to another there.
    """
    can_share = sys.platform != "win32"
    cores = count_cores() if can_share else 1
    most = PROCESSES_A_CORE * cores if can_share else 1
    if n_process != -1 and not 1 <= n_process <= most:
        choice = f"1 to {most}, or -1 for one a core" if can_share else "1 on Windows"
        raise ValueError(f"n_process={n_process}; use {choice}")
    return cores if n_process == -1 else n_process


def count_cores() -> int:
    """The cores that this process may use, or those of the machine if that is not known."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
