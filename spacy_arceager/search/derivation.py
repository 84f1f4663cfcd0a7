"""A derivation that a model chose: its transitions, each with all that were legal."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from ..systems.parameters import Transition

TINIEST = 5e-324    # the least positive float, in place of probabilities rounded to 0


class Option(NamedTuple):
    """A legal transition at an anchor, as the model scored it.

    Attributes:
        label: the label that was taken with the transition, otherwise its best label; None for a
            transition that makes no arc.
        score: of transition and label together.
        probability: of the transition with any label.
        label_probability: of the label, given the transition; 1 without an arc.

    A probability is a share of the sum of exponentials of all legal scores. A model that was
    trained with a beam is not normalised in each configuration, so that its shares are not
    probabilities.
    """

    transition: Transition
    label: str | None
    score: float
    probability: float
    label_probability: float


class ScoredStep(NamedTuple):
    """A transition of a derivation.

    Attributes:
        label: of the transition's arc, or None. For a SHIFT, the label that the word will get if a
            non-monotonic REDUCE attaches it.
        options: all legal transitions; empty if there was nothing to decide.
        taken: the option that was taken, or None if there was nothing to decide.
        remembered: of the label that a SHIFT leaves for REDUCE, how likely it is, given RIGHT.
    """

    transition: Transition
    label: str | None
    options: list[Option]
    taken: Option | None
    remembered: float = 1.0

    @property
    def probability(self) -> float:
        """Of the transition and its label together; 1 if there was nothing to decide."""
        return self.taken.probability * self.taken.label_probability if self.taken else 1.0


def log_probability(steps: Iterable[ScoredStep]) -> float:
    """The logarithm of the product of the steps' probabilities."""
    return sum(math.log(step.probability or TINIEST) for step in steps)
