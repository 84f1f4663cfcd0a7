"""A maxout layer with layer normalisation, laid out for the kernels of maxout_norm.h."""

import numpy
from numpy.typing import NDArray

class Record:
    """What the backward pass needs of a forward pass."""

    def __init__(self, n: int, hidden: int, dropout: float = 0, seed: int = 0) -> None: ...

# W: (hidden, pieces, inputs). b: (hidden, pieces). gain, shift: (hidden,).
class MaxoutNorm:
    """The layer's weights, laid out for the product."""

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
        record: Record | None = None,
    ) -> None:
        """Compute the layer's outputs."""

    # d_out: (n, hidden). Returns (n, hidden * pieces), (hidden,) and (hidden,).
    def backprop(
        self, d_out: NDArray[numpy.float32], record: Record
    ) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32]]:
        """Gradients of the products, and of the layer's gain and shift."""
