"""Freed arrays are used again, without asking the system for their pages."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
import numpy
from spacy_arceager.kernels.freed_memory import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        arrays = [numpy.ones(1_000_000, dtype="i1") for _ in range(20)]
        del arrays
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

without = faults()
keep_freed_memory()
faults()
print(without, faults())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc alone does so")
def test_pages_are_asked_for_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    without, kept = map(int, done.stdout.split())
    assert without > 10_000 > 100 > kept
