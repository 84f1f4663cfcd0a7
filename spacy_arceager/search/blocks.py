"""Checks a batch of sentences, and cuts it into blocks for one thread or several."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import NamedTuple, TypeVar

import numpy
from numpy.typing import ArrayLike, NDArray

from ..machine.rules import WordRules
from ..network.lower_layer import check_vectors
from ..network.scorer import Scorer

# Words of a block. With more words the lower layer would not stay in the cache; with fewer, its
# products would be of too few words at a time.
BLOCK = 768
# Fewer words for each thread are parsed sooner than the thread starts.
MIN_BLOCK = 128

Result = TypeVar("Result")


@cache
def helper_threads(threads: int) -> ThreadPoolExecutor:
    """Threads beside the calling one. They stay alive, since a new thread waits for a core."""
    return ThreadPoolExecutor(threads, "arceager")


# A forked process has none of these threads and must start its own. Windows does not fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=helper_threads.cache_clear)


class SentenceBlock(NamedTuple):
    """Some sentences of a batch.

    Attributes:
        sentences: indices of the sentences in the batch.
        words: (n_words,), indices of their words in the batch.
        vectors: (n_words, width) float32.
        lengths: (n_sentences,) int32.
        boundaries: (n_words,) int32.
        rules: what dependents the words may have; None for any.
    """

    sentences: list[int]
    words: NDArray
    vectors: NDArray
    lengths: NDArray
    boundaries: NDArray
    rules: WordRules | None


def check_lengths(lengths: ArrayLike, n_words: int) -> NDArray:
    """The lengths of sentences as int32. Raises ValueError if they do not sum to n_words."""
    lengths = numpy.asarray(lengths)
    if lengths.ndim != 1 or (lengths.size and lengths.dtype.kind not in "iu"):
        raise ValueError("Lengths of sentences must be a list of whole numbers")
    if lengths.size and lengths.min() < 0:
        raise ValueError(f"A sentence of {lengths.min()} words")
    if int(lengths.sum()) != n_words:
        raise ValueError(f"{n_words} vectors for {int(lengths.sum())} words")
    return lengths.astype("i")


def check_boundaries(boundaries: ArrayLike | None, n_words: int) -> NDArray:
    """The boundaries of words as int32; all are free (0) if the argument is None.

    Raises:
        ValueError: For anything but n_words numbers 0, 1 or 2.
    """
    if boundaries is None:
        return numpy.zeros((n_words,), dtype="i")
    boundaries = numpy.asarray(boundaries)
    known = (boundaries == 0) | (boundaries == 1) | (boundaries == 2)    # faster than `isin`
    if boundaries.shape != (n_words,) or not numpy.all(known):
        raise ValueError(f"Boundaries must be 0, 1 or 2 for each of {n_words} words")
    return boundaries.astype("i")


class Batch:
    """Sentences that are parsed together.

    Args:
        scorer: the model's.
        vectors: (n_words, width), of the words of all sentences, one after the other.
        lengths: words of each sentence.
        boundaries: (n_words,), or None.
        rules: what dependents the words may have; None for any.

    Raises:
        ValueError: For arguments that do not belong together.
        TypeError: For arguments that do not belong together.
    """

    def __init__(
        self,
        scorer: Scorer,
        vectors: NDArray,
        lengths: ArrayLike,
        boundaries: ArrayLike | None,
        rules: WordRules | None = None,
    ):
        self.vectors = check_vectors(scorer, vectors)
        self.lengths = check_lengths(lengths, len(self.vectors))
        self.boundaries = check_boundaries(boundaries, len(self.vectors))
        if rules is not None:
            rules.check_words(len(self.vectors))
        self.rules = rules
        self._starts = numpy.cumsum(self.lengths) - self.lengths

    @property
    def longest_block(self) -> int:
        """No block has more words than this."""
        longest = int(self.lengths.max(initial=0))
        return min(BLOCK + longest, len(self.vectors))

    def parse(
        self,
        parse_blocks: Callable[[Iterator[SentenceBlock]], Iterator[Result]],
        threads: int,
    ) -> list[Result]:
        """Everything that `parse_blocks` yields for the blocks of the batch, in any order.

        A block has sentences of similar length, which end together.

        Args:
            parse_blocks: parses one block after the other without the GIL. Each thread calls it
                once, for its share of the blocks.
            threads: how many threads parse, the calling one included. If one of them raises an
                error, the others end after their block, and the error is raised here.
        """
        most, threads = threads, max(1, min(threads, len(self.vectors) // MIN_BLOCK))
        groups = self._split(numpy.argsort(self.lengths, kind="stable"), threads)
        if threads == 1:
            return list(parse_blocks(map(self._cut, groups)))
        remaining = iter(groups)     # next() of a list's iterator is safe in several threads

        def parse_some() -> list[Result]:
            try:
                return list(parse_blocks(map(self._cut, remaining)))
            except BaseException:
                for _ in remaining:
                    pass
                raise

        parts = [helper_threads(most - 1).submit(parse_some) for _ in range(threads - 1)]
        try:
            results = parse_some()
        finally:
            wait(parts)
        return [*results, *(result for part in parts for result in part.result())]

    def _split(self, order: NDArray, threads: int) -> list[NDArray]:
        # Groups of sentences with about equally many words: BLOCK, or fewer if all threads would
        # otherwise not have the same number of groups. Sentences without words are left out.
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
            sentences.tolist(), words, self.vectors[words], lengths, self.boundaries[words],
            None if self.rules is None else self.rules.of_words(words),
        )


def words_of(starts: NDArray, lengths: NDArray) -> NDArray:
    """The indices of the words of sentences that begin at `starts`: (n_words,)."""
    ends = numpy.cumsum(lengths)
    moved = numpy.repeat(starts - ends + lengths, lengths)
    return moved + numpy.arange(moved.size)
