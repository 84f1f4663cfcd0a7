from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..oracles.gold import GoldTrees
from ..oracles.oracle import Oracle

@dataclass
class RollOut:
    word_rows: NDArray[numpy.int32]         # (n_rows, word features)
    attribute_rows: NDArray[numpy.int32]    # (n_rows, attributes)
    hidden: NDArray[numpy.float32]          # (n_rows, hidden)
    which: NDArray[numpy.uint8]             # (n_rows, hidden); 255 where dropped
    scores: NDArray[numpy.float32]          # (n_rows, classes)
    d_scores: NDArray[numpy.float32]        # (n_rows, classes), gradient of the loss
    loss: float                             # summed over the configurations
    n_states: int                           # configurations that left a choice
    n_wrong: int                            # configurations whose best-scored class was costly

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
    aggression: float = 0,
    margin: float = 1,
) -> RollOut: ...

def check_training(
    system: TransitionSystem, scorer: Scorer, gold: GoldTrees, dropout: float, seed: int
) -> None: ...
