"""Sentence boundaries of a Doc, and which of them were given before a parser found others.

A parser that finds boundaries writes them to `is_sent_start`, where they look like given ones. A
second parse that took them as given could differ from the first, because given boundaries remove
hypotheses from a beam. The Doc therefore remembers which boundaries were given.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy
from numpy.typing import NDArray
from spacy.attrs import SENT_START
from spacy.tokens import Doc

from .tokens import read_boundaries
from .user_data import key_of

# The key has the form of an extension of a span, which `Doc.from_docs` keeps without a warning.
KEY = key_of("arceager_boundaries", 0)


def given_boundaries(doc: Doc) -> NDArray[numpy.int8]:
    """`is_sent_start` of each token as it was before a parser found boundaries: (n_tokens,).

    The values are 1 for True, -1 for False and 0 for unset. If the boundaries have been changed
    since the parser set them, all that stand in the Doc count as given.
    """
    now = read_boundaries(doc)
    before_parse, after_parse = doc.user_data.get(KEY, (b"", b""))
    return numpy.frombuffer(before_parse, "i1") if after_parse == now.tobytes() else now


@contextmanager
def taken_as_given(doc: Doc) -> Iterator[None]:
    """Let the boundaries that a parser found count as given for a while."""
    kept = doc.user_data.pop(KEY, None)
    try:
        yield
    finally:
        if kept is not None:
            doc.user_data[KEY] = kept


def remember_boundaries(doc: Doc, boundaries: NDArray[numpy.int8]) -> None:
    """Remember the given boundaries; to be called once the parser's boundaries are written."""
    doc.user_data[KEY] = boundaries.tobytes(), read_boundaries(doc).tobytes()


def write_boundaries(doc: Doc, boundaries: NDArray) -> None:
    """Write `is_sent_start` of each token, also in a Doc that is parsed.

    Args:
        boundaries: (n_tokens,) ints, 1 for True, -1 for False and 0 for unset.
    """
    values = boundaries.astype("int64").astype("uint64").reshape(-1, 1)
    doc.from_array([SENT_START], values)  # type: ignore[arg-type]
