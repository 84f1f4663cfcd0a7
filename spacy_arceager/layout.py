"""The sentences of a Doc before and after the parser has found boundaries of its own."""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from .doc_annotation import sentence_words


class Layout(NamedTuple):
    """The words and sentences of a Doc; see `sentence_words`.

    words: (n_words,) int32, token indices. lengths: (n_sentences,) int32, words of each.
    starts: (n_sentences,) int32, the first token of each.
    """

    words: NDArray
    lengths: NDArray
    starts: NDArray


def find_layout(doc: Doc) -> Layout:
    """The sentences of a Doc by the boundaries that are set; otherwise it is one."""
    return Layout(*sentence_words(doc))


def whole(layout: Layout) -> Layout:
    """The same words as one sentence, for a system that finds boundaries."""
    return Layout(
        layout.words,
        numpy.asarray([layout.words.size], dtype="i"),
        numpy.zeros((1,), dtype="i"),
    )


def first_words(layout: Layout) -> NDArray:
    """Where in `words` each sentence that has any begins."""
    firsts = numpy.cumsum(layout.lengths) - layout.lengths
    return firsts[layout.lengths > 0]


def split(layout: Layout, heads: NDArray, begins: NDArray) -> tuple[Layout, NDArray]:
    """The sentences that the parser found in a Doc, those of a layout among them.

    heads: (n_words,) counted from the first word of the Doc. begins: (n_words,) bool, where a
    sentence begins.
    Returns the new layout, and heads counted from the first word of the sentence.
    """
    words, lengths, starts = layout
    firsts = numpy.flatnonzero(begins)
    sizes = numpy.diff([*firsts, words.size])
    # A sentence that was there starts with its white space, a new one with its first word.
    first_tokens = words[firsts]
    first_tokens[numpy.isin(firsts, first_words(layout))] = starts[lengths > 0]
    empty = starts[lengths == 0]
    new_starts = numpy.concatenate([first_tokens, empty])
    new_lengths = numpy.concatenate([sizes, numpy.zeros_like(empty)])
    order = numpy.argsort(new_starts, kind="stable")
    return (
        Layout(words, new_lengths[order].astype("i"), new_starts[order].astype("i")),
        (heads - numpy.repeat(firsts, sizes)).astype("i"),
    )
