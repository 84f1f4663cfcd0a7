"""What comes back of a document: what is written of it, or why nothing is."""

from typing import Generic, NamedTuple

from ..formats.document import Value


class Failure(NamedTuple):
    """Why a document has no parse. title: what happened, in a line. reason: why."""

    title: str
    reason: str

    def __str__(self) -> str:
        return f"{self.title} {self.reason}"


class Parsed(NamedTuple, Generic[Value]):
    """What is written of a document, or why nothing is: one of them is None."""

    value: Value | None
    failure: Failure | None = None
