"""Worker processes. Each loads the pipeline once, and sends back what is written of documents.

A worker that dies is replaced. Its documents go to other workers, each document alone. If a worker
dies again of the same document, that document is reported as a failure. The others are parsed.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Generic, cast

from ..formats.document import Document, Value
from .batches import cut_into_batches
from .job import Failure, Job, Parsed

BATCHES_AHEAD = 3       # batches for each worker that are read before their results are needed
DEATHS = 2              # a document that has killed so many workers is not tried again
DEATHS_AT_START = 3     # after so many deaths in a row before the first result, parsing stops
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)


class WorkerError(RuntimeError):
    """The workers cannot load the pipeline, or die while they load it."""


class _Batch(Generic[Value]):
    """Documents whose results are yielded together."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents
        self.results: list[Parsed[Value] | None] = [None] * len(documents)

    @property
    def is_done(self) -> bool:
        return None not in self.results

    def pairs(self) -> Iterator[tuple[Document, Parsed[Value]]]:
        for document, result in zip(self.documents, self.results, strict=True):
            assert result is not None
            yield document, result


class _Task(Generic[Value]):
    """Some documents of a batch, given by their indices. deaths: of workers with this task."""

    def __init__(self, batch: _Batch[Value], places: Sequence[int], deaths: int = 0) -> None:
        self.batch = batch
        self.places = places
        self.deaths = deaths

    @property
    def documents(self) -> list[Document]:
        return [self.batch.documents[i] for i in self.places]

    def finish(self, results: Iterable[Parsed[Value]]) -> None:
        for i, result in zip(self.places, results, strict=True):
            self.batch.results[i] = result

    def split_or_fail(self, title: str, reason: str) -> "list[_Task[Value]]":
        """A task for each document; none if there is one document, which has failed."""
        if len(self.places) > 1:
            return [_Task(self.batch, [i]) for i in self.places]
        (document,) = self.documents
        self.finish([Parsed(None, Failure(title, f"{document.start}: {reason}"))])
        return []

    def after_death(self, how: str) -> "list[_Task[Value]]":
        """The tasks that remain when a worker has died."""
        if len(self.places) == 1 and self.deaths + 1 < DEATHS:
            return [_Task(self.batch, self.places, self.deaths + 1)]
        return self.split_or_fail("A worker died of a document.", how)


class _Worker(Generic[Value]):
    """A process and the connection to it. `task` is None while the process loads or waits."""

    def __init__(self, job: Job[Value]) -> None:
        self.task: _Task[Value] | None = None
        self.is_ready = False
        self.connection, theirs = Pipe()
        with theirs:
            # It gets its own session, because Ctrl-C is meant for the process that writes files.
            self._process = subprocess.Popen(  # noqa: S603 (our own program)
                [sys.executable, "-m", f"{__package__}.worker", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                # Its modules are those of this process, and none of the current folder.
                env={
                    **os.environ, **ONE_THREAD,
                    "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONSAFEPATH": "1",
                },
                stdin=subprocess.DEVNULL,
                stdout=2,       # stdout is for results
                start_new_session=True,
            )
        with suppress(OSError):     # if the worker is dead already, `receive` notices it
            self.connection.send(job)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_busy(self) -> bool:
        return self.task is not None or not self.is_ready

    def give(self, task: _Task[Value], pickled: bytes) -> None:
        """Send a task with its pickled documents. Raises OSError if the process is dead."""
        self.task = task
        self.connection.send_bytes(pickled)

    def receive(self) -> None:
        """Take an answer. Raises EOFError or OSError if the process is dead.

        Raises:
            WorkerError: If the process cannot load the pipeline.
        """
        message = self.connection.recv()
        if self.task is not None:
            self.task.finish(message)
            self.task = None
        elif message is not None:
            raise WorkerError(message)
        self.is_ready = True

    def bury(self) -> str:
        """Wait for a dead process, or end it if it hangs, and say how it ended."""
        self.connection.close()
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if code < 0:
            return f"worker process {self.pid} was ended by {name_of_signal(-code)}"
        return f"worker process {self.pid} ended with exit code {code}"

    def kill(self) -> None:
        self._process.kill()
        self.bury()


def name_of_signal(number: int) -> str:
    """The name of a signal, such as "SIGKILL"; most real-time signals have none."""
    names = {one.value: one.name for one in signal.Signals}
    return names.get(number, f"signal {number}")


class Workers(Generic[Value]):
    """Worker processes that end when the context ends.

    Args:
        batch_size: how many documents go to a worker together, at most.
    """

    def __init__(self, job: Job[Value], n_process: int, batch_size: int | None = None) -> None:
        self._job = job
        self._n_process = n_process
        self._batch_size = batch_size
        self._workers: list[_Worker[Value]] = []
        self._todo: deque[_Task[Value]] = deque()
        self._deaths_at_start = 0

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return [worker.pid for worker in self._workers]

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        while self._workers:
            self._workers.pop().kill()      # a worker has nothing to save

    def parse(self, documents: Iterable[Document]) -> Iterator[tuple[Document, Parsed[Value]]]:
        """Parse documents, and yield each with what is written of it, in their order.

        At most BATCHES_AHEAD batches for each worker are read in advance. A call must be exhausted
        before the next call begins.

        Raises:
            WorkerError: If the workers cannot load the pipeline.
        """
        new = cut_into_batches(documents, self._batch_size)
        batches: deque[_Batch[Value]] = deque()
        while True:
            for documents in islice(new, BATCHES_AHEAD * self._n_process - len(batches)):
                batches.append(_Batch(documents))
                self._todo.append(_Task(batches[-1], range(len(documents))))
            if not batches:
                return
            self._hand_out()
            if batches[0].is_done:
                yield from batches.popleft().pairs()
            else:
                self._receive()

    def _hand_out(self) -> None:
        n_tasks = len(self._todo) + sum(worker.task is not None for worker in self._workers)
        while len(self._workers) < min(self._n_process, n_tasks):
            self._workers.append(_Worker(self._job))
        for worker in list(self._workers):
            if worker.is_busy or (ready := self._next_task()) is None:
                continue
            try:
                worker.give(*ready)
            except OSError:
                self._lose(worker)

    def _next_task(self) -> tuple[_Task[Value], bytes] | None:
        """The next task whose documents can be pickled, with the result; None if there is none."""
        while self._todo:
            task = self._todo.popleft()
            try:
                return task, pickle.dumps(task.documents)
            except Exception as error:  # noqa: BLE001 (pickle may raise any error)
                rest = task.split_or_fail(
                    "Cannot send a document to a worker.", f"{type(error).__name__}: {error}"
                )
                self._todo.extendleft(reversed(rest))
        return None

    def _receive(self) -> None:
        busy = {worker.connection: worker for worker in self._workers if worker.is_busy}
        if not busy:
            return      # the last one has died before it got its task; to wait would have no end
        for connection in wait(list(busy)):
            worker = busy[cast(Connection, connection)]
            try:
                worker.receive()
            except (EOFError, OSError):
                self._lose(worker)
            else:
                self._deaths_at_start = 0

    def _lose(self, worker: _Worker[Value]) -> None:
        # The next call of _hand_out starts another worker.
        self._workers.remove(worker)
        how = worker.bury()
        if worker.task is not None:
            self._todo.extendleft(reversed(worker.task.after_death(how)))
            return
        self._deaths_at_start += 1
        if self._deaths_at_start == DEATHS_AT_START:
            raise WorkerError(f"{how} before it had loaded the pipeline")
