"""Greedy decoding: each sentence takes the best-scored legal transition until it ends."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from .lower_layer import LowerLayer
from .scorer import Scorer

# vectors: (n_words, width). lengths: (n_sentences,). forbidden_starts: (n_words,). Returns
# heads, labels and starts, (n_words,): heads count from the sentence's first word, a root is
# its own head and has label -1.
def parse(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    forbidden_starts: NDArray[numpy.int32] | None = None,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]]:
    """Parse sentences with the model's best transitions."""

# Returns dependent, head and label of each arc, (n_arcs, 3), words numbered through all
# sentences; and starts, (n_words,).
def parse_graphs(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    forbidden_starts: NDArray[numpy.int32] | None = None,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_]]:
    """Parse sentences to graphs with the model's best transitions."""

# Yields the words of each block, (n,), and its finished LockStep.
def parse_blocks(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    forbidden_starts: NDArray[numpy.int32] | None,
) -> Iterator[tuple[NDArray[numpy.int64], Any]]:
    """Parse sentences block by block."""

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
    forbidden_starts: NDArray[numpy.int32],
    lower: LowerLayer,
) -> Any:
    """Parse one block of sentences; as `parse`. lower: with memory for it."""
