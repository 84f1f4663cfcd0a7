"""Properties of head sequences. A root is its own head; -1 is a missing head."""

import numpy
from numpy.typing import ArrayLike, NDArray

# heads: (n_words,).
def is_tree(heads: NDArray[numpy.int32]) -> bool:
    """Whether heads are complete, with one root and no cycle."""

def non_projective_arcs(heads: NDArray[numpy.int32]) -> list[int]:
    """Dependents of the non-projective arcs (Havelka 2007)."""

# ends: (n_arcs, 2).
def crossing_arcs(ends: ArrayLike) -> NDArray[numpy.bool_]:
    """Which arcs cross another one."""

def count_blocks(heads: NDArray[numpy.int32]) -> NDArray[numpy.int32]:
    """Of how many runs of adjacent words each subtree is made."""

def is_well_nested(heads: NDArray[numpy.int32]) -> bool:
    """Whether no two subtrees without common words interleave."""

def lift(heads: NDArray[numpy.int32], max_steps: int = ...) -> NDArray[numpy.int32]:
    """Heads of the projective tree that lifting non-projective arcs makes."""
