"""Errors that a client gets as JSON: what is wrong, and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

LONGEST_MESSAGE = 1_000     # characters


def as_sentence(error: object) -> str:
    """The message of an error with a full stop. What lists very much is cut."""
    message = str(error)
    if len(message) > LONGEST_MESSAGE:
        return f"{message[:LONGEST_MESSAGE]} …"
    return message if message.endswith((".", "?")) else f"{message}."


class ServeError(Exception):
    """A request that is not answered.

    Args:
        status: the status of HTTP: 400 a request that cannot be read, 413 too long, 415 not JSON,
            422 a request that cannot be met, 429 too many requests, 503 busy or too slow.
        message: what is wrong, and what to do.
        retry_after: after how many seconds the client may try again; None if that does not help.
    """

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.retry_after = retry_after


@contextmanager
def refused(kind: type[ValueError] = ValueError) -> Iterator[None]:
    """Make an error of this kind one of the client: what was asked for cannot be met."""
    try:
        yield
    except kind as error:
        raise ServeError(422, as_sentence(error)) from None
