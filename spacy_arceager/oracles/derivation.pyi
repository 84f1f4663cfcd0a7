from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..machine.system import TransitionSystem
from .gold import GoldTrees
from .oracle import Oracle

class Derivations(NamedTuple):
    heads: NDArray[numpy.int32]  # (n_words,) a root is its own head
    counts: NDArray[numpy.int32]  # (n_trees, n_transitions) how often each transition was taken
    swaps: NDArray[numpy.int32]  # (longest + 1,) SWAPs by the distance of the two words

def follow(system: TransitionSystem, oracle: Oracle, gold: GoldTrees) -> Derivations: ...
