from collections.abc import Iterable, Sequence

import numpy
from numpy.typing import NDArray
from typing_extensions import Self

class GoldTrees:
    # lengths: (n_trees,). heads, labels: (n_words,), -1 is missing; a root is its own head.
    # arcs: (n_arcs, 3) dependent, head, label, words numbered through all sentences.
    # starts: (n_words,), where sentences start; for systems that find boundaries.
    def __new__(
        cls,
        lengths: Sequence[int] | NDArray[numpy.integer],
        heads: Sequence[int] | NDArray[numpy.integer],
        labels: Sequence[int] | NDArray[numpy.integer],
        root_node: bool = False,
        starts: Sequence[bool] | NDArray[numpy.bool_] | None = None,
        arcs: Sequence[Sequence[int]] | NDArray[numpy.integer] | None = None,
    ) -> Self: ...
    @property
    def n_trees(self) -> int: ...
    @property
    def n_words(self) -> int: ...
    @property
    def longest(self) -> int: ...
    @property
    def root_node(self) -> bool: ...
    @property
    def is_graph(self) -> bool: ...
    @property
    def highest_label(self) -> int: ...

def whole_numbers(
    values: Iterable[object] | NDArray, name: str, shape: tuple[int, ...] = (-1,)
) -> NDArray[numpy.int32]: ...

def check_annotation(lengths: NDArray, heads: NDArray, labels: NDArray) -> None: ...
