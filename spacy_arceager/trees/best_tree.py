"""The tree of highest weight that fulfils constraints, found without a transition system.

Projective trees are found by dynamic programming over half trees (Eisner 1996), other trees
subtree by subtree (see `arborescence`).

weights[dependent, head], (n_words, n_words), is the weight of an arc, and -inf forbids it. The
diagonal has the weights of roots. subtrees has spans (first word, last word): the words of a span
must be exactly the words of one subtree.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from .arborescence import NEVER, arborescence

Spans = Sequence[tuple[int, int]]


def best_projective_tree(
    weights: NDArray[numpy.float64],
    subtrees: Spans = (),
    boundaries: NDArray[numpy.integer] | None = None,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_]] | None:
    """The best projective tree, or the best sequence of trees of sentences.

    It takes time cubic in the number of words.

    Args:
        boundaries: (n_words,), 0 if a sentence may start at a word, 1 if none may start there, 2
            if one must; None if all words are one sentence.

    Returns:
        The head of each word and whether a sentence starts there, (n_words,) each. None if no
        tree fulfils the constraints.
    """
    n = len(weights)
    chart = Chart(weights, subtrees)
    starts = numpy.ones((n,), "i") if boundaries is None else boundaries
    # For the best sentences that end before each word: their weight, and the first word and the
    # root of the last sentence.
    best = [0.0]
    last: list[tuple[int, int]] = [(0, 0)]
    for end in range(n):
        total, begin, root = max(
            (
                (best[begin] + weight, begin, root)
                for begin in possible_starts(starts, end)
                for weight, root in [chart.best_root(begin, end)]
            ),
            default=(NEVER, 0, 0),
        )
        best.append(total)
        last.append((begin, root))
    if n and best[n] == NEVER:
        return None
    heads, begins = numpy.zeros((n,), "i"), numpy.zeros((n,), bool)
    end = n - 1
    while end >= 0:
        begin, root = last[end + 1]
        begins[begin] = True
        heads[root] = root
        chart.read(begin, root, False, heads)
        chart.read(root, end, True, heads)
        end = begin - 1
    return heads, begins


def possible_starts(boundaries: NDArray, end: int) -> list[int]:
    """The words at which a sentence that ends with the word `end` can start."""
    possible = []
    for word in range(end, -1, -1):
        if word == 0 or boundaries[word] != 1:
            possible.append(word)
        if boundaries[word] == 2:
            break
    return possible


class Chart:
    """The best half trees over the words i to j, for all i and j.

    The head of a "right" half tree is i, the head of a "left" one is j. A half tree is open as long
    as the dependent at its other end has no dependents on the far side yet, and closed after that.
    """

    def __init__(self, weights: NDArray, subtrees: Spans) -> None:
        n = len(weights)
        self.weights = weights
        closed = {True: crossing_halves(n, subtrees, True),
                  False: crossing_halves(n, subtrees, False)}
        # All are (n, n), by first and last word. A single word is a closed half tree.
        self.closed = {right: numpy.where(numpy.eye(n) > 0, 0.0, NEVER) for right in closed}
        self.open = {right: numpy.full((n, n), NEVER) for right in closed}
        self.split = {key: numpy.zeros((n, n), "i") for key in ("open", True, False)}
        for width in range(1, n):
            for i in range(n - width):
                self._fill(i, i + width, closed)

    def _fill(self, i: int, j: int, crossing: dict[bool, NDArray]) -> None:
        inner = self.closed[True][i, i:j] + self.closed[False][i + 1 : j + 1, j]
        k = int(inner.argmax())
        self.split["open"][i, j] = i + k
        self.open[True][i, j] = inner[k] + self.weights[j, i]
        self.open[False][i, j] = inner[k] + self.weights[i, j]
        right = self.open[True][i, i + 1 : j + 1] + self.closed[True][i + 1 : j + 1, j]
        left = self.closed[False][i, i:j] + self.open[False][i:j, j]
        for is_right, values, first in ((True, right, i + 1), (False, left, i)):
            if not crossing[is_right][i, j]:
                k = int(values.argmax())
                self.split[is_right][i, j] = first + k
                self.closed[is_right][i, j] = values[k]

    def best_root(self, begin: int, end: int) -> tuple[float, int]:
        """Weight and root of the best tree of words `begin` to `end`."""
        words = slice(begin, end + 1)
        values = (
            self.closed[False][begin, words] + self.closed[True][words, end]
            + self.weights.diagonal()[words]
        )
        root = int(values.argmax())
        return float(values[root]), begin + root

    def read(self, i: int, j: int, right: bool, heads: NDArray) -> None:
        """Fill in the heads of a closed half tree."""
        left_to_read = [(i, j, right)]
        while left_to_read:
            i, j, right = left_to_read.pop()
            if i == j:
                continue
            k = int(self.split[right][i, j])
            # It consists of an open half tree and of what the dependent has on its far side.
            a, b = (i, k) if right else (k, j)
            left_to_read.append((k, j, True) if right else (i, k, False))
            heads[b if right else a] = a if right else b
            middle = int(self.split["open"][a, b])
            left_to_read += [(a, middle, True), (middle + 1, b, False)]


def crossing_halves(n: int, subtrees: Spans, right: bool) -> NDArray[numpy.bool_]:
    """Whether closed half trees would cut a subtree: (n, n), by first and last word."""
    i, j = numpy.indices((n, n))
    head, end = (i, j) if right else (j, i)
    crossing = numpy.zeros((n, n), bool)
    for first, last in subtrees:
        is_inside = (first <= head) & (head <= last)
        leaves = is_inside & ((end > last) | (end < first))
        cut = (first <= end) & (end < last) if right else (first < end) & (end <= last)
        crossing |= leaves | (~is_inside & cut)
    return crossing


class Level(NamedTuple):
    """The words of a span that are in no smaller subtree, and the largest subtrees in the span."""

    words: list[int]
    below: list[tuple[int, int]]


def best_tree(
    weights: NDArray[numpy.float64], subtrees: Spans = ()
) -> NDArray[numpy.int32] | None:
    """The heads of the best tree, projective or not: (n_words,); None if there is no tree."""
    n = len(weights)
    spans = sorted({(0, n - 1), *subtrees}, key=lambda span: span[0] - span[1])
    if any(a < c <= b < d for a, b in spans for c, d in spans):
        return None     # two subtrees cross
    # For each span, smaller ones first, its best tree with each root: the weight and the heads.
    trees: dict[tuple[int, int], dict[int, tuple[float, dict[int, int]]]] = {}
    for span in reversed(spans[1:]):
        trees[span] = trees_by_root(weights, level_of(span, spans), trees)
    whole = level_of(spans[0], spans)
    below = best_below(weights, whole, trees)
    places = one_rooted_tree(weights[numpy.ix_(whole.words, whole.words)])
    if below is None or places is None:
        return None
    heads = {**below[1], **dict(zip(whole.words, numpy.asarray(whole.words)[places]))}
    return numpy.asarray([heads[word] for word in range(n)], "i")


def level_of(span: tuple[int, int], spans: Spans) -> Level:
    """The level of a span among all spans, which are sorted by size, larger ones first."""
    below: list[tuple[int, int]] = []
    for first, last in spans:
        inside = span[0] <= first and last <= span[1] and (first, last) != span
        if inside and not any(a <= first and last <= b for a, b in below):
            below.append((first, last))
    words = [
        word for word in range(span[0], span[1] + 1)
        if not any(first <= word <= last for first, last in below)
    ]
    return Level(words, below)


def trees_by_root(
    weights: NDArray,
    level: Level,
    trees: dict[tuple[int, int], dict[int, tuple[float, dict[int, int]]]],
) -> dict[int, tuple[float, dict[int, int]]]:
    """For each root, the weight and the heads of the best tree of a level, if there is one."""
    words = level.words
    under = best_below(weights, level, trees)
    if under is None:
        return {}
    total, fixed_heads = under
    by_root = {}
    among = weights[numpy.ix_(words, words)]
    for i, root in enumerate(words):
        places = arborescence(among, i)
        if places is not None:
            below = {word: words[places[k]] for k, word in enumerate(words) if word != root}
            weight = float(sum(weights[word, head] for word, head in below.items()))
            by_root[root] = total + weight, {**fixed_heads, **below}
    return by_root


def best_below(
    weights: NDArray,
    level: Level,
    trees: dict[tuple[int, int], dict[int, tuple[float, dict[int, int]]]],
) -> tuple[float, dict[int, int]] | None:
    """The weight and the heads of all subtrees below a level; None if one has no tree or head."""
    total, heads = 0.0, {}
    for span in level.below:
        # A word of the level is the head of the subtree's root. No word outside of the subtree has
        # its head in it.
        ways = [
            (weight + weights[root, word], word, root, heads)
            for root, (weight, heads) in trees[span].items()
            for word in level.words if weights[root, word] > NEVER
        ]
        if not ways:
            return None
        weight, word, root, inside = max(ways, key=lambda way: way[:3])
        total += weight
        heads.update(inside)
        heads[root] = word
    return total, heads


def one_rooted_tree(weights: NDArray) -> NDArray[numpy.int32] | None:
    """The heads of the best tree with any one root: (n,); None if there is no tree."""
    n = len(weights)
    # The words whose head is a node of its own are roots. Each takes more weight away than all
    # arcs can give, so that there is one root if one is enough.
    known = weights[numpy.isfinite(weights)]
    penalty = 1 + 2 * n * numpy.abs(known).max(initial=0)
    with_node = numpy.full((n + 1, n + 1), NEVER)
    with_node[:n, :n] = weights
    with_node[:n, n] = weights.diagonal() - penalty
    heads = arborescence(with_node, n)
    if heads is None or (heads[:n] == n).sum() != 1:
        return None
    return numpy.where(heads[:n] == n, numpy.arange(n), heads[:n]).astype("i")
