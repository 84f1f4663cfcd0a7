"""Beam search: the best derivations of a sentence, step by step."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..oracles.oracle import Oracle
from .scorer import Scorer
from .settings import BeamSettings

# Score, heads, labels, starts; arrays as greedy.parse has them.
ScoredParse: TypeAlias = tuple[
    float, NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]
]
# Heads and labels, -1 where free.
FixedArcs: TypeAlias = tuple[NDArray[numpy.int32], NDArray[numpy.int32]]

class BeamSearch:
    """The beams of a batch of sentences, which take their steps together."""

    @property
    def system(self) -> TransitionSystem: ...
    @property
    def n_sentences(self) -> int: ...

# vectors: (n_words, width). lengths: (n_sentences,). forbidden_starts, fixed: (n_words,).
def search(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: Sequence[int] | NDArray[numpy.integer],
    settings: BeamSettings,
    forbidden_starts: NDArray[numpy.int32] | None = None,
    fixed: FixedArcs | None = None,
    oracle: Oracle | None = None,
) -> list[list[ScoredParse]]:
    """Parse sentences with beam search: the distinct trees of each, the best first."""

def search_block(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    settings: BeamSettings,
    forbidden_starts: NDArray[numpy.int32],
    fixed: FixedArcs | None,
    oracle: Oracle | None,
) -> list[list[ScoredParse]]:
    """Search one block of sentences; as `search`."""
