import numpy
from numpy.typing import NDArray

class MaxoutRecord:
    def __init__(self, n: int, hidden: int, dropout: float = 0, seed: int = 0) -> None: ...

# W: (hidden, pieces, inputs). b: (hidden, pieces). gain, shift: (hidden,).
class MaxoutNorm:
    n_inputs: int
    n_hidden: int
    n_pieces: int
    def __init__(
        self,
        W: NDArray[numpy.float32],
        b: NDArray[numpy.float32],
        gain: NDArray[numpy.float32],
        shift: NDArray[numpy.float32],
    ) -> None: ...
    # inputs: (n_rows, width). out: (n, hidden). rows, out_rows: (n,).
    def apply(
        self,
        inputs: NDArray[numpy.float32],
        out: NDArray[numpy.float32],
        rows: NDArray[numpy.int32] | None = None,
        out_rows: NDArray[numpy.int32] | None = None,
        window: int = 0,
        residual: bool = False,
        record: MaxoutRecord | None = None,
    ) -> None: ...
    # d_out: (n, hidden). Returns (n, hidden * pieces), (hidden,) and (hidden,).
    def backprop(
        self, d_out: NDArray[numpy.float32], record: MaxoutRecord
    ) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]: ...
