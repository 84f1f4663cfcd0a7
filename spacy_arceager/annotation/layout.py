"""The sentences and the units of a Doc. A unit is what the parser searches as one.

For a parser that finds boundaries itself the unit is the whole Doc, otherwise the sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc, Span

from .boundaries import given_boundaries
from .tokens import sentence_words


class Layout(NamedTuple):
    """The words and sentences, or units, of a Doc; see `sentence_words`.

    Attributes:
        words: (n_words,) int32, token indices.
        lengths: (n_sentences,) int32, the number of words of each sentence.
        starts: (n_sentences,) int32, the first token of each sentence.
    """

    words: NDArray
    lengths: NDArray
    starts: NDArray


def find_layout(doc: Doc, boundaries: NDArray | None = None) -> Layout:
    """The sentences of a Doc; a Doc without boundaries is one sentence.

    Args:
        boundaries: (n_tokens,) int8, 1 where a sentence starts. None stands for the boundaries that
            are set in the Doc.
    """
    return Layout(*sentence_words(doc, boundaries))


def whole(layout: Layout) -> Layout:
    """The same words as one unit, for a system that finds boundaries."""
    return Layout(
        layout.words,
        numpy.asarray([layout.words.size], dtype="i"),
        numpy.zeros((1,), dtype="i"),
    )


def given_layout(doc: Doc, segment: bool) -> Layout:
    """The sentences of a Doc by the boundaries that did not come from the parser.

    Args:
        segment: whether the parser finds boundaries, so that some in the Doc may come from it.
    """
    return find_layout(doc, given_boundaries(doc) if segment else None)


def find_units(doc: Doc, segment: bool) -> Layout:
    """The units of a Doc: its sentences, or the whole Doc for a parser that finds boundaries."""
    layout = given_layout(doc, segment)
    return whole(layout) if segment else layout


def sentence_numbers(*layouts: Layout) -> NDArray:
    """A number for each word of a Doc, the same for words of one sentence: (n_words,).

    If there are several layouts of the Doc, words have the same number only if they are in one
    sentence in each of them.
    """
    # The numbers of each layout never fall, so the sum changes wherever one of them changes.
    return numpy.sum(
        [numpy.repeat(numpy.arange(layout.lengths.size), layout.lengths) for layout in layouts],
        axis=0,
    )


def first_words(layout: Layout) -> NDArray:
    """The places in `layout.words` at which sentences begin, without empty ones: (n,)."""
    firsts = numpy.cumsum(layout.lengths) - layout.lengths
    return firsts[layout.lengths > 0]


def split(layout: Layout, heads: NDArray, begins: NDArray) -> tuple[Layout, NDArray]:
    """Cut the parse of a whole Doc into the parses of the sentences that the parser found.

    Args:
        layout: the sentences by the given boundaries, all of which the parser keeps.
        heads: (n_words,) heads, counted from the first word of the Doc.
        begins: (n_words,) bool, where a sentence begins by the parse.

    Returns:
        The layout of the sentences, and heads counted from the first word of each sentence.
    """
    words = layout.words
    if not words.size:
        return layout, heads
    firsts = numpy.flatnonzero(begins)
    sizes = numpy.diff([*firsts, words.size])
    # A given sentence starts with the white space before its first word, a new one with the word.
    starts = words[firsts]
    starts[numpy.isin(firsts, first_words(layout))] = layout.starts
    return (
        Layout(words, sizes.astype("i"), starts),
        (heads - numpy.repeat(firsts, sizes)).astype("i"),
    )


def word_rows(docs: Sequence[Doc], words: Iterable[NDArray]) -> NDArray:
    """The rows of words in an array with a row for each token of all Docs: (n_words,) ints.

    Args:
        words: token indices of the words of each Doc.
    """
    offsets = numpy.cumsum([0] + [len(doc) for doc in docs])
    return numpy.concatenate(
        [indices + offset for indices, offset in zip(words, offsets)]
        or [numpy.zeros((0,), dtype="i")]
    )


def sentences_of(doc: Doc) -> Iterable[Span]:
    """The sentences of a Doc; a Doc without boundaries is one sentence, an empty one has none."""
    if doc.has_annotation("SENT_START"):
        return doc.sents
    return [doc[:]] if len(doc) else []


def slices(sizes: Iterable[int]) -> Iterator[slice]:
    """The slices of an array whose parts, of these sizes, lie one behind the other."""
    end = 0
    for size in sizes:
        yield slice(end, end + size)
        end += size
