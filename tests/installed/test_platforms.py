"""Systems without what only Linux has, such as macOS and Windows."""

import os
import subprocess
import sys

import pytest

from spacy_arceager.processes import PROCESSES_A_CORE, count_processes

# What others import from them is imported before.
OTHERS = """
import concurrent.futures.thread, os, spacy
for name in "sched_getaffinity", "register_at_fork":
    vars(os).pop(name, None)
from spacy_arceager.cli import app
app(["parse", "It parses.", "--format", "tree", "--ascii"])
"""


def test_the_command_parses() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OTHERS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "nsubj" in done.stdout


def test_cores_are_those_of_the_machine_where_no_others_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert count_processes(-1) == 3
    assert count_processes(3 * PROCESSES_A_CORE) == 3 * PROCESSES_A_CORE
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert count_processes(-1) == 1


def test_windows_has_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert count_processes(-1) == count_processes(1) == 1
    with pytest.raises(ValueError, match="n_process=2; use 1 on Windows"):
        count_processes(2)
