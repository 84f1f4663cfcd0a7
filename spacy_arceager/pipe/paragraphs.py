"""The component `arceager_paragraphs`: sentences end at empty lines."""

import numpy
from numpy.typing import NDArray
from spacy.attrs import IS_SPACE
from spacy.tokens import Doc

from ..annotation.boundaries import write_boundaries
from ..annotation.tokens import read_boundaries


class Paragraphs:
    """Sets the sentence boundaries that empty lines tell, for the components behind it.

    The word behind an empty line starts a sentence; the white space itself does not. Boundaries
    that are set already stay as they are. What finds the other boundaries, such as spaCy's
    `senter` or a parser, keeps these.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, doc: Doc) -> Doc:
        """Set the boundaries at empty lines."""
        spaces = numpy.flatnonzero(doc.to_array([IS_SPACE])).tolist()
        if spaces:
            before = read_boundaries(doc)
            boundaries = numpy.where(before == 0, boundaries_at(doc, spaces), before)
            if (boundaries != before).any():
                write_boundaries(doc, boundaries)
        return doc


def boundaries_at(doc: Doc, spaces: list[int]) -> NDArray[numpy.int8]:
    """Where sentences start by the tokens of white space: (n_tokens,), 1 yes, -1 no, 0 unknown."""
    boundaries = numpy.zeros(len(doc) + 1, dtype="int8")
    known = set(spaces)
    for i in spaces:
        if i == 0:
            boundaries[1] = -1       # so that white space is no sentence of its own
        elif doc[i].text.count("\n") > 1:
            # After any other white space it is for others to say whether a sentence starts there.
            boundaries[i:i + 2] = -1, 0 if i + 1 in known else 1
    return boundaries[:-1]
