"""Whether probabilities mean what they say: expected calibration error, and a temperature.

Guo, Pleiss, Sun and Weinberger (2017): confidences are sorted into bins of equal width; the error
is the mean distance of a bin's confidence from its accuracy, weighted by its size.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike

LEAST_PROBABILITY = 1e-12    # in place of 0, so that one error alone does not decide
GRID = tuple(2.0 ** (k / 4) for k in range(-8, 17))    # temperatures from 1/4 to 16


class Bin(NamedTuple):
    """Predictions of like confidence: how many, their mean confidence, the share that is right."""

    size: int
    confidence: float
    accuracy: float


def bins(confidences: ArrayLike, right: ArrayLike, n_bins: int = 10) -> list[Bin]:
    """Predictions by confidence, from the lowest; bins without any are left out.

    Args:
        confidences: (n,), from 0 to 1.
        right: (n,) bool.
    """
    sure, hit = numpy.asarray(confidences, dtype=float), numpy.asarray(right, dtype=bool)
    place = numpy.minimum((sure * n_bins).astype(int), n_bins - 1)
    return [
        Bin(int(own.sum()), float(sure[own].mean()), float(hit[own].mean()))
        for own in (place == i for i in range(n_bins)) if own.any()
    ]


def calibration_error(confidences: ArrayLike, right: ArrayLike, n_bins: int = 10) -> float:
    """Expected calibration error, from 0 to 1. Raises ValueError where there is nothing."""
    found = bins(confidences, right, n_bins)
    if not found:
        raise ValueError("There are no predictions")
    total = sum(one.size for one in found)
    return sum(one.size * abs(one.confidence - one.accuracy) for one in found) / total


def describe_error(temperature: float, confidences: ArrayLike, right: ArrayLike) -> str:
    """The expected calibration error at a temperature, as a sentence."""
    error = calibration_error(confidences, right)
    return (
        f"Temperature {temperature:.3f}: expected calibration error {100 * error:.2f} % "
        f"over {numpy.size(right)} words"
    )


def log_loss(confidences: ArrayLike, right: ArrayLike) -> float:
    """The mean of minus the log of what was given to what came true."""
    sure = numpy.asarray(confidences, dtype=float)
    given = numpy.where(right, sure, 1 - sure)
    return float(-numpy.log(numpy.maximum(given, LEAST_PROBABILITY)).mean())


def find_temperature(loss: Callable[[float], float]) -> float:
    """The temperature of the lowest loss among those of GRID.

    Args:
        loss: of a temperature. It falls and rises once, so that the search stops behind the lowest.
    """
    middle = GRID.index(1.0)
    best, lowest = middle, loss(1.0)
    for direction in (1, -1):
        place = middle + direction
        while 0 <= place < len(GRID) and (found := loss(GRID[place])) < lowest:
            best, lowest, place = place, found, place + direction
        if best != middle:
            break
    return GRID[best]
