"""What a worker is to do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from ..formats.document import Value, Writer
from .pipeline import Source

if TYPE_CHECKING:
    from spacy import Language


@dataclass(frozen=True)
class Job(Generic[Value]):
    """With which pipeline to parse, and how to write.

    Attributes:
        writer: makes what writes the documents of a pipeline, which it may change. It raises
            ValueError for a pipeline of which that cannot be written, and can be pickled.
    """

    source: Source
    writer: "Callable[[Language], Writer[Value]]"
