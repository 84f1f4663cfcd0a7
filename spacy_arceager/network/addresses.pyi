from collections.abc import Callable, Mapping, Sequence

import numpy
from numpy.typing import NDArray

from .features import Address

# Rows of the lower layer for a missing word, the end of the input and the artificial root.
N_SPECIAL: int
ATTRIBUTES: Mapping[str, Attribute]
HOPS: Mapping[str, Hop]
# The reach of a feature that may see any change of a configuration.
FARTHEST: int

class Attribute:
    @property
    def table_size(self) -> Callable[[int], int]: ...
    @property
    def meaning(self) -> str: ...

class Hop:
    @property
    def meaning(self) -> str: ...
    @property
    def over_arcs(self) -> bool: ...

def pack(addresses: Sequence[Address]) -> NDArray[numpy.uint8]: ...
