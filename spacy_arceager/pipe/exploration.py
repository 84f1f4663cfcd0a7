"""How often training follows a transition that costs something."""

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any


class Exploration:
    """A rate for each update, from a number or a thinc schedule.

    A schedule cannot be copied or pickled; a copy keeps the rate of the last update.

    Args:
        rates: how likely the model's best transition is followed although it is costly.
        aggression: how likely the best costly transition is followed although the model's best one
            is optimal, where that is less than `margin` above it.
        margin: in the units of scores.

    Raises:
        ValueError: For a number that is no rate, and a negative margin.
    """

    def __init__(
        self, rates: float | Iterator[float], aggression: float = 0.0, margin: float = 1.0
    ):
        rates = rates if isinstance(rates, Iterator) else repeat(rates)
        self._last = check_rate(next(rates))
        self._rates = chain([self._last], rates)
        self.aggression = check_rate(aggression, "aggression")
        if not margin >= 0:
            raise ValueError(f"margin={margin!r}; use a number from 0 on")
        self.margin = margin

    def __reduce__(self) -> tuple:
        return Exploration, (self._last, self.aggression, self.margin)

    def __next__(self) -> float:
        self._last = check_rate(next(self._rates))
        return self._last


def explore_aggressively(
    rate: Any = 1.0, aggression: float = 0.1, margin: float = 1.0
) -> Exploration:
    """The aggressive exploration of Kiperwasser and Goldberg (2016, section 6.2).

    Args:
        rate: as without it, a number or a schedule. The others are those of `Exploration`.
    """
    return Exploration(rate, aggression, margin)


def check_rate(rate: Any, name: str = "exploration") -> float:
    """A rate that is one. Raises ValueError for others."""
    if not isinstance(rate, (int, float)) or not 0 <= rate <= 1:      # NaN neither
        raise ValueError(f"{name}={rate!r}; use a number from 0 to 1, or a schedule of such")
    return float(rate)
