"""The parameters of the scoring layer: their shapes follow from its features and dimensions."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from ..errors import ModelMismatchError
from .addresses import N_SPECIAL
from .features import Address, table_size

MAX_PIECES = 8
MAX_WIDTH = 2**16
PARAMS = ("lower_W", "lower_b", "special", "tables", "upper_W", "upper_b")


@dataclass(frozen=True)
class Dimensions:
    """The features and counts that decide the shapes of the parameters.

    Attributes:
        words: addresses of the words that fill the lower layer's slots.
        attributes: addresses of the attributes, each with a learnt table.
        width: of a word vector.
        hidden: units of the hidden layer.
        pieces: of maxout, of each unit.
        n_labels: of the transition system.
        n_classes: of the transition system, transitions with their labels.

    Raises:
        ValueError: For a count that is not a whole number or out of range.
    """

    words: tuple[Address, ...]
    attributes: tuple[Address, ...]
    width: int
    hidden: int
    pieces: int
    n_labels: int
    n_classes: int

    def __post_init__(self) -> None:
        lowest = {"width": 1, "hidden": 1, "pieces": 1, "n_labels": 0, "n_classes": 0}
        for name, least in lowest.items():
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise ValueError(f"{name}={value!r} of a transition model; use {least} or more")
        if self.pieces > MAX_PIECES:
            raise ValueError(f"pieces={self.pieces} of a transition model; use 1 to {MAX_PIECES}")

    @cached_property
    def table_sizes(self) -> list[int]:
        """How many rows the table of each attribute has."""
        return [table_size(address, self.n_labels) for address in self.attributes]

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each parameter."""
        return {
            "lower_W": (self.width, len(self.words) * self.pieces * self.hidden),
            "lower_b": (self.pieces, self.hidden),
            "special": (N_SPECIAL, len(self.words), self.pieces, self.hidden),
            "tables": (sum(self.table_sizes), self.pieces, self.hidden),
            "upper_W": (self.hidden, self.n_classes),
            "upper_b": (self.n_classes,),
        }

    def check(self, params: Mapping[str, NDArray]) -> None:
        """Raise ModelMismatchError if a parameter is not a float32 array of its shape."""
        for name, shape in self.shapes.items():
            array = params.get(name)
            if not isinstance(array, numpy.ndarray):
                raise ModelMismatchError(f"'{name}' of a transition model is no array")
            if array.shape != shape or array.dtype != numpy.float32:
                raise ModelMismatchError(
                    f"'{name}' of a transition model is {array.dtype} of shape {array.shape}; "
                    f"its features and dimensions need float32 of shape {shape}"
                )


@dataclass(frozen=True)
class Weights:
    """The parameters as NumPy arrays, all float32.

    Attributes:
        lower_W: (width, slots * pieces * hidden).
        lower_b: (pieces, hidden).
        special: (3, slots, pieces, hidden).
        tables: (rows, pieces, hidden).
        upper_W: (hidden, classes).
        upper_b: (classes,).

    Raises:
        ModelMismatchError: For a parameter of another type or shape.
    """

    dims: Dimensions
    lower_W: NDArray
    lower_b: NDArray
    special: NDArray
    tables: NDArray
    upper_W: NDArray
    upper_b: NDArray

    def __post_init__(self) -> None:
        self.dims.check(vars(self))
