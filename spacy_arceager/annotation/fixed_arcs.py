"""Arcs that are fixed before parsing: `doc._.arceager_fixed_arcs`.

The value is a list, tuple, set or NumPy array of (dependent, head) or (dependent, head, label).
Words are token indices, and a root is its own head. (dependent, None, label) fixes the label and
leaves the head open. The parser searches for the best tree that has all these arcs.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from operator import index
from typing import Any

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..errors import ConstraintError, did_you_mean
from .label_strings import ROOT_NAMES
from .layout import Layout, sentence_numbers
from .projective import is_decorated

NAME = "arceager_fixed_arcs"
FREE = -1    # stands in arrays of heads and labels where nothing is fixed

Doc.set_extension(NAME, default=None, force=True)


def fixed_arrays(
    doc: Doc, layout: Layout, sentences: Layout, labels: dict[str, int]
) -> tuple[NDArray, NDArray, NDArray]:
    """The heads and labels that are fixed, for all words of a Doc.

    Args:
        layout: the units of the Doc. A unit is what is parsed as one tree, or as one text in which
            the parser finds the boundaries.
        sentences: the sentences by the boundaries that were given; no arc may cross a boundary.
        labels: the number of each label that the parser knows.

    Returns:
        Three (n_words,) int32 arrays. The first has heads, counted from the first word of the unit,
        and the second labels; both have FREE where nothing is fixed. The third has 1 at each word
        at which no sentence may start because a fixed arc leads over it, otherwise 0.

    Raises:
        ConstraintError: For an arc that no tree can have.
    """
    n = layout.words.size
    heads = numpy.full((n,), FREE, dtype="i")
    fixed_labels = numpy.full((n,), FREE, dtype="i")
    no_start = numpy.zeros((n,), dtype="i")
    position = {int(token): i for i, token in enumerate(layout.words)}
    sentence = sentence_numbers(layout, sentences)
    first = numpy.repeat(numpy.cumsum(layout.lengths) - layout.lengths, layout.lengths)
    for dependent, head, label in read_arcs(doc):
        if head is None:
            continue    # `forbidden.read_bans` takes care of labels without a head
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
                raise unknown_label(doc, dependent, label, labels)
            if fixed_labels[d] not in (FREE, labels[label]):
                raise ConstraintError(f"{named(doc, dependent)} has two fixed labels")
            fixed_labels[d] = labels[label]
    return heads, fixed_labels, no_start


def read_items(doc: Doc, name: str = NAME) -> Collection[Any]:
    """The items of an extension that lists constraints. Raises ConstraintError for no list."""
    items = doc._.get(name)
    if items is None:
        return ()
    if isinstance(items, numpy.ndarray):
        items = items.tolist()
    if not isinstance(items, (list, tuple, set, frozenset)):
        raise ConstraintError(f"doc._.{name} is {items!r:.60}; give a list of tuples")
    return items


def read_arcs(
    doc: Doc, name: str = NAME, kind: str = "fixed"
) -> Iterator[tuple[int, int | None, str]]:
    """The arcs of an extension as (dependent, head, label), with the label "" where it is free.

    The head of a root is the word itself, also where the label alone says that it is one.

    Raises:
        ConstraintError: For an item that is no such arc.
    """
    arcs = read_items(doc, name)
    if all(isinstance(arc, tuple) for arc in arcs):
        with suppress(TypeError):     # a tuple may hold what cannot be hashed
            arcs = dict.fromkeys(arcs)      # some programs give the same arc many times
    for arc in arcs:
        try:
            dependent, head, label = arc if len(arc) == 3 else (*arc, None)
            dependent = index(dependent)
            if head is None and label:
                head = dependent if label in ROOT_NAMES else None
            else:
                head = index(head)
        except (TypeError, ValueError):
            dependent = head = -1
        if not all(0 <= token < len(doc) for token in (dependent, head) if token is not None):
            raise ConstraintError(
                f"The {kind} arc {arc!r:.60} is not (dependent, head), (dependent, head, label) or "
                f"(dependent, None, label) with tokens from 0 to {len(doc) - 1}"
            )
        if not isinstance(label, (str, type(None))):
            raise ConstraintError(
                f"The {kind} label {label!r:.60} of {named(doc, dependent)} is no string"
            )
        yield dependent, head, label or ""


def unknown_label(
    doc: Doc, dependent: int, label: str, labels: Iterable[str]
) -> ConstraintError:
    """The error for a fixed label that the parser does not know."""
    return ConstraintError(
        f"The parser does not know the fixed label '{label}' of {named(doc, dependent)}"
        + did_you_mean(label, labels)
    )


def named(doc: Doc, token: int) -> str:
    """How messages name a token."""
    return f"{doc[token].text!r} ({token})"
