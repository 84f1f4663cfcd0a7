"""How often training follows a transition that costs something."""

from collections.abc import Iterator
from itertools import repeat
from typing import Any


class Exploration:
    """A rate for each update, from a number or a thinc schedule.

    A schedule cannot be copied or pickled; a copy keeps the rate of the last update.
    """

    def __init__(self, rates: float | Iterator[float]):
        """Raises ValueError for a number that is no rate."""
        self._rates = rates if isinstance(rates, Iterator) else repeat(check_rate(rates))
        self._last = 1.0 if isinstance(rates, Iterator) else float(rates)

    def __reduce__(self) -> tuple:
        return Exploration, (self._last,)

    def __next__(self) -> float:
        self._last = check_rate(next(self._rates))
        return self._last


def check_rate(rate: Any) -> float:
    """A rate that is one. Raises ValueError for others."""
    if not isinstance(rate, (int, float)) or not 0 <= rate <= 1:      # NaN neither
        raise ValueError(f"exploration={rate!r}; use a number from 0 to 1, or a schedule of such")
    return float(rate)
