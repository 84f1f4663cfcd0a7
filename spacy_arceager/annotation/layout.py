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
    """The sentences of a Doc by the boundaries that are set; a Doc without any is one sentence.

    Args:
        boundaries: (n_tokens,) int8, 1 where a sentence starts. None stands for the boundaries that
            are set in the Doc.
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
    """The sentences of a Doc by the boundaries that did not come from the parser.

    Args:
        segment: whether the parser finds boundaries, so that some in the Doc can be its own.
    """
    return find_layout(doc, given_boundaries(doc) if segment else None)


def find_units(doc: Doc, segment: bool) -> Layout:
    """What is parsed as one: the sentences of a Doc, or the whole Doc.

    Args:
        segment: whether the parser finds boundaries, for which it has to see the whole Doc.
    """
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
    """The places in `layout.words` at which the sentences begin that have words: (n,)."""
    firsts = numpy.cumsum(layout.lengths) - layout.lengths
    return firsts[layout.lengths > 0]


def split(layout: Layout, heads: NDArray, begins: NDArray) -> tuple[Layout, NDArray]:
    """Cut the parse of a whole Doc into the parses of the sentences that the parser found.

    Args:
        layout: the sentences by the boundaries that were given; the parser keeps them all.
        heads: (n_words,) counted from the first word of the Doc.
        begins: (n_words,) bool, where the parser lets a sentence begin.

    Returns:
        The layout of the sentences, and heads counted from the first word of each sentence.
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
    """Where the vectors of words stand among the vectors of all tokens of Docs: (n_words,) ints.

    Args:
        words: token indices of the words of each Doc.
    """
    offsets = numpy.cumsum([0] + [len(doc) for doc in docs])
    return numpy.concatenate(
        [indices + offset for indices, offset in zip(words, offsets)]
        or [numpy.zeros((0,), dtype="i")]
    )


def slices(sizes: Iterable[int]) -> Iterator[slice]:
    """The slices of parts that lie one behind the other, given the size of each part."""
    end = 0
    for size in sizes:
        yield slice(end, end + size)
        end += size
