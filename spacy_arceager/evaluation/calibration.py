"""Whether probabilities mean what they say: expected calibration error, and a temperature.

Both are defined by Guo, Pleiss, Sun and Weinberger (2017, section 2). Predictions are sorted by
confidence into bins of equal width. The error is the mean distance between the confidence and the
accuracy of a bin, and bins count by their size.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike

LEAST_PROBABILITY = 1e-12    # stands in for 0, so that a single error does not decide the loss
GRID = tuple(2.0 ** (k / 4) for k in range(-8, 17))    # temperatures from 1/4 to 16


class Bin(NamedTuple):
    """Predictions of similar confidence: their number, mean confidence, and share of right ones."""

    size: int
    confidence: float
    accuracy: float


def bins(confidences: ArrayLike, right: ArrayLike, n_bins: int = 10) -> list[Bin]:
    """The bins from the lowest confidence to the highest, without empty bins.

    Args:
        confidences: (n,), from 0 to 1.
        right: (n,) bool.
    """
    sure, hit = numpy.asarray(confidences, dtype=float), numpy.asarray(right, dtype=bool)
    place = numpy.minimum((sure * n_bins).astype(int), n_bins - 1)
    return [
        Bin(int(inside.sum()), float(sure[inside].mean()), float(hit[inside].mean()))
        for inside in (place == i for i in range(n_bins)) if inside.any()
    ]


def calibration_error(confidences: ArrayLike, right: ArrayLike, n_bins: int = 10) -> float:
    """Expected calibration error, from 0 to 1. Raises ValueError where nothing is predicted."""
    filled = bins(confidences, right, n_bins)
    if not filled:
        raise ValueError("There are no predictions")
    errors = [size * abs(confidence - accuracy) for size, confidence, accuracy in filled]
    return sum(errors) / sum(size for size, _, _ in filled)


def describe_error(temperature: float, confidences: ArrayLike, right: ArrayLike) -> str:
    """The expected calibration error at a temperature, as a sentence."""
    error = calibration_error(confidences, right)
    return (
        f"Temperature {temperature:.3f}: expected calibration error {100 * error:.2f} % "
        f"over {numpy.size(right)} words"
    )


def log_loss(confidences: ArrayLike, right: ArrayLike) -> float:
    """The mean negative log of the probability that was given to what turned out to be true."""
    sure = numpy.asarray(confidences, dtype=float)
    of_truth = numpy.where(right, sure, 1 - sure)
    return float(-numpy.log(numpy.maximum(of_truth, LEAST_PROBABILITY)).mean())


def find_temperature(loss: Callable[[float], float]) -> float:
    """The temperature of GRID that has the lowest loss.

    Args:
        loss: takes a temperature. It must fall and then rise as temperatures grow, for the search
            stops as soon as it rises.
    """
    middle = GRID.index(1.0)
    best, lowest = middle, loss(1.0)
    for direction in (1, -1):
        place = middle + direction
        while 0 <= place < len(GRID) and (new := loss(GRID[place])) < lowest:
            best, lowest, place = place, new, place + direction
        if best != middle:
            break
    return GRID[best]
