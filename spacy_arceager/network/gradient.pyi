import numpy
from numpy.typing import NDArray

# d_hidden, which: (n_rows, hidden). Returns (n_rows, pieces * hidden).
def backprop_maxout(
    d_hidden: NDArray[numpy.float32],
    which: NDArray[numpy.uint8],
    pieces: int,
    keep: float,
) -> NDArray[numpy.float32]: ...

# indices: (n,), each below n_rows. d_sums: (n, size). Returns the indices that occur, (n_indices,),
# in ascending order, and their sums, (n_indices, size).
def add_rows(
    indices: NDArray[numpy.int32], d_sums: NDArray[numpy.float32], n_rows: int
) -> tuple[NDArray[numpy.int32], NDArray[numpy.float32]]: ...
