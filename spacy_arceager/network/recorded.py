"""Scores of recorded configurations by the weights of another model.

The configurations were recorded in a roll-out, as rows of features. A model with the same features
scores them over vectors of its own, in NumPy; the roll-out's own model has done so in C.
"""

import numpy
from numpy.typing import NDArray

from .scoring import ScoredRows
from .weights import Weights


def score_recorded(
    weights: Weights, vectors: NDArray[numpy.float32], rows: ScoredRows
) -> NDArray[numpy.float32]:
    """Scores of all classes, (n_rows, classes).

    Args:
        weights: of a model with the features of the one that was recorded.
        vectors: (n_words, width), its vectors of the words of that roll-out.
    """
    dims = weights.dims
    size = dims.pieces * dims.hidden
    sums = numpy.tile(weights.lower_b.reshape((1, size)), (len(rows.word_rows), 1))
    special = weights.special.reshape((-1, len(dims.words), size))
    for slot, column in enumerate(rows.word_rows.T):
        lower = weights.lower_W[:, slot * size : (slot + 1) * size]
        sums += numpy.concatenate([vectors @ lower, special[:, slot]])[column]
    for column in rows.attribute_rows.T:
        sums += weights.tables.reshape((-1, size))[column]
    hidden = sums.reshape((-1, dims.pieces, dims.hidden)).max(axis=1)
    return hidden @ weights.upper_W + weights.upper_b
