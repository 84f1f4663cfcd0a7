"""The beam of each sentence: its hypotheses, and what becomes of them in a step."""

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer

class BeamState:
    """The beams of a batch of sentences."""

    def __init__(
        self,
        system: TransitionSystem,
        lengths: NDArray[numpy.int32],
        scorer: Scorer,
        width: int,
        boundaries: NDArray[numpy.int32],
    ) -> None: ...
    @property
    def system(self) -> TransitionSystem: ...
    @property
    def n_sentences(self) -> int: ...
