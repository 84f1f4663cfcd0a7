"""A process that parses: `python -m spacy_arceager.processes.worker DESCRIPTOR`.

The descriptor is of a connection to the process that started it. First comes a Job, which is
answered by None once the pipeline is loaded, or by why it is not; then batches of Documents, each
answered by a list of Parsed, until the connection ends.
"""

import sys
from contextlib import suppress
from multiprocessing.connection import Connection

from .batches import parse_batch
from .job import Job


def serve(connection: Connection) -> None:
    """Answer until the other side is gone."""
    job: Job = connection.recv()
    try:
        nlp = job.source.load_for_worker()
        write = job.writer(nlp)
    except Exception as error:  # noqa: BLE001 (whatever a pipeline raises, who asked is told)
        connection.send(f"{type(error).__name__}: {error}")
        return
    connection.send(None)
    while True:
        connection.send(parse_batch(nlp, connection.recv(), write))


if __name__ == "__main__":
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        serve(Connection(int(sys.argv[1])))
