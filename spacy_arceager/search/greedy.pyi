from collections.abc import Sequence

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
    threads: int = 1,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]]: ...

# Returns dependent, head and label of each arc, (n_arcs, 3), words numbered through all
# sentences; and starts, (n_words,).
def parse_graphs(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    boundaries: NDArray[numpy.int32] | None = None,
    threads: int = 1,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_]]: ...

# Returns for each sentence class and anchor of each choice, (n_choices, 2).
def derive(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    boundaries: NDArray[numpy.int32] | None = None,
    threads: int = 1,
) -> list[NDArray[numpy.int32]]: ...
