"""Beam search: the best derivations of a sentence, step by step."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..oracles.oracle import Oracle
from .beam_state import BeamState
from .blocks import Block
from .forbidden import Forbidden
from .settings import BeamSettings

# Score, heads, labels, starts; arrays as greedy.parse has them.
ScoredParse: TypeAlias = tuple[
    float, NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.bool_]
]
# Heads and labels, -1 where free.
FixedArcs: TypeAlias = tuple[NDArray[numpy.int32], NDArray[numpy.int32]]

class BeamSearch(BeamState):
    """The beams of a batch of sentences, which take their steps together."""

def check_trees(system: TransitionSystem) -> None:
    """Raise ValueError for a system that builds graphs."""

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
) -> list[list[ScoredParse]]:
    """Parse sentences with beam search: the distinct trees of each, the best first."""

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
) -> list[list[tuple[float, NDArray[numpy.int32]]]]:
    """The choices that lead to the trees of `search`."""

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
) -> None:
    """Put into `results`, by sentence, what is found in those that have words."""

def check_fixed(fixed: FixedArcs, n_words: int, oracle: Oracle | None) -> FixedArcs:
    """Fixed heads and labels as two (n_words,) int32 arrays."""

def check_forbidden(
    forbidden: Sequence[Forbidden | None] | None,
    n_labels: int,
    lengths: Sequence[int] | NDArray[numpy.integer],
) -> None:
    """Raise ValueError or TypeError where there is not one that fits for each sentence."""

def search_blocks(
    system: TransitionSystem,
    scorer: Scorer,
    blocks: Iterator[Block],
    settings: BeamSettings,
    fixed: FixedArcs | None,
    oracle: Oracle | None,
    forbidden: Sequence[Forbidden | None] | None,
    as_choices: bool,
) -> Iterator[tuple[list[int], list[list]]]:
    """Search one block after the other: the sentences of each and what was found."""

def search_block(
    system: TransitionSystem,
    scorer: Scorer,
    block: Block,
    settings: BeamSettings,
    fixed: Sequence[NDArray[numpy.int32]] | None,
    oracle: Oracle | None,
    forbidden: Sequence[Forbidden | None] | None = None,
    as_choices: bool = False,
) -> list[list]:
    """Search one block of sentences; as `search`."""
