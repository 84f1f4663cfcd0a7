"""The weights of a model for the C loops; features of configurations and the upper layer."""

import numpy
from numpy.typing import NDArray

from .weights import Weights

# Of any shape.
def rounded(values: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Floats rounded to the nearest half floats (bfloat16), an array of the same shape."""

class Scorer:
    """The weights of a model, laid out for the C loops."""

    def __init__(self, weights: Weights, half: bool = False, pairs: bool = True) -> None: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def weights(self) -> Weights: ...
