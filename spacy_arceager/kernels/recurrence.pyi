import numpy
from numpy.typing import NDArray

class Cells:
    def __init__(self, n: int, recurrence: Recurrence) -> None: ...

# W: (3, width, inputs). b: (3, width).
class Recurrence:
    n_inputs: int
    width: int
    def __init__(self, W: NDArray[numpy.float32], b: NDArray[numpy.float32]) -> None: ...
    # inputs: (n_words, inputs). lengths: (n_docs,). out: (n_words, width).
    def apply(
        self,
        inputs: NDArray[numpy.float32],
        lengths: NDArray[numpy.int32],
        out: NDArray[numpy.float32],
        record: Cells | None = None,
    ) -> None: ...
    # d_out: (n_words, width). Returns (n_words, 3 * width).
    def backprop(
        self, d_out: NDArray[numpy.float32], lengths: NDArray[numpy.int32], record: Cells
    ) -> NDArray[numpy.float32]: ...
