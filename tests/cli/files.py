"""Folders of outputs, and `parse` in a process of its own."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def folder(path: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in path.iterdir() if file.is_file()}


def start(
    model: Path, *arguments: object, limit: Callable[[], None] = bool, **streams: object
) -> subprocess.Popen:
    code = (
        "import spacy, spacy_arceager; spacy_arceager.load = spacy.load; "
        "from spacy_arceager.cli import app; app()"
    )
    parts = [sys.executable, "-c", code, "parse", "-m", model, *arguments]

    def prepare() -> None:
        # The tests may run in the background, where shells and nohup ignore these signals.
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        limit()

    return subprocess.Popen(
        list(map(str, parts)), preexec_fn=prepare, **streams  # noqa: PLW1509 (no threads)
    )


def feed(process: subprocess.Popen) -> None:
    """Write to the input of a process, which stays open, until it works.

    A pipe holds 64 KiB. Once more than that has been written, the process has read the rest, and
    written what it made of the first lines.
    """
    assert process.stdin
    process.stdin.write(b"Some words here\n" * 20_000)
    process.stdin.flush()
