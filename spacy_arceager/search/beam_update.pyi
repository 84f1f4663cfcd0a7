import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..oracles.gold import GoldTrees
from ..oracles.oracle import Oracle
from .rollout import RollOut
from .settings import BeamSettings

# vectors: (n_words, width). seed: not 0.
def roll_out_beam(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    gold: GoldTrees,
    oracle: Oracle,
    settings: BeamSettings,
    dropout: float,
    seed: int,
) -> RollOut: ...
