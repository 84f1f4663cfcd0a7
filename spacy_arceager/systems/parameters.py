"""Control parameters that were checked: what makes one transition system different from
another.
"""

from dataclasses import dataclass

from .contradictions import find_contradiction
from .control_parameters import ArcParameters, ControlParameters, Transition

__all__ = ["ArcParameters", "ParameterError", "SystemParameters", "Transition"]


class ParameterError(ValueError):
    """Control parameters that contradict each other; the message names them."""


@dataclass(frozen=True)
class SystemParameters(ControlParameters):
    """A transition system as data; see ControlParameters for what it holds.

    Raises:
        ParameterError: Naming two parameters, where they contradict each other.
    """

    def __post_init__(self) -> None:
        for name in ("left", "right"):
            object.__setattr__(self, name, simplest(getattr(self, name)))
        problem = find_contradiction(self)
        if problem is not None:
            raise ParameterError(f"Transition system '{self.name}': {problem}")


def simplest(arcs: object) -> object:
    """One arc is not kept as a list of one, so that equal systems compare equal."""
    if not isinstance(arcs, list | tuple):
        return arcs
    return arcs[0] if len(arcs) == 1 else tuple(arcs)
