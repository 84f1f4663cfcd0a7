"""What a worker is to do."""

from dataclasses import dataclass

from .pipeline import Source
from .writers import OutputFormat


@dataclass(frozen=True)
class Job:
    """With which pipeline to parse, and how to write."""

    source: Source
    output_format: OutputFormat
    ascii_only: bool = False
