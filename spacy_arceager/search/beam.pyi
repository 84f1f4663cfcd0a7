from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..oracles.oracle import Oracle
from .beam_state import BeamState
from .blocks import SentenceBlock
from .forbidden import Forbidden
from .settings import BeamSettings

# Score, heads, labels, starts; arrays as greedy.parse has them.
ScoredParse: TypeAlias = tuple[
    float, NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]
]
# Heads and labels, -1 where free.
FixedArcs: TypeAlias = tuple[NDArray[numpy.int32], NDArray[numpy.int32]]

class BeamSearch(BeamState): ...

def check_trees(system: TransitionSystem) -> None: ...

# vectors: (n_words, width). lengths: (n_sentences,). boundaries, fixed: (n_words,).
def search(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    settings: BeamSettings,
    boundaries: NDArray[numpy.int32] | None = None,
    fixed: FixedArcs | None = None,
    oracle: Oracle | None = None,
    threads: int = 1,
    forbidden: Sequence[Forbidden | None] | None = None,
) -> list[list[ScoredParse]]: ...

# Returns for each tree its score and class and anchor of each choice, (n_choices, 2).
def derive(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    settings: BeamSettings,
    boundaries: NDArray[numpy.int32] | None = None,
    fixed: FixedArcs | None = None,
    oracle: Oracle | None = None,
    threads: int = 1,
    forbidden: Sequence[Forbidden | None] | None = None,
) -> list[list[tuple[float, NDArray[numpy.int32]]]]: ...

# results: a list for each sentence, filled with trees, or with choices where they are to be kept.
def search_batch(
    results: list[list],
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    settings: BeamSettings,
    boundaries: NDArray[numpy.int32] | None,
    fixed: FixedArcs | None,
    oracle: Oracle | None,
    threads: int,
    forbidden: Sequence[Forbidden | None] | None,
    as_choices: bool,
) -> None: ...

def check_fixed(fixed: FixedArcs, n_words: int, oracle: Oracle | None) -> FixedArcs: ...

def check_forbidden(
    forbidden: Sequence[Forbidden | None] | None,
    n_labels: int,
    lengths: Sequence[int] | NDArray[numpy.integer],
) -> None: ...

def search_blocks(
    system: TransitionSystem,
    scorer: Scorer,
    blocks: Iterator[SentenceBlock],
    settings: BeamSettings,
    fixed: FixedArcs | None,
    oracle: Oracle | None,
    forbidden: Sequence[Forbidden | None] | None,
    as_choices: bool,
) -> Iterator[tuple[list[int], list[list]]]: ...

def search_block(
    system: TransitionSystem,
    scorer: Scorer,
    block: SentenceBlock,
    settings: BeamSettings,
    fixed: Sequence[NDArray[numpy.int32]] | None,
    oracle: Oracle | None,
    forbidden: Sequence[Forbidden | None] | None = None,
    as_choices: bool = False,
) -> list[list]: ...
