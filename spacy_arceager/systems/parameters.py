"""Control parameters that were checked: they make one transition system differ from another."""

from dataclasses import dataclass

from .contradictions import find_contradiction
from .control_parameters import ArcParameters, ControlParameters, Transition

__all__ = ["ArcParameters", "ParameterError", "SystemParameters", "Transition"]


class ParameterError(ValueError):
    """Control parameters contradict each other. The message names them."""


@dataclass(frozen=True)
class SystemParameters(ControlParameters):
    """A transition system as data. It has the fields of ControlParameters.

    Raises:
        ParameterError: If two parameters contradict each other; the message names both.
    """

    def __post_init__(self) -> None:
        for name in ("left", "right"):
            object.__setattr__(self, name, simplest(getattr(self, name)))
        problem = find_contradiction(self)
        if problem is not None:
            raise ParameterError(f"Transition system '{self.name}': {problem}")


def simplest(arcs: object) -> object:
    """The only arc of a list instead of the list, so that equal systems compare equal."""
    if not isinstance(arcs, list | tuple):
        return arcs
    return arcs[0] if len(arcs) == 1 else tuple(arcs)
