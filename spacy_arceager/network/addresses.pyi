"""Feature addresses for the C loops, and all that Python and C must agree on about them."""

from collections.abc import Callable, Mapping, Sequence

import numpy
from numpy.typing import NDArray

from .features import Address

# Rows of the lower layer for a missing word, the end of the input and the artificial root.
N_SPECIAL: int
ATTRIBUTES: Mapping[str, Attribute]
# Where in a configuration the array of each hop stands.
HOPS: Mapping[str, int]

class Attribute:
    """One kind of attribute."""

    @property
    def table_size(self) -> Callable[[int], int]:
        """Rows of its learnt table by the number of labels."""
    @property
    def meaning(self) -> str:
        """In words, for the documentation."""

def pack(addresses: Sequence[Address]) -> NDArray[numpy.uint8]:
    """Addresses as an array of AddressC: (n_addresses, bytes)."""
