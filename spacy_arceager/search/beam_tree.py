"""A tree that beam search has found."""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray


class BeamTree(NamedTuple):
    """A tree of a sentence, by its best derivation.

    Attributes:
        score: of the derivation: the sum of its transitions' scores, or of the logarithms of their
            probabilities if the parser has learnt greedily.
        heads: (n_words,) int32, as of `greedy.parse`.
        labels: (n_words,) int32, as of `greedy.parse`.
        starts: (n_words,) bool, as of `greedy.parse`.
        choices: the class and the anchor of each transition that was chosen, (n_choices, 2) int32,
            as `replay.replay` takes them; None if they were not asked for.
    """

    score: float
    heads: NDArray[numpy.int32]
    labels: NDArray[numpy.int32]
    starts: NDArray[numpy.bool_]
    choices: NDArray[numpy.int32] | None
