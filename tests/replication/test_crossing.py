"""The kinds of words that replication/crossing.py tells apart, in small trees."""

import numpy
import pytest

from replication import crossing

CHILD = "a child of a word on a crossing arc"
OTHER = "other words of non-projective sentences"


@pytest.mark.parametrize("heads, kinds", [
    ([1, 1, 1], ["in projective sentences"] * 3),
    (   # 0 hangs on 2, over 1, which hangs on the root
        [2, 3, 3, 3],
        ["the dependent of a crossing arc, left of its head",
         "its arc crosses such an arc, left of its head",
         "the head of a crossing arc, left of its head", OTHER],
    ),
    (   # 4 hangs on 0, over the root, 2; 1 and 3 are not in its way
        [2, 0, 2, 2, 0],
        ["the head of a crossing arc, left of its head", CHILD, OTHER, OTHER,
         "the dependent of a crossing arc, right of its head"],
    ),
    (   # 3 hangs on 1, over 2, which hangs on 0
        [4, 0, 0, 1, 4],
        [OTHER, "the head of a crossing arc, right of its head",
         "its arc crosses such an arc, right of its head",
         "the dependent of a crossing arc, right of its head", OTHER],
    ),
])
def test_kinds(heads: list[int], kinds: list[str]) -> None:
    found = crossing.find_kinds(numpy.asarray(heads, dtype="i"))
    assert [crossing.KINDS[kind] for kind in found] == kinds
