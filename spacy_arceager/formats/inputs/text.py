"""Plain text as input. Each line is a document."""

from ..document import Document
from ..rows import Input, InputFormat, Items


def read_text(source: Input) -> Items:
    """A document for each line that is not blank."""
    for line in source.lines():
        if line.fault:
            yield line.error(*line.fault)
        elif line.text.strip():
            yield Document(line.text, {}, line.place)


TEXT = InputFormat(
    "text", (".txt", ""), "A document on each line. Blank lines are skipped.", read_text
)
