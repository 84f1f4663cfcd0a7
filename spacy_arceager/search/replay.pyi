import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from .derivation import ScoredStep

class Replay:
    def __init__(
        self,
        system: TransitionSystem,
        scorer: Scorer,
        vectors: NDArray[numpy.float32],
        boundaries: NDArray[numpy.int32] | None,
        temperature: float = 1,
    ) -> None: ...
    @property
    def is_over(self) -> bool: ...
    def forced_step(self) -> ScoredStep | None: ...
    def step(self, index: int, anchor: int) -> ScoredStep: ...

# vectors: (n_words, width). choices: (n_choices, 2). boundaries: (n_words,).
def replay(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray[numpy.float32],
    choices: NDArray[numpy.int32],
    boundaries: NDArray[numpy.int32] | None = None,
    temperature: float = 1,
) -> list[ScoredStep]: ...
