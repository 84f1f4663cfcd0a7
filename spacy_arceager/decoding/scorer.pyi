"""Scores of configurations: features, lower layer, maxout, upper layer."""

import numpy
from numpy.typing import NDArray

from ..model.transition_model import Weights

class Scorer:
    """The weights of a model, laid out for the C loops."""

    def __init__(self, weights: Weights) -> None: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def weights(self) -> Weights: ...

    # (n_words + 3, slots * size).
    def new_table(self, n_words: int) -> NDArray[numpy.float32]:
        """An empty table for `precompute`, to be used for many blocks of sentences."""

    # vectors: (n_rows, width). Returns (n_rows + 3, slots * size).
    def precompute(
        self, vectors: NDArray[numpy.float32], table: NDArray[numpy.float32] | None = None
    ) -> NDArray[numpy.float32]:
        """The lower layer's product for every word and feature slot."""
