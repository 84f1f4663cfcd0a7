import numpy
from numpy.typing import NDArray

# lengths: (n_docs,). Returns (n_places,) and the number of rows.
def space_out(
    lengths: NDArray[numpy.int32], gap: int, halo: int
) -> tuple[NDArray[numpy.int32], int]: ...

# spaced: (n_rows, width). rows: (n_places,). vector: (width,).
def fill_gaps(
    spaced: NDArray[numpy.float32],
    rows: NDArray[numpy.int32],
    vector: NDArray[numpy.float32],
) -> None: ...

# vectors: (n_words, width). rows: (n_words,). Returns (n_rows, width).
def spread(
    vectors: NDArray[numpy.float32], rows: NDArray[numpy.int32], n_rows: int
) -> NDArray[numpy.float32]: ...

# spaced: (n_rows, width). Returns (n_words, (2 * window + 1) * width).
def gather_windows(
    spaced: NDArray[numpy.float32], rows: NDArray[numpy.int32], window: int
) -> NDArray[numpy.float32]: ...

# spaced: (n_rows, width). windows: (n_words, (2 * window + 1) * width).
def add_windows(
    spaced: NDArray[numpy.float32],
    windows: NDArray[numpy.float32],
    rows: NDArray[numpy.int32],
    window: int,
) -> None: ...
