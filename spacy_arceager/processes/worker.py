"""A process that parses: `python -m spacy_arceager.processes.worker DESCRIPTOR`.

DESCRIPTOR is the file descriptor of a connection to the process that started this one. The first
message is a Job. The answer is None when the pipeline is loaded, or the error as a string. Each
further message is a list of Documents, and the answer is a list of Parsed, until the connection
ends.
"""

import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from .batches import parse_batch
from .job import Job


def serve(connection: Connection) -> None:
    """Answer messages until the connection ends."""
    job: Job = connection.recv()
    try:
        nlp = job.source.load_for_worker()
        write = job.writer(nlp)
    except Exception as error:  # noqa: BLE001 (a pipeline may raise any error)
        connection.send(f"{type(error).__name__}: {error}")
        return
    connection.send(None)
    while True:
        connection.send(parse_batch(nlp, connection.recv(), write))


if __name__ == "__main__":
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        serve(Connection(int(sys.argv[1])))
