"""How non-projective a tree is, and how far a graph is from one that shift-reduce builds.

The gap degree is that of Kuhlmann and Nivre (2006, section 3.4).
"""

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

import numpy
from numpy.typing import NDArray

from ..annotation.graphs import Graph
from ..trees.algorithms import count_blocks


def gap_degree(heads: NDArray[numpy.int32]) -> int:
    """The most gaps in any subtree; 0 of a tree without non-projective arcs.

    Args:
        heads: (n_words,), of a tree, from 0; the root is its own head.
    """
    return int(count_blocks(heads).max(initial=1)) - 1


def graph_arcs(graph: Graph) -> list[tuple[int, int]]:
    """The pairs (head, dependent) of a graph, without roots and self-loops."""
    return sorted({
        (head, word) for word, arcs in enumerate(graph) for head, _ in arcs if head != word
    })


def two_cycles(arcs: Sequence[tuple[int, int]]) -> int:
    """How many pairs of words are each other's heads."""
    known = set(arcs)
    return sum(head < word and (word, head) in known for head, word in arcs)


def has_cycle(arcs: Sequence[tuple[int, int]]) -> bool:
    """Whether some path of arcs leads back to where it began."""
    above: dict[int, list[int]] = {}
    for head, word in arcs:
        above.setdefault(word, []).append(head)
    try:
        TopologicalSorter(above).prepare()
    except CycleError:
        return True
    return False
