"""The sentences of a Doc before and after the parser has found boundaries of its own."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from .boundaries import given_boundaries
from .tokens import sentence_words


class Layout(NamedTuple):
    """The words and sentences of a Doc; see `sentence_words`.

    Attributes:
        words: (n_words,) int32, token indices.
        lengths: (n_sentences,) int32, words of each.
        starts: (n_sentences,) int32, the first token of each.
    """

    words: NDArray
    lengths: NDArray
    starts: NDArray


def find_layout(doc: Doc, boundaries: NDArray | None = None) -> Layout:
    """The sentences of a Doc by the boundaries that are set; otherwise it is one.

    Args:
        boundaries: (n_tokens,) int8, 1 where a sentence starts, instead of those that are set.
    """
    return Layout(*sentence_words(doc, boundaries))


def whole(layout: Layout) -> Layout:
    """The same words as one sentence, for a system that finds boundaries."""
    return Layout(
        layout.words,
        numpy.asarray([layout.words.size], dtype="i"),
        numpy.zeros((1,), dtype="i"),
    )


def given_layout(doc: Doc, segment: bool) -> Layout:
    """The sentences of a Doc before a parser finds boundaries, if it does: `segment`."""
    return find_layout(doc, given_boundaries(doc) if segment else None)


def find_units(doc: Doc, segment: bool) -> Layout:
    """What is parsed as one: sentences, or the Doc where boundaries are found too."""
    layout = given_layout(doc, segment)
    return whole(layout) if segment else layout


def sentence_numbers(*layouts: Layout) -> NDArray:
    """A number for each word of a Doc, the same for words of one sentence: (n_words,).

    Of several layouts of one Doc, words are of one sentence if they are in each of them.
    """
    # Numbers that never fall: their sum changes where one of them does.
    return numpy.sum(
        [numpy.repeat(numpy.arange(layout.lengths.size), layout.lengths) for layout in layouts],
        axis=0,
    )


def first_words(layout: Layout) -> NDArray:
    """Where in `words` each sentence that has any begins."""
    firsts = numpy.cumsum(layout.lengths) - layout.lengths
    return firsts[layout.lengths > 0]


def split(layout: Layout, heads: NDArray, begins: NDArray) -> tuple[Layout, NDArray]:
    """The sentences that the parser found in a Doc, those of a layout among them.

    Args:
        heads: (n_words,) counted from the first word of the Doc.
        begins: (n_words,) bool, where a sentence begins.

    Returns:
        The new layout, and heads counted from the first word of the sentence.
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


def word_rows(docs: Sequence[Doc], words: Iterable[NDArray]) -> NDArray:
    """Rows of words in the stacked vectors of all tokens of Docs: (n_words,) ints.

    Args:
        words: token indices of the words of each Doc.
    """
    offsets = numpy.cumsum([0] + [len(doc) for doc in docs])
    return numpy.concatenate(
        [indices + offset for indices, offset in zip(words, offsets)]
        or [numpy.zeros((0,), dtype="i")]
    )


def slices(sizes: Iterable[int]) -> Iterator[slice]:
    """Where parts of such sizes lie one after the other."""
    end = 0
    for size in sizes:
        yield slice(end, end + size)
        end += size
