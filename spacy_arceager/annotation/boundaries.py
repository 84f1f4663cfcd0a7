"""Sentence boundaries of a Doc: those that were given, apart from those that a parser found.

A parser that finds boundaries writes them to `is_sent_start`, where they look like given ones.
To a beam that makes a difference: given boundaries cut hypotheses and leave room for others.
So what was given is remembered in the Doc, and a Doc that is parsed again is parsed as before.
"""

from typing import Any

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from .tokens import read_boundaries

# As spaCy names what belongs to a span, which `Doc.from_docs` keeps without a warning.
KEY: Any = ("._.", "arceager_boundaries", 0, None)


def given_boundaries(doc: Doc) -> NDArray[numpy.int8]:
    """`is_sent_start` of each token as it was before a parser found boundaries: (n_tokens,).

    1 where it is True, -1 where it is False, 0 where it is not set. Where the boundaries are no
    longer those that the parser found, they are taken as given.
    """
    now = read_boundaries(doc)
    given, found = doc.user_data.get(KEY, (b"", b""))
    return numpy.frombuffer(given, "i1") if found == now.tobytes() else now


def take_as_given(doc: Doc) -> None:
    """Let the boundaries that a parser found count as given from here on."""
    doc.user_data.pop(KEY, None)


def remember_boundaries(doc: Doc, given: NDArray[numpy.int8]) -> None:
    """Remember which boundaries were given, after those that the parser found are written."""
    doc.user_data[KEY] = given.tobytes(), read_boundaries(doc).tobytes()
