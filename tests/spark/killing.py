"""A parser of partitions that kills its process, or that above it, in the middle of one."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark import TaskContext

import spacy_arceager.spark
from spacy_arceager.spark.partition import PartitionParser


def kill_worker() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_executor() -> None:
    """The executor starts a daemon of Python, which starts this process."""
    stat = Path(f"/proc/{os.getppid()}/stat").read_text()
    executor = int(stat.rpartition(")")[2].split()[1])
    assert "java" in os.readlink(f"/proc/{executor}/exe")  # noqa: PTH115
    os.kill(executor, signal.SIGKILL)


class Killing:
    """Parses, and kills once when some parts of one partition have been handed over.

    marker: a file that is made before, and tells that it was done.
    """

    def __init__(
        self, parser: PartitionParser, kill: Callable[[], None], marker: str
    ) -> None:
        self.parser = parser
        self.kill = kill
        self.marker = Path(marker)

    def __call__(self, batches: Iterator) -> Iterator:
        context = TaskContext.get()
        for number, batch in enumerate(self.parser(batches)):
            if (context.partitionId(), number) == (1, 2) and not self.marker.exists():
                self.marker.touch()
                self.kill()
            yield batch


def kill_once(
    kill: Callable[[], None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Let `parse` kill what parses one of its partitions; the file that is there once it has."""
    marker = folder / "killed"
    monkeypatch.setattr(
        spacy_arceager.spark,
        "PartitionParser",
        lambda *arguments: Killing(PartitionParser(*arguments), kill, str(marker)),
    )
    return marker
