import numpy
from numpy.typing import NDArray

from .scorer import Scorer

class LowerLayer:
    def __init__(self, scorer: Scorer, capacity: int) -> None: ...
    # (capacity + 3, ready slots * size), float32 or uint16 (bfloat16). Filled are the rows of the
    # block's words and three behind them.
    @property
    def ready(self) -> NDArray: ...
    # vectors: (n_words, inputs).
    def start(self, vectors: NDArray[numpy.float32]) -> None: ...

# Returns (n_words, width).
def check_vectors(
    scorer: Scorer, vectors: NDArray[numpy.float32]
) -> NDArray[numpy.float32]: ...
