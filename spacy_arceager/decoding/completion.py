"""A tree for what the search has missed: with all fixed arcs and nothing forbidden.

Greedy search, or a beam, can come to where only forbidden arcs are left. Then a tree is looked for
without the transition system: of all that are allowed, the one whose arcs most of the free parses
in a beam have. Its arcs are fixed, and the search gives it labels.
"""

from dataclasses import replace
from typing import Any

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..search.beam import search
from ..trees.best_tree import NEVER, best_projective_tree, best_tree
from ..search.forbidden import Forbidden
from ..annotation.fixed_arcs import FREE

WIDTH = 8           # of the beam that votes, at least
CLOSENESS = 1e-3    # what an arc to the next word is worth where there are no votes


def completed(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray,
    how: dict[str, Any],
    unit: int,
    own: slice,
) -> dict[str, Any] | None:
    """How to search a unit of which all arcs are fixed, or None where there is no tree.

    Args:
        how: the arguments of `beam.search` behind the vectors, of all units.
        own: the words of the unit among all.
    """
    forbidden = how["forbidden"][unit]
    boundaries = how["boundaries"][own]
    fixed = how["fixed"] or nothing_fixed(len(vectors))
    weights = find_votes(system, scorer, vectors[own], how, boundaries)
    weights[forbidden.arcs > 0] = NEVER
    for word, head in enumerate(fixed[0][own]):
        if head >= 0:
            weights[word, numpy.arange(len(weights)) != head] = NEVER
    found = find_tree(system, weights, forbidden, boundaries)
    if found is None:
        return None
    heads, starts = found
    labels = forbidden.labels.copy()
    for word, head, label in forbidden.labelled.tolist():
        if heads[word] == head:
            labels[word, label] = 1
    return {
        **how,
        "lengths": numpy.asarray([len(heads)], "i"),
        "boundaries": numpy.where(starts, 2, 1).astype("i")
        if system.parameters.segment else boundaries,
        "fixed": (heads, fixed[1][own]),
        "forbidden": [Forbidden(numpy.zeros_like(forbidden.arcs), labels)],
    }


def nothing_fixed(n_words: int) -> tuple[NDArray, NDArray]:
    """Heads and labels of words that are all free, (n_words,) each."""
    return numpy.full((n_words,), FREE, "i"), numpy.full((n_words,), FREE, "i")


def find_votes(
    system: TransitionSystem,
    scorer: Scorer,
    vectors: NDArray,
    how: dict[str, Any],
    boundaries: NDArray,
) -> NDArray[numpy.float64]:
    """How many of the free parses in a beam have each arc, by dependent and head, (n, n).

    Each counts by its probability, and short arcs count a little more than long ones.
    """
    n = len(vectors)
    settings = replace(how["settings"], width=max(WIDTH, how["settings"].width), density=0)
    (trees,) = search(system, scorer, vectors, [n], settings, boundaries)
    scores = numpy.asarray([tree[0] for tree in trees])
    shares = numpy.exp(scores - scores.max())
    words = numpy.arange(n)
    votes = CLOSENESS / (1 + abs(words[:, None] - words))
    for share, tree in zip(shares / shares.sum(), trees):
        votes[words, tree[1]] += share
    return votes


def find_tree(
    system: TransitionSystem, weights: NDArray, forbidden: Forbidden, boundaries: NDArray
) -> tuple[NDArray, NDArray] | None:
    """Heads and sentence starts of the best tree of the kind that a system derives."""
    subtrees = [(first, last) for first, last in forbidden.subtrees.tolist()]
    segment, swap = system.parameters.segment, system.parameters.swap
    if segment or not swap:
        found = best_projective_tree(weights, subtrees, boundaries if segment else None)
        if found is not None or not swap or (boundaries[1:] == 2).any():
            return found
    heads = best_tree(weights, subtrees)
    return None if heads is None else (heads, numpy.arange(len(heads)) == 0)
