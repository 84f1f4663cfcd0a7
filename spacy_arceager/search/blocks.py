"""A batch of sentences, checked and cut into blocks that are parsed one after the other, or by
several threads.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import NamedTuple, TypeVar

import numpy
from numpy.typing import ArrayLike, NDArray

from ..network.lower_layer import check_vectors
from ..network.scorer import Scorer

# Words a block: so few that the lower layer stays in the cache, so many that its products for
# few words at a time are worth while.
BLOCK = 768
# Fewer words a thread take less time than to start it.
MIN_BLOCK = 128

Result = TypeVar("Result")


@cache
def helpers(threads: int) -> ThreadPoolExecutor:
    """Threads beside the calling one. They are kept: a new one needs a while to get a core."""
    return ThreadPoolExecutor(threads, "arceager")


# A forked process has none of the threads. Windows does not fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=helpers.cache_clear)


class SentenceBlock(NamedTuple):
    """Some sentences of a batch.

    Attributes:
        sentences: their indices.
        words: (n_words,), the indices of their words.
        vectors: (n_words, width) float32.
        lengths: (n_sentences,) int32.
        boundaries: (n_words,) int32.
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

    Raises:
        ValueError: Where they are not (n_words,) of 0, 1 and 2.
    """
    if boundaries is None:
        return numpy.zeros((n_words,), dtype="i")
    boundaries = numpy.asarray(boundaries)
    if boundaries.shape != (n_words,) or not numpy.isin(boundaries, (0, 1, 2)).all():
        raise ValueError(f"Boundaries must be 0, 1 or 2 for each of {n_words} words")
    return boundaries.astype("i")


class Batch:
    """Sentences that are parsed together.

    Args:
        vectors: (n_words, width), the words of all sentences one after the other.
        lengths: words of each.
        boundaries: (n_words,), or None.

    Raises:
        ValueError: Where the arguments do not belong together.
        TypeError: Where the arguments do not belong together.
    """

    def __init__(
        self,
        scorer: Scorer,
        vectors: NDArray,
        lengths: ArrayLike,
        boundaries: ArrayLike | None,
    ):
        self.vectors = check_vectors(scorer, vectors)
        self.lengths = check_lengths(lengths, len(self.vectors))
        self.boundaries = check_boundaries(boundaries, len(self.vectors))
        self._starts = numpy.cumsum(self.lengths) - self.lengths

    @property
    def longest_block(self) -> int:
        """Words that no block has more of."""
        longest = int(self.lengths.max(initial=0))
        return min(BLOCK + longest, len(self.vectors))

    def parse(
        self,
        parse_blocks: Callable[[Iterator[SentenceBlock]], Iterator[Result]],
        by_length: bool,
        threads: int,
    ) -> list[Result]:
        """What `parse_blocks` yields for blocks of all sentences, in any order.

        Args:
            parse_blocks: parses one block after the other, without the GIL; each thread calls it
                for blocks of its own.
            by_length: sentences of like length in one block, which end together.
            threads: the calling one among them. An error in one ends the others after their block,
                and is raised.
        """
        threads = max(1, min(threads, len(self.vectors) // MIN_BLOCK))
        order = numpy.argsort(self.lengths, kind="stable")
        groups = self._split(order if by_length else numpy.arange(order.size), threads)
        if threads == 1:
            return list(parse_blocks(map(self._cut, groups)))
        left = iter(groups)     # next() of a list's iterator is safe in several threads

        def parse_some() -> list[Result]:
            try:
                return list(parse_blocks(map(self._cut, left)))
            except BaseException:
                for _ in left:
                    pass
                raise

        parts = [helpers(threads - 1).submit(parse_some) for _ in range(threads - 1)]
        try:
            results = parse_some()
        finally:
            wait(parts)
        return [*results, *(result for part in parts for result in part.result())]

    def _split(self, order: NDArray, threads: int) -> list[NDArray]:
        # Groups of sentences with about as many words each: BLOCK, or less so that the threads
        # have equally many groups. Sentences without words are left out.
        order = order[self.lengths[order] > 0]
        ends = numpy.cumsum(self.lengths[order])
        if not ends.size:
            return []
        n_words = int(ends[-1])
        n_groups = threads * -(-n_words // (threads * BLOCK))
        group = (ends - 1) * n_groups // n_words
        return numpy.split(order, numpy.flatnonzero(numpy.diff(group)) + 1)

    def _cut(self, sentences: NDArray) -> SentenceBlock:
        lengths = self.lengths[sentences]
        words = words_of(self._starts[sentences], lengths)
        return SentenceBlock(
            sentences.tolist(), words, self.vectors[words], lengths, self.boundaries[words]
        )


def words_of(starts: NDArray, lengths: NDArray) -> NDArray:
    """The words of some sentences, (n_words,), by the first word and the length of each."""
    ends = numpy.cumsum(lengths)
    moved = numpy.repeat(starts - ends + lengths, lengths)
    return moved + numpy.arange(moved.size)
