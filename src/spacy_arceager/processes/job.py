"""What a worker is to do."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .batches import Writer
from .pipeline import Source
from .writers import OutputFormat, choose_writer, derivation_writer

if TYPE_CHECKING:
    from spacy import Language


@dataclass(frozen=True)
class Job:
    """With which pipeline to parse, and how to write."""

    source: Source
    output_format: OutputFormat
    ascii_only: bool = False

    def writer(self, nlp: "Language") -> Writer[Any]:
        """What is written of a document of a pipeline, which it may change.

        Raises ValueError for a pipeline of which that cannot be written.
        """
        if self.output_format.has_derivations:
            return derivation_writer(nlp)
        return choose_writer(self.output_format, self.ascii_only)
