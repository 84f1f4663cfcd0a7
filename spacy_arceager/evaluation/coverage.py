"""Which gold trees a transition system can derive.

The static oracle rebuilds a tree exactly if the system can derive it, so following it tells.
For a system that builds graphs, a tree is the graph of its arcs.
Bohnet et al. (2016, table 2) call the share of sentences that a system can derive NPS; they
count projective sentences too.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..oracles.derivation import Derivations, follow
from ..oracles.gold import GoldTrees
from ..oracles.oracle import Oracle
from ..systems.parameters import SystemParameters
from ..trees import crossing_arcs, is_tree

Heads = Sequence[int] | NDArray[numpy.int32]

MISSING = -1


class Coverage(NamedTuple):
    """How much of a treebank a system can derive; shares are None of nothing.

    sentences: share of the sentences; the NPS of Bohnet et al.
    non_projective: share of the non-projective sentences.
    arcs: share of the non-projective arcs that stand in sentences it derives.
    rebuilt: share of the words that the static derivation gives their head, in all
        sentences. The best that the system could reach is at least that.
    transitions, swaps: in the static derivations, for each word of the sentences it derives.
    swap_distances: how many of these and all other SWAPs are of words 0, 1, 2, ... apart.
    """

    sentences: float | None
    non_projective: float | None
    arcs: float | None
    rebuilt: float | None
    transitions: float | None
    swaps: float | None
    swap_distances: tuple[int, ...]


def derivable(system: TransitionSystem, heads: Heads) -> bool:
    """Whether a system can derive a tree. heads: from 0; the root is its own head.

    Raises ValueError for what is no tree.
    """
    return bool(_derived(_follow(system, [heads]), [heads])[0])


@cache
def derives_projective_trees(parameters: SystemParameters) -> bool:
    """Whether a system derives all projective trees of four words, the smallest telling ones."""
    system = TransitionSystem(parameters)
    arrays = (numpy.asarray(heads, dtype="i") for heads in product(range(4), repeat=4))
    trees = [heads for heads in arrays if is_tree(heads) and not crossing_arcs(heads)]
    return all(derivable(system, heads) for heads in trees)


def coverage(parameters: SystemParameters, trees: Sequence[Heads]) -> Coverage:
    """How much of a treebank a system can derive.

    trees: the heads of each sentence, from 0; the root is its own head.
    Raises ValueError for what is no tree.
    """
    system = TransitionSystem(parameters)
    derivations = _follow(system, trees)
    derived = _derived(derivations, trees)
    crossing = numpy.asarray([len(crossing_arcs(_array(heads))) for heads in trees])
    words = sum(len(heads) for heads, done in zip(trees, derived) if done)
    return Coverage(
        sentences=_share(derived.sum(), len(trees)),
        non_projective=_share((derived & (crossing > 0)).sum(), (crossing > 0).sum()),
        arcs=_share(crossing[derived].sum(), crossing.sum()),
        rebuilt=_share((derivations.heads == _flat(trees)).sum(), len(derivations.heads)),
        transitions=_share(derivations.counts[derived].sum(), words),
        swaps=_share(_swap_counts(system, derivations)[derived].sum(), words),
        swap_distances=tuple(numpy.trim_zeros(derivations.swaps, "b").tolist()),
    )


def _follow(system: TransitionSystem, trees: Sequence[Heads]) -> Derivations:
    for i, heads in enumerate(trees):
        if len(heads) and not is_tree(_array(heads)):
            raise ValueError(f"Sentence {i}: the heads {list(heads)} are no tree")
    lengths = [len(heads) for heads in trees]
    labels = numpy.full((sum(lengths),), MISSING, dtype="i")
    has_root = system.parameters.root != "none"
    arcs = _arcs(trees, lengths) if system.parameters.graph else None
    gold = GoldTrees(lengths, _flat(trees), labels, has_root, arcs=arcs)
    return follow(system, Oracle("static", prefer_plain=True), gold)


def _arcs(trees: Sequence[Heads], lengths: Sequence[int]) -> NDArray[numpy.int32]:
    """Dependent, head and label of each arc, as `GoldTrees` takes them."""
    heads = _flat(trees) + numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)
    words = numpy.arange(len(heads))
    return numpy.stack([words, heads, numpy.full_like(heads, MISSING)], axis=1).astype("i")


def _derived(derivations: Derivations, trees: Sequence[Heads]) -> NDArray[numpy.bool_]:
    """Of each tree, whether its derivation gave it."""
    wrong = numpy.concatenate([[0], numpy.cumsum(derivations.heads != _flat(trees))])
    ends = numpy.cumsum([0, *(len(heads) for heads in trees)])
    return numpy.diff(wrong[ends]) == 0


def _swap_counts(system: TransitionSystem, derivations: Derivations) -> NDArray[numpy.int32]:
    if not system.parameters.swap:
        return numpy.zeros((len(derivations.counts),), dtype="i")
    return derivations.counts[:, system.find("SWAP")]


def _array(heads: Heads) -> NDArray[numpy.int32]:
    return numpy.asarray(heads, dtype="i")


def _flat(trees: Sequence[Heads]) -> NDArray[numpy.int32]:
    return numpy.concatenate([numpy.zeros((0,), "i"), *map(_array, trees)])


def _share(part: float, whole: float) -> float | None:
    return float(part) / float(whole) if whole else None
