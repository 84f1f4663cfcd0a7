import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer

class BeamState:
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
