"""Arcs that are fixed before parsing: `doc._.arceager_fixed_arcs`.

A list of (dependent, head) or (dependent, head, label), token indices; a root is its own
head. A tuple, a set or a NumPy array will do. The parser finds the best tree that has them.
"""

from collections.abc import Collection, Iterable, Iterator
from operator import index
from typing import Any, NoReturn

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..corpus.extensions import is_set
from ..errors import ConstraintError
from .layout import Layout
from .projective import is_decorated

NAME = "arceager_fixed_arcs"
FREE = -1

if not Doc.has_extension(NAME):
    Doc.set_extension(NAME, default=None)


def has_fixed_arcs(doc: Doc) -> bool:
    """Whether any arc of a Doc is fixed."""
    return is_set(doc, NAME) and bool(given_arcs(doc))


def refuse_fixed_arcs(docs: Iterable[Doc], system: str, why: str) -> None:
    """Raise ConstraintError for the first Doc with fixed arcs, which a system cannot keep."""
    if any(map(has_fixed_arcs, docs)):
        raise ConstraintError(
            f"The parser cannot keep fixed arcs (doc._.{NAME}) with system '{system}': {why}"
        )


def fixed_words(doc: Doc, layout: Layout) -> NDArray:
    """(n_words,) bool, whether the head of a word is fixed."""
    return numpy.isin(layout.words, [arc[0] for arc in read_arcs(doc)])


def fixed_arrays(
    doc: Doc, layout: Layout, given: Layout, labels: dict[str, int]
) -> tuple[NDArray, NDArray, NDArray]:
    """Fixed heads, counted from the sentence's first word, and labels of the words of a Doc.

    Args:
        layout: what is parsed as one.
        given: the sentences by boundaries that no arc may cross.

    Returns:
        Three (n_words,) int32 arrays: heads and labels, -1 where free, and 1 where no sentence may
        start because a fixed arc passes over.

    Raises:
        ConstraintError: For an arc that no tree can have.
    """
    n = layout.words.size
    heads = numpy.full((n,), FREE, dtype="i")
    fixed_labels = numpy.full((n,), FREE, dtype="i")
    no_start = numpy.zeros((n,), dtype="i")
    position = {int(token): i for i, token in enumerate(layout.words)}
    sentence = numpy.repeat(numpy.arange(given.lengths.size), given.lengths)
    first = numpy.repeat(numpy.cumsum(layout.lengths) - layout.lengths, layout.lengths)
    for dependent, head, label in read_arcs(doc):
        arc = f"The fixed arc from {named(doc, head)} to {named(doc, dependent)}"
        for token in (dependent, head):
            if token not in position:
                raise ConstraintError(
                    f"{arc} does not join two words of the Doc: {named(doc, token)} is none"
                )
        d, h = position[dependent], position[head]
        if sentence[d] != sentence[h]:
            raise ConstraintError(f"{arc} crosses a sentence boundary that is set")
        if heads[d] not in (FREE, h - first[d]):
            raise ConstraintError(f"{named(doc, dependent)} has two fixed heads")
        heads[d] = h - first[d]
        no_start[min(d, h) + 1 : max(d, h) + 1] = 1
        if label and d != h:
            if label not in labels or is_decorated(label):
                raise ConstraintError(
                    f"The parser does not know the fixed label '{label}' of "
                    f"{named(doc, dependent)}"
                )
            if fixed_labels[d] not in (FREE, labels[label]):
                raise ConstraintError(f"{named(doc, dependent)} has two fixed labels")
            fixed_labels[d] = labels[label]
    return heads, fixed_labels, no_start


def given_arcs(doc: Doc) -> Collection[Any]:
    """The fixed arcs of a Doc as they were given; ConstraintError where they are no list."""
    arcs = doc._.get(NAME)
    if arcs is None:
        return ()
    if isinstance(arcs, numpy.ndarray):
        arcs = arcs.tolist()
    if not isinstance(arcs, (list, tuple, set, frozenset)):
        raise ConstraintError(
            f"doc._.{NAME} is {arcs!r:.60}; give a list of (dependent, head) or "
            "(dependent, head, label)"
        )
    return arcs


def read_arcs(doc: Doc) -> Iterator[tuple[int, int, str]]:
    """The fixed arcs as (dependent, head, label), with an empty label where it is free.

    Raises:
        ConstraintError: For what is no arc between two tokens.
    """
    for arc in given_arcs(doc):
        try:
            dependent, head, label = arc if len(arc) == 3 else (*arc, None)
            dependent, head = index(dependent), index(head)
        except (TypeError, ValueError):
            dependent = head = -1
        if not (0 <= min(dependent, head) <= max(dependent, head) < len(doc)):
            raise ConstraintError(
                f"The fixed arc {arc!r:.60} is not (dependent, head) or (dependent, head, label) "
                f"with tokens from 0 to {len(doc) - 1}"
            )
        if not isinstance(label, (str, type(None))):
            raise ConstraintError(
                f"The fixed label {label!r:.60} of {named(doc, dependent)} is no string"
            )
        yield dependent, head, label or ""


def named(doc: Doc, token: int) -> str:
    """A token for messages."""
    return f"{doc[token].text!r} ({token})"


def refuse_impossible_arcs(doc: Doc, words: NDArray, fixed: NDArray) -> NoReturn:
    """Raise ConstraintError for a sentence of which no parse has all fixed heads.

    Args:
        words: token indices of its words.
        fixed: (n_words,) fixed heads.
    """
    arcs = ", ".join(
        f"{doc[int(words[head])]} -> {doc[int(words[word])]}"
        for word, head in enumerate(fixed)
        if head != FREE
    )
    raise ConstraintError(
        f"No tree of the parser's transition system has all the fixed arcs of the sentence "
        f"'{doc[int(words[0]) : int(words[-1]) + 1].text}': {arcs}"
    )
