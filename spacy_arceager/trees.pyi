"""Properties of head sequences. A root is its own head; -1 is a missing head."""

import numpy
from numpy.typing import NDArray

# heads: (n_words,).
def is_tree(heads: NDArray[numpy.int32]) -> bool:
    """Whether heads are complete, with one root and no cycle."""

def crossing_arcs(heads: NDArray[numpy.int32]) -> list[int]:
    """Dependents of the non-projective arcs."""
