"""Which gold trees a transition system can derive.

Bohnet et al. (2016, table 2) call the share of all sentences that a system can derive NPS.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..gold.derivable import Heads, are_rebuilt, as_array, joined, static_derivations
from ..machine.system import TransitionSystem
from ..oracles.derivation import Derivations
from ..oracles.oracle import Oracle
from ..systems.parameters import SystemParameters
from ..trees.algorithms import non_projective_arcs
from .shares import share


class Coverage(NamedTuple):
    """How much of a treebank a system can derive. A share is None where there is nothing to count.

    Attributes:
        sentences: share of the sentences; the NPS of Bohnet et al.
        non_projective: share of the non-projective sentences.
        arcs: share of the non-projective arcs whose sentence the system derives.
        rebuilt: share of the words, in all sentences, that get their gold head in the static
            derivation. The best derivation of the system reaches at least this share.
        transitions: mean number of transitions of the static derivation for each word of the
            sentences that the system derives.
        swaps: mean number of SWAPs, likewise.
        swap_distances: how many SWAPs, in all sentences, are of words 0, 1, 2, ... apart.
    """

    sentences: float | None
    non_projective: float | None
    arcs: float | None
    rebuilt: float | None
    transitions: float | None
    swaps: float | None
    swap_distances: tuple[int, ...]


def coverage(
    parameters: SystemParameters, trees: Sequence[Heads], oracle: Oracle | None = None
) -> Coverage:
    """How much of a treebank a system can derive.

    Args:
        trees: the heads of each sentence, from 0; the root is its own head.
        oracle: a static oracle whose derivations are followed; None is one without options.

    Raises:
        ValueError: For what is no tree.
    """
    system = TransitionSystem(parameters)
    derivations = static_derivations(system, trees, oracle)
    derived = are_rebuilt(derivations, trees)
    broken = numpy.asarray([len(non_projective_arcs(as_array(heads))) for heads in trees])
    words = sum(len(heads) for heads, done in zip(trees, derived) if done)
    return Coverage(
        sentences=share(derived.sum(), len(trees)),
        non_projective=share((derived & (broken > 0)).sum(), (broken > 0).sum()),
        arcs=share(broken[derived].sum(), broken.sum()),
        rebuilt=share((derivations.heads == joined(trees)).sum(), len(derivations.heads)),
        transitions=share(derivations.counts[derived].sum(), words),
        swaps=share(_swap_counts(system, derivations)[derived].sum(), words),
        swap_distances=tuple(numpy.trim_zeros(derivations.swaps, "b").tolist()),
    )


def _swap_counts(system: TransitionSystem, derivations: Derivations) -> NDArray[numpy.int32]:
    if not system.parameters.swap:
        return numpy.zeros((len(derivations.counts),), dtype="i")
    return derivations.counts[:, system.find("SWAP")]
