"""Greedy decoding: each sentence takes the best-scored legal transition until it ends."""

from collections.abc import Iterable, Iterator, Sequence

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from .scorer import Scorer

# vectors: (n_words, width). lengths: (n_sentences,). Returns heads and labels, (n_words,):
# heads count from the sentence's first word, a root is its own head and has label -1.
def parse(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32]]:
    """Parse sentences with the model's best transitions."""

# lengths: words of every sentence, also of those that are not in `order`.
def split_into_blocks(
    order: Iterable[int], lengths: Sequence[int] | NDArray[numpy.integer]
) -> Iterator[list[int]]:
    """Cut a sequence of sentences into blocks of about BLOCK words."""

def parse_block(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    memory: NDArray[numpy.float32],
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32]]:
    """Parse one block of sentences; as `parse`. memory: see Scorer.precompute, table."""
