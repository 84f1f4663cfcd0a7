"""What a process does with documents, and what comes back of each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple

from ..formats.document import Value, Writer
from .pipeline import Source

if TYPE_CHECKING:
    from spacy import Language


@dataclass(frozen=True)
class Job(Generic[Value]):
    """The pipeline that parses documents, and how they are written.

    Attributes:
        writer: takes the loaded pipeline, which it may change, and returns the function that writes
            a document. It raises ValueError if the pipeline's documents cannot be written, and it
            can be pickled.
    """

    source: Source
    writer: "Callable[[Language], Writer[Value]]"


class Failure(NamedTuple):
    """Why a document has no parse.

    Attributes:
        title: what happened, in one line.
        reason: why it happened, and to which document.
    """

    title: str
    reason: str

    def __str__(self) -> str:
        return f"{self.title} {self.reason}"


@dataclass(frozen=True)
class Parsed(Generic[Value]):
    """What is written of a document, or why nothing is written. One of the two is None.

    Attributes:
        n_words: how many words a document has of which something is written.
    """

    value: Value | None
    failure: Failure | None = None
    n_words: int = 0
