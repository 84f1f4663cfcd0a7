"""Roll-out: the training examples of a batch, recorded in one pass without the GIL."""

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..oracles.gold import GoldTrees
from ..oracles.oracle import Oracle
from .scorer import Scorer

@dataclass
class RollOut:
    """What was recorded, a row for each of n_states configurations."""

    word_rows: NDArray[numpy.int32]         # (n_states, word features)
    attribute_rows: NDArray[numpy.int32]    # (n_states, attributes)
    hidden: NDArray[numpy.float32]          # (n_states, hidden)
    which: NDArray[numpy.uint8]             # (n_states, hidden); 255 where dropped
    scores: NDArray[numpy.float32]          # (n_states, classes)
    targets: NDArray[numpy.uint8]           # (n_states, classes): 0 not legal, 1 costly,
    n_wrong: int                            # 2 optimal

# vectors: (n_words, width). seed: not 0.
def roll_out(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    gold: GoldTrees,
    oracle: Oracle,
    exploration: float,
    dropout: float,
    seed: int,
) -> RollOut:
    """Parse a batch in training and record every configuration with a choice in it."""
