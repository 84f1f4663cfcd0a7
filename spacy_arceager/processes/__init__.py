"""Texts to what is written of them, in one process or several."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..formats.document import Document, Record
from ..formats.registry import find_tree_format
from ..formats.writing import TreeWriting
from .batches import parse_stream
from .job import Job
from .parsed import Failure, Parsed
from .pipeline import Source
from .workers import WorkerError, Workers

__all__ = ["Failure", "Parsed", "WorkerError", "count_processes", "parse"]

# More only wait for each other, and thousands bring a machine down.
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
    """Parse texts in processes of their own and yield what is written of each, in their order.

    A text that fails, or of which a process dies, has a `failure` and no value; all others have
    theirs.

    Args:
        texts: each alone, or with a dict of what comes out again with its parse. They are read as
            they are needed, a few batches ahead.
        model: as for `spacy_arceager.load`; each process loads it once.
        n_process: processes; 1 is this one, -1 one a core, see `count_processes`.
        output_format: how each parse is written, see `formats.registry.TREES`.
        batch_size: texts that go to a process together.
        code: Python files with what the pipeline needs, for `Language.component` and the like.

    Raises:
        ValueError: Where n_process is no number of processes, or there is no such format of
            trees.
        WorkerError: Where processes cannot load the pipeline.
    """
    writing = TreeWriting(find_tree_format(output_format))
    job = Job(Source(str(model), tuple(map(str, code))), writing)
    n_process = count_processes(n_process)
    documents = (
        Document(*((text, {}) if isinstance(text, str) else text), number=number)
        for number, text in enumerate(texts, 1)
    )
    return _run(job, documents, n_process, batch_size)


def _run(
    job: Job[str], documents: Iterable[Document], n_process: int, batch_size: int | None
) -> Iterator[Parsed[str]]:
    if n_process == 1:
        nlp = job.source.load()
        results = parse_stream(nlp, documents, job.writer(nlp), batch_size)
        yield from (parsed for _, parsed in results)
        return
    with Workers(job, n_process, batch_size) as workers:
        yield from (parsed for _, parsed in workers.parse(documents))


def count_processes(n_process: int) -> int:
    """The number of processes, where -1 is one for each core that this process may use.

    Raises:
        ValueError: For 0, other numbers below, more than PROCESSES_A_CORE for each core, and more
            than one on Windows, where a process cannot hand its connection to another.
    """
    can_share = sys.platform != "win32"
    cores = count_cores() if can_share else 1
    most = PROCESSES_A_CORE * cores if can_share else 1
    if n_process != -1 and not 1 <= n_process <= most:
        choice = f"1 to {most}, or -1 for one a core" if can_share else "1 on Windows"
        raise ValueError(f"n_process={n_process}; use {choice}")
    return cores if n_process == -1 else n_process


def count_cores() -> int:
    """Cores that this process may use; where the system does not tell, those of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
