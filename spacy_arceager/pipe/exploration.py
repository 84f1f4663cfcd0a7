"""Exploration: how often training follows a transition that has a cost."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..checks import check_shares


class Exploration:
    """Tells the rate of exploration of each update.

    A schedule cannot be copied or pickled. A copy therefore keeps the rate of the last update.

    Args:
        rates: the probability that training follows the model's best transition if it is costly. It
            is a number, or a thinc schedule with a number for each update.
        aggression: the probability that training follows the best costly transition instead of the
            model's best one, if that one is optimal and scores less than `margin` above it.
        margin: a difference of scores.

    Raises:
        ValueError: If a rate is not from 0 to 1, or the margin is negative.
    """

    def __init__(
        self, rates: float | Iterator[float], aggression: float = 0.0, margin: float = 1.0
    ):
        # The rates of the updates so far, since a training may begin again.
        self._rates = [] if isinstance(rates, Iterator) else [check_rate(rates)]
        self._schedule = rates if isinstance(rates, Iterator) else iter(())
        self._last = self.rate_at(0)
        check_shares(aggression=aggression)
        self.aggression = aggression
        if not margin >= 0:
            raise ValueError(f"margin={margin!r}; use a number from 0 on")
        self.margin = margin

    def __reduce__(self) -> tuple:
        return Exploration, (self._last, self.aggression, self.margin)

    def rate_at(self, update: int) -> float:
        """The rate of an update, counted from 0. That of the last one goes on after a schedule."""
        missing = max(0, update + 1 - len(self._rates))
        self._rates += map(check_rate, islice(self._schedule, missing))
        self._last = self._rates[min(update, len(self._rates) - 1)]
        return self._last


def explore_aggressively(
    rate: Any = 1.0, aggression: float = 0.1, margin: float = 1.0
) -> Exploration:
    """The aggressive exploration of Kiperwasser and Goldberg (2016, section 6.2).

    The arguments are those of `Exploration`; `rate` is a number or a schedule.
    """
    return Exploration(rate, aggression, margin)


def check_rate(rate: Any) -> float:
    """The rate as a float. Raises ValueError if it is not from 0 to 1."""
    check_shares(exploration=rate)
    return float(rate)
