"""The same charts in plain Python: the k best trees, and all derivations with UNSHIFT."""

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

LOW = -1e30


class Scores(NamedTuple):
    """Log potentials by [top, front]: places from 0, the bottom. See chart.pyx."""

    shift: NDArray
    left: NDArray
    right: NDArray
    reduce: NDArray
    root: NDArray


def constrain(
    scores: Scores, heads: dict[int, int] = {}, forbidden: Sequence[tuple[int, int]] = ()
) -> Scores:
    """Scores that allow only trees with (and without) arcs: {dependent: head}, (head, dependent).

    Places count from 1; the head 0 is that of the root.
    """
    n = len(scores.root) - 1
    banned = set(forbidden)
    for word, head in heads.items():
        banned |= {(other, word) for other in range(n + 1) if other != head}
    shift, left, right, reduce, root = (array.copy() for array in scores)
    for head, word in banned:
        if head == 0:
            root[word] = LOW
        elif head < word:
            right[head, word] = LOW
        elif head > word:
            left[word, head] = LOW
    return Scores(shift, left, right, reduce, root)


Tree = tuple[float, tuple[tuple[int, int, int], ...]]      # score, (dependent, head, label rank)


def k_best(scores: Scores, k: int, ranked: Callable[[int, int], Sequence[float]]) -> list[Tree]:
    """The k best labelled trees, each once, in O(n^3 k log k).

    Args:
        ranked: for (head, dependent), what the labels add to the score of the arc, the best first.
    """
    shift, left, right, reduce, root = scores
    n = len(root) - 1
    none: list[Tree] = [(0.0, ())]
    A: dict = {}
    R: dict = {}
    T: dict = {}

    def joined(cells: Sequence[tuple]) -> list[Tree]:
        """The best of all products of the lists of each cell: (constant, lists, arc)."""
        heap, seen, best = [], set(), []
        for c, (constant, lists, _) in enumerate(cells):
            if constant > LOW / 2 and all(lists):
                place = (0,) * len(lists)
                heap.append((-constant - sum(one[0][0] for one in lists), c, place))
        heapq.heapify(heap)
        while heap and len(best) < k:
            negative, c, place = heapq.heappop(heap)
            constant, lists, arc = cells[c]
            arcs: tuple = sum((one[i][1] for one, i in zip(lists, place)), ())
            if arc is not None:
                arcs = (*(a for a in arcs if a != ("label",)), (*arc, place[-1]))
            best.append((-negative, arcs))
            for axis in range(len(lists)):
                new = (*place[:axis], place[axis] + 1, *place[axis + 1 :])
                if new[axis] < len(lists[axis]) and (c, new) not in seen:
                    seen.add((c, new))
                    score = constant + sum(one[i][0] for one, i in zip(lists, new))
                    heapq.heappush(heap, (-score, c, new))
        return best

    def labels(head: int, word: int) -> list[Tree]:
        return [(value, ()) for value in ranked(head, word)]

    for j in range(1, n + 2):
        for top in range(j - 1, -1, -1):
            inner = range(top + 1, j)
            A[top, j] = none if j == top + 1 else [] if j > n else joined([
                (shift[top, i] + left[i, j], (A[top, i], T[i, j], labels(j, i)), (i, j))
                for i in inner
            ])
            R[top, j] = [] if top == 0 else joined([
                (right[top, i] + (reduce[i, j] if j <= n else 0),
                 (T[top, i], T[i, j], labels(top, i)), (i, top))
                for i in inner
            ])
            T[top, j] = joined([(0, (A[top, j],), None), (0, (R[top, j],), None)])
    return joined([
        (shift[0, r] + root[r], (A[0, r], T[r, n + 1]), (r, 0)) for r in range(1, n + 1)
    ])


class EndScores(NamedTuple):
    """Log potentials with a front that UNSHIFT has put back: [top, front], and of UNSHIFT."""

    left: NDArray
    right: NDArray
    reduce: NDArray
    unshift: NDArray


def all_derivations(scores: Scores, end: EndScores, add: Callable[[float, float], float]) -> float:
    """The sum (or the best, by `add`) over all derivations of `arc_eager`, UNSHIFT at the end too.

    X[k, j] is an item of any derivation before the end. F[k, w] is all that happens from k just
    pushed to k on top again after the end, with w as the front (n + 1 where the buffer is empty):
    O(n^2) items, O(n^3) steps.
    """
    n = len(scores.root) - 1
    shift, left, right, reduce, _ = scores
    END = n + 1
    X: dict = {}
    for j in range(1, n + 2):
        for k in range(j - 1, -1, -1):
            value = 0.0 if j == k + 1 else LOW
            for i in range(k + 1, j if j <= n else 0):
                value = add(value, X[k, i] + shift[k, i] + X[i, j] + left[i, j])
                if k:
                    value = add(value, X[k, i] + right[k, i] + X[i, j] + reduce[i, j])
            X[k, j] = value
    F: dict = {}
    total = LOW
    for k in range(n, -1, -1):
        for w in range(n, k, -1):
            value = LOW
            for i in range(k + 1, n + 1):
                pushed = X[k, i] + shift[k, i]
                if i == w:
                    value = add(value, pushed + F[i, END] + end.unshift[i])
                elif i < w:
                    value = add(value, pushed + F[i, w] + end.left[i, w])
                    if k:
                        value = add(
                            value, X[k, i] + right[k, i] + F[i, w] + end.reduce[i, w])
            F[k, w] = value
        value = X[k, END] if k == n else LOW
        if k:
            for i in range(k + 1, n + 1):
                value = add(value, X[k, i] + right[k, i] + F[i, END])
            for w in range(k + 1, n + 1):
                value = add(value, F[k, w] + end.right[k, w])
        F[k, END] = value
    # The last word that is left is the root. It is not unshifted, nor shifted onto nothing at the
    # end of the input.
    for r in range(1, n + 1):
        total = add(total, X[0, r] + shift[0, r] + F[r, END])
        for i in range(1, r):
            total = add(total, X[0, i] + shift[0, i] + F[i, r] + end.left[i, r])
    return total
