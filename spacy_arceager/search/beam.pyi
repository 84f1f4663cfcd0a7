from collections.abc import Sequence
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

# Score, heads, labels and starts; arrays as of greedy.parse.
ScoredParse: TypeAlias = tuple[
    float, NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]
]
# Heads and labels, -1 where the parser decides.
FixedArcs: TypeAlias = tuple[NDArray[numpy.int32], NDArray[numpy.int32]]

class BeamSearch(BeamState): ...

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

# Returns for each tree its score, and the class and anchor of each choice, (n_choices, 2).
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
