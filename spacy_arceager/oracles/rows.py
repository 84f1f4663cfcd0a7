"""What an oracle says of itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..machine.system import Configuration
from ..systems.control_parameters import (
    ATTACH,
    BREAK,
    LEFT,
    REDUCE,
    RIGHT,
    SHIFT,
    UNSHIFT,
)
from ..systems.parameters import SystemParameters, Transition
from .costs import CostFunction

Predicate = Callable[[SystemParameters], bool]

# Every oracle knows what these cost. Whether a system with them suits it, `needs` says.
COMMON_MOVES = frozenset({SHIFT, LEFT, RIGHT, REDUCE, ATTACH, UNSHIFT, BREAK})


class HasCosts(Protocol):
    """What an oracle in plain Python has, see `PythonOracle`."""

    def costs(
        self, configuration: Configuration, heads: list[Any]
    ) -> Mapping[Transition | str, int]:
        """The cost of each legal transition."""


def everywhere(parameters: SystemParameters) -> bool:
    """For a property that holds in each system."""
    return True


def nowhere(parameters: SystemParameters) -> bool:
    """For a property that holds in no system."""
    return False


@dataclass(frozen=True)
class OracleOption:
    """A setting of an oracle.

    Attributes:
        name: as in a config.
        default: as in a config.
        meaning: what it does.
        systems: which it matters for.
        choices: the values that it can have, none for a bool.
    """

    name: str
    default: bool | str
    meaning: str
    systems: str
    choices: tuple[str, ...] = ()

    def check(self, value: object) -> None:
        """Raise ValueError where it cannot have a value."""
        if self.choices and value not in self.choices:
            raise ValueError(
                f"{self.name}='{value}' is unknown; use one of {', '.join(self.choices)}"
            )
        if not self.choices and not isinstance(value, bool):
            raise ValueError(f"{self.name}={value!r} is neither true nor false")


PREFER_MONOTONIC = OracleOption(
    "prefer_plain", True,
    "in training, among the cheapest transitions prefer those that are also cheapest in the "
    "system without its non-monotonic transitions, so that the parser learns repairs and UNSHIFT "
    "for when they are needed and does not rely on them (Honnibal et al. 2013, section 6)",
    "arc-eager with tree constraint or non-monotonic",
)


@dataclass(frozen=True)
class Row:
    """One way to find costs.

    No system suits two rows of one name, and for none are two advised.

    Attributes:
        name: as in a config, arceager.NAME_oracle.v1.
        method: how it works, and whose it is.
        needs: what a system lacks, in words; None where the oracle suits it.
        costs: the cost function for a dict of all options.
        options: what can be set.
        findings: pairs of systems and what exhaustive search says about them, for the docs.
        is_exact: every cost is true, for each gold tree that is projective (with SWAP: for each).
        is_advised: it trains a system whose oracle nobody has named; where no oracle is advised,
            the static one does. An exact one should be where it is fast, or a nearly exact one.
        follow_only: costs mean something on the oracle's own derivation only.
        is_relative: only differences of costs mean something.
        takes_any_transitions: it is made for multisets of transitions too.
        also_knows: moves beside COMMON_MOVES that it knows the cost of. A system with any other
            move does not suit it.
    """

    name: str
    method: str
    needs: Callable[[SystemParameters], str | None]
    costs: Callable[[Mapping[str, Any]], CostFunction]
    findings: tuple[tuple[str, str], ...]
    options: tuple[OracleOption, ...] = ()
    is_exact: Predicate = nowhere
    is_advised: Predicate = nowhere
    follow_only: bool = False
    is_relative: bool = False
    takes_any_transitions: bool = False
    also_knows: tuple[str, ...] = ()

    @property
    def moves(self) -> frozenset[str]:
        """The moves that the oracle knows the cost of."""
        return COMMON_MOVES.union(self.also_knows)

    def lacks(self, parameters: SystemParameters) -> str | None:
        """What a system lacks for the oracle, in words; None where it suits."""
        if not (self.takes_any_transitions or parameters.has_usual_transitions):
            return "one left, one right and shift=true"
        for transition in parameters.transitions:
            if transition.move not in self.moves:
                return f"no {transition.move}"
        return self.needs(parameters)

    def suits(self, parameters: SystemParameters) -> bool:
        """Whether the oracle is made for a system."""
        return self.lacks(parameters) is None
