"""How non-projective a tree is, and how far a graph is from one that shift-reduce builds.

Gap degree and well-nestedness are those of Kuhlmann and Nivre (2006, sections 3.4 and 3.5).
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, islice, pairwise

from ..corpus.graphs import Graph


def subtrees(heads: Sequence[int]) -> list[list[int]]:
    """The words below each word, itself among them, from left to right.

    heads: of a tree, from 0; the root is its own head.
    """
    below: list[list[int]] = [[] for _ in heads]
    for word in range(len(heads)):
        ancestor = word
        while heads[ancestor] != ancestor:
            below[ancestor].append(word)
            ancestor = heads[ancestor]
        below[ancestor].append(word)
    return below


def gap_degree(heads: Sequence[int]) -> int:
    """The most gaps in any subtree; 0 of a tree without crossing arcs."""
    return max((count_gaps(words) for words in subtrees(heads)), default=0)


def count_gaps(words: Sequence[int]) -> int:
    return sum(right > left + 1 for left, right in pairwise(words))


def is_well_nested(heads: Sequence[int]) -> bool:
    """Whether no two subtrees without common words interleave."""
    # Two that interleave both have a gap.
    broken = [set(words) for words in subtrees(heads) if count_gaps(words)]
    return not any(
        first.isdisjoint(second) and interleave(first, second)
        for first, second in combinations(broken, 2)
    )


def interleave(first: AbstractSet[int], second: AbstractSet[int]) -> bool:
    """Whether words alternate: one of the first, the second, the first, the second."""
    owners = [word in first for word in sorted(first | second)]
    changes = sum(left != right for left, right in pairwise(owners))
    return changes >= 3


def graph_arcs(graph: Graph) -> list[tuple[int, int]]:
    """The pairs (head, dependent) of a graph, without roots and self-loops."""
    return sorted({
        (head, word) for word, arcs in enumerate(graph) for head, _ in arcs if head != word
    })


def crossing_graph_arcs(arcs: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those arcs that cross another one."""
    spans = sorted((min(arc), max(arc), arc) for arc in arcs)
    crossing = set()
    for i, (left, right, arc) in enumerate(spans):
        for other_left, other_right, other in islice(spans, i + 1, None):
            if other_left >= right:
                break
            if left < other_left and right < other_right:
                crossing |= {arc, other}
    return crossing


def two_cycles(arcs: Sequence[tuple[int, int]]) -> int:
    """How many pairs of words are each other's heads."""
    known = set(arcs)
    return sum(head < word and (word, head) in known for head, word in arcs)


def has_cycle(arcs: Sequence[tuple[int, int]]) -> bool:
    """Whether some path of arcs leads back to where it began."""
    left = set(arcs)
    while True:
        # Arcs from words that have a head themselves; the others are on no cycle.
        dependents = {word for _, word in left}
        inner = {arc for arc in left if arc[0] in dependents}
        if inner == left:
            return bool(left)
        left = inner
