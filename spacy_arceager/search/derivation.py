"""A derivation that a model chose: each transition, and what else was legal there."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from ..systems.parameters import Transition

TINIEST = 5e-324    # in place of probabilities that have become 0


class Option(NamedTuple):
    """A legal transition at an anchor, as the model scored it.

    Attributes:
        label: its best one, or the one that was taken; None where it makes no arc.
        score: of the two together.
        probability: of the transition, whatever its label.
        label_probability: of the label where this transition is taken; 1 without an arc.
            Probabilities are shares of the exponentials of all legal scores; of a model that was
            trained with a beam they are no more.
    """

    transition: Transition
    label: str | None
    score: float
    probability: float
    label_probability: float


class ScoredStep(NamedTuple):
    """A transition of a derivation.

    Attributes:
        label: that of its arc; of a SHIFT, the one that the word gets where a non-monotonic REDUCE
            attaches it.
        options: what was legal; empty where nothing had to be decided.
        taken: which of them this is, or None.
    """

    transition: Transition
    label: str | None
    options: list[Option]
    taken: Option | None

    @property
    def probability(self) -> float:
        """Of the transition and its label together; 1 where nothing had to be decided."""
        return self.taken.probability * self.taken.label_probability if self.taken else 1.0


def log_probability(steps: Iterable[ScoredStep]) -> float:
    """The log of the probability of all steps together."""
    return sum(math.log(step.probability or TINIEST) for step in steps)
