"""Greedy decoding: each sentence takes the best-scored legal transition until it ends."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer

# vectors: (n_words, width). lengths: (n_sentences,). boundaries: (n_words,). Returns
# heads, labels and starts, (n_words,): heads count from the sentence's first word, a root is
# its own head and has label -1.
def parse(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    boundaries: NDArray[numpy.int32] | None = None,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]]:
    """Parse sentences with the model's best transitions."""

# Returns dependent, head and label of each arc, (n_arcs, 3), words numbered through all
# sentences; and starts, (n_words,).
def parse_graphs(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    boundaries: NDArray[numpy.int32] | None = None,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_]]:
    """Parse sentences to graphs with the model's best transitions."""

# Yields the words of each block, (n,), and its finished LockStep.
def parse_blocks(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    boundaries: NDArray[numpy.int32] | None,
) -> Iterator[tuple[NDArray[numpy.int64], Any]]:
    """Parse sentences block by block."""
