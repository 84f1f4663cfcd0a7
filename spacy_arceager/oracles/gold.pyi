"""Gold trees as C structs, many sentences in one block of memory."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray
from typing_extensions import Self

class GoldTrees:
    """The gold trees of a batch of sentences."""

    # lengths: (n_trees,). heads, labels: (n_words,), -1 is missing; a root is its own head.
    def __new__(
        cls,
        lengths: Sequence[int] | NDArray[numpy.integer],
        heads: Sequence[int] | NDArray[numpy.integer],
        labels: Sequence[int] | NDArray[numpy.integer],
        root_right: bool = False,
    ) -> Self: ...
    @property
    def n_trees(self) -> int: ...
    @property
    def n_words(self) -> int: ...
    @property
    def longest(self) -> int:
        """Words of the longest sentence."""
    @property
    def highest_label(self) -> int:
        """The largest label index; -1 where all are missing."""
