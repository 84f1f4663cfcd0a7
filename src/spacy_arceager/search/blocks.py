"""A batch of sentences, checked and cut into blocks that are parsed one after the other."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from ..network.lower_layer import check_vectors
from ..network.scorer import Scorer

# Words a block: so few that the lower layer stays in the cache, so many that its products for
# few words at a time are worth while.
BLOCK = 768


class Block(NamedTuple):
    """Some sentences of a batch.

    sentences: their indices. words: (n_words,), the indices of their words. vectors: (n_words,
    width) float32. lengths: (n_sentences,) int32. boundaries: (n_words,) int32.
    """

    sentences: list[int]
    words: NDArray
    vectors: NDArray
    lengths: NDArray
    boundaries: NDArray


def check_lengths(lengths: ArrayLike, n_words: int) -> NDArray:
    """The words of each sentence as int32. Raises ValueError where they are not n_words."""
    lengths = numpy.asarray(lengths)
    if lengths.ndim != 1 or (lengths.size and lengths.dtype.kind not in "iu"):
        raise ValueError("Lengths of sentences must be a list of whole numbers")
    if lengths.size and lengths.min() < 0:
        raise ValueError(f"A sentence of {lengths.min()} words")
    if int(lengths.sum()) != n_words:
        raise ValueError(f"{n_words} vectors for {int(lengths.sum())} words")
    return lengths.astype("i")


def check_boundaries(boundaries: ArrayLike | None, n_words: int) -> NDArray:
    """Boundaries that are given, as int32; none where they are None.

    Raises ValueError where they are not (n_words,) of 0, 1 and 2.
    """
    if boundaries is None:
        return numpy.zeros((n_words,), dtype="i")
    boundaries = numpy.asarray(boundaries)
    if boundaries.shape != (n_words,) or not numpy.isin(boundaries, (0, 1, 2)).all():
        raise ValueError(f"Boundaries must be 0, 1 or 2 for each of {n_words} words")
    return boundaries.astype("i")


def cut_into_blocks(
    scorer: Scorer,
    vectors: NDArray,
    lengths: ArrayLike,
    boundaries: ArrayLike | None,
    by_length: bool,
) -> Iterator[Block]:
    """Check a batch and cut it into blocks of about BLOCK words, those without words left out.

    by_length: sentences of like length in one block, which end together.
    Raises ValueError or TypeError where the arguments do not belong together.
    """
    vectors = check_vectors(scorer, vectors)
    lengths = check_lengths(lengths, len(vectors))
    boundaries = check_boundaries(boundaries, len(vectors))
    starts = numpy.cumsum(lengths) - lengths
    order = numpy.argsort(lengths, kind="stable").tolist() if by_length else range(lengths.size)
    for block in split(order, lengths.tolist()):
        words = words_of(starts[block], lengths[block])
        if words.size:
            yield Block(block, words, vectors[words], lengths[block], boundaries[words])


def words_of(starts: NDArray, lengths: NDArray) -> NDArray:
    """The words of some sentences, (n_words,), by the first word and the length of each."""
    ends = numpy.cumsum(lengths)
    moved = numpy.repeat(starts - ends + lengths, lengths)
    return moved + numpy.arange(moved.size)


def split(order: Iterable[int], lengths: Sequence[int]) -> Iterator[list[int]]:
    """Cut a sequence of sentences into blocks of about BLOCK words."""
    block: list[int] = []
    size = 0
    for i in order:
        if block and size + lengths[i] > BLOCK:
            yield block
            block, size = [], 0
        block.append(i)
        size += lengths[i]
    if block:
        yield block
