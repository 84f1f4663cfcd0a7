"""Weights as the kernels read them; see `product` in kernels.h."""

import numpy
from numpy.typing import NDArray

def padded(values: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Values (.., width) with zeros up to whole groups of lanes."""

# Returns (.., strips, inner, lanes).
def in_strips(weights: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Weights (.., inner, width) strip by strip."""

def aligned(*arrays: NDArray[numpy.float32]) -> list[NDArray[numpy.float32]]:
    """Copies of arrays, flat and one behind the other, the first at the start of a cache line."""
