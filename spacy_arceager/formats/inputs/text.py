"""Plain text: a document a line."""

from ..document import Document
from ..rows import Input, InputFormat, Items


def read_text(source: Input) -> Items:
    """A document of each line that is not blank."""
    for line in source.lines():
        if line.fault:
            yield line.error(*line.fault)
        elif line.text.strip():
            yield Document(line.text, {}, line.place)


TEXT = InputFormat(
    "text", (".txt", ""), "A document a line; blank lines are skipped.", read_text
)
