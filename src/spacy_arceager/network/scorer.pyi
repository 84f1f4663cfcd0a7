"""The weights of a model for the C loops; features of configurations and the upper layer."""

from .weights import Weights

class Scorer:
    """The weights of a model, laid out for the C loops."""

    def __init__(self, weights: Weights) -> None: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def weights(self) -> Weights: ...
