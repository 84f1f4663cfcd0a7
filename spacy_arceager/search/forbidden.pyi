from numpy import bool_, int32, integer, uint8
from numpy.typing import ArrayLike, NDArray

class Forbidden:
    # arcs: (n_words, n_words) by dependent and head. labels: (n_words, n_labels). labelled: (n, 3)
    # dependent, head, label. subtrees: (n, 2) first and last word.
    def __init__(
        self,
        arcs: NDArray[bool_] | NDArray[uint8],
        labels: NDArray[bool_] | NDArray[uint8],
        labelled: ArrayLike = (),
        subtrees: ArrayLike = (),
    ) -> None: ...
    @property
    def arcs(self) -> NDArray[uint8]: ...
    @property
    def labels(self) -> NDArray[uint8]: ...
    @property
    def labelled(self) -> NDArray[int32]: ...
    @property
    def subtrees(self) -> NDArray[int32]: ...
    # heads, labels: (n_words,).
    def allows(self, heads: NDArray[integer], labels: NDArray[integer]) -> bool: ...
