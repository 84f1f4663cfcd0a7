"""Whether a transition system can derive a tree.

This is found out by following the static oracle, which rebuilds a tree exactly if the system can
derive it. For a system that builds graphs, a tree is the graph of its arcs.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from ..oracles.derivation import Derivations, follow
from ..oracles.gold import GoldTrees
from ..oracles.oracle import Oracle
from ..systems.catalogue import TREE_SYSTEMS
from ..systems.parameters import SystemParameters
from ..trees.algorithms import is_tree, non_projective_arcs
from . import MISSING

# The head of each word, counted from 0; the root is its own head.
Heads: TypeAlias = Sequence[int] | NDArray[numpy.int32]


def derivable(system: TransitionSystem, heads: Heads) -> bool:
    """Whether a system can derive a tree. Raises ValueError if the heads are no tree."""
    return bool(are_rebuilt(static_derivations(system, [heads]), [heads])[0])


@cache
def derives_projective_trees(parameters: SystemParameters) -> bool:
    """Whether a system derives all projective trees.

    All systems of the catalogue do. Another system is tried on all trees of four words, which are
    the smallest trees that can show a difference.
    """
    unnamed = replace(parameters, name="", segment=False)
    if any(unnamed == replace(e.parameters(), name="") for e in TREE_SYSTEMS.values()):
        return True
    system = TransitionSystem(parameters)
    arrays = (numpy.asarray(heads, dtype="i") for heads in product(range(4), repeat=4))
    trees = [heads for heads in arrays if is_tree(heads) and not non_projective_arcs(heads)]
    return all(derivable(system, heads) for heads in trees)


def static_derivations(
    system: TransitionSystem, trees: Sequence[Heads], oracle: Oracle | None = None
) -> Derivations:
    """The derivation of each tree by a static oracle; None stands for one without options.

    Raises:
        ValueError: If the heads of a sentence are no tree.
    """
    for i, heads in enumerate(trees):
        if len(heads) and not is_tree(as_array(heads)):
            raise ValueError(f"Sentence {i}: the heads {list(heads)} are no tree")
    lengths = [len(heads) for heads in trees]
    labels = numpy.full((sum(lengths),), MISSING, dtype="i")
    has_root = system.parameters.root != "none"
    arcs = _arcs(trees, lengths) if system.parameters.graph else None
    gold = GoldTrees(lengths, joined(trees), labels, has_root, arcs=arcs)
    return follow(system, oracle or Oracle("static"), gold)


def are_rebuilt(derivations: Derivations, trees: Sequence[Heads]) -> NDArray[numpy.bool_]:
    """Whether each tree is what its derivation has built: (n_trees,)."""
    wrong = numpy.concatenate([[0], numpy.cumsum(derivations.heads != joined(trees))])
    ends = numpy.cumsum([0, *(len(heads) for heads in trees)])
    return numpy.diff(wrong[ends]) == 0


def joined(trees: Sequence[Heads]) -> NDArray[numpy.int32]:
    """The heads of all trees in one array: (n_words,)."""
    return numpy.concatenate([numpy.zeros((0,), "i"), *map(as_array, trees)])


def as_array(heads: Heads) -> NDArray[numpy.int32]:
    """Heads as an array: (n_words,)."""
    return numpy.asarray(heads, dtype="i")


def _arcs(trees: Sequence[Heads], lengths: Sequence[int]) -> NDArray[numpy.int32]:
    """Dependent, head and label of each arc, in the form that `GoldTrees` takes: (n_words, 3)."""
    heads = joined(trees) + numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)
    words = numpy.arange(len(heads))
    return numpy.stack([words, heads, numpy.full_like(heads, MISSING)], axis=1).astype("i")
