"""A component that brings its process down, and the like: the code that workers are given."""

import os
import resource
import signal
from pathlib import Path

import numpy
from spacy.language import Language
from spacy.tokens import Doc
from threadpoolctl import threadpool_info

LIMIT = 2**33   # of the address space, in bytes; far above what a small pipeline needs
if "TRAP_LIMIT" in os.environ:
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


@Language.component("trap")
def trap(doc: Doc) -> Doc:
    word, _, rest = doc.text.partition(" ")
    if word == "KILL":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "ONCE":      # the rest is a file: the first time it is there
        path = Path(rest)
        if path.exists():
            path.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
    if word == "EXIT":
        os._exit(3)
    if word == "FAIL":
        raise RuntimeError("this text cannot be parsed")
    if word == "EAT":
        numpy.ones(LIMIT, dtype="i1")
    if word == "THREADS":
        raise RuntimeError({pool["num_threads"] for pool in threadpool_info()})
    if word == "PID":
        raise RuntimeError(f"pid {os.getpid()}")
    if word == "MEET":      # the rest is a folder: wait there for another process
        folder = Path(rest)
        (folder / str(os.getpid())).touch()
        meeting = folder.with_name(f"{folder.name}.meeting")
        try:
            os.mkfifo(meeting)
            mode = "r"
        except FileExistsError:
            mode = "w"
        meeting.open(mode).close()      # opens once the other process opens it, too
    return doc
