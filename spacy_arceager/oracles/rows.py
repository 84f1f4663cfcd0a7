"""The row of an oracle: its name, the systems that it suits, and what is known of its costs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ..errors import unknown_name
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

# Every oracle knows the costs of these moves.
COMMON_MOVES = frozenset({SHIFT, LEFT, RIGHT, REDUCE, ATTACH, UNSHIFT, BREAK})


class HasCosts(Protocol):
    """An oracle in plain Python; see `PythonOracle`."""

    def costs(
        self, configuration: Configuration, heads: list[Any]
    ) -> Mapping[Transition | str, int]:
        """The cost of each legal transition."""


def everywhere(parameters: SystemParameters) -> bool:
    """The predicate of a property that every system has."""
    return True


def nowhere(parameters: SystemParameters) -> bool:
    """The predicate of a property that no system has."""
    return False


@dataclass(frozen=True)
class OracleOption:
    """A setting of an oracle.

    Attributes:
        systems: the systems for which it matters, in words.
        choices: the values that it can have; empty if it is a bool.
    """

    name: str
    default: bool | str
    meaning: str
    systems: str
    choices: tuple[str, ...] = ()

    def check(self, value: object) -> None:
        """Raise ValueError if the option cannot have this value."""
        if self.choices and value not in self.choices:
            raise ValueError(
                unknown_name(f"{self.name}='{value}'", str(value), self.choices)
            )
        if not self.choices and not isinstance(value, bool):
            raise ValueError(f"{self.name}={value!r} is neither true nor false")


PREFER_MONOTONIC = OracleOption(
    "prefer_monotonic", True,
    "in training, among the cheapest transitions prefer those that are also cheapest in the "
    "system without its non-monotonic transitions, so that the parser learns repairs and UNSHIFT "
    "for when they are needed and does not rely on them (Honnibal et al. 2013, section 6)",
    "arc-eager with tree constraint or non-monotonic",
)


class Need(NamedTuple):
    """Something that a system must have for an oracle: in words, and whether a system has it."""

    words: str
    is_met: Predicate


TREES_ALONE = Need("graph=false", lambda parameters: not parameters.graph)


@dataclass(frozen=True)
class Row:
    """One way to find costs.

    No system suits two rows of one name, and for none are two advised.

    Attributes:
        name: NAME in arceager.NAME_oracle.v1, as configs have it.
        method: how the oracle finds the costs, and who has published it.
        needs: what a system must have besides moves that the oracle knows.
        costs: a function from the values of all options to the cost function.
        findings: for the docs, pairs of systems and what exhaustive search says about them.
        is_exact: whether, for a system, the oracle gives the true cost of every transition in
            every configuration, whatever projective tree is the gold tree. For a system with
            SWAP, this must hold for all gold trees.
        is_advised: whether the oracle trains a system if its config names none. An oracle should
            be advised if it is fast and exact, or nearly so. If none is advised, the static
            oracle trains the system.
        follow_only: whether costs mean something on the oracle's own derivation only.
        is_relative: whether only the differences between costs mean something.
        takes_any_transitions: whether the oracle is also made for systems with several LEFTs or
            RIGHTs, none of them, or shift=false.
        also_knows: moves beside COMMON_MOVES whose cost the oracle knows. A system with any other
            move does not suit it.
    """

    name: str
    method: str
    needs: tuple[Need, ...]
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
        """The moves whose costs the oracle knows."""
        return COMMON_MOVES.union(self.also_knows)

    def lacks(self, parameters: SystemParameters) -> str | None:
        """What a system lacks for the oracle, in words; None if the oracle suits it."""
        if not (self.takes_any_transitions or parameters.has_usual_transitions):
            return "one left, one right and shift=true"
        for transition in parameters.transitions:
            if transition.move not in self.moves:
                return f"no {transition.move}"
        return next((need.words for need in self.needs if not need.is_met(parameters)), None)

    def suits(self, parameters: SystemParameters) -> bool:
        """Whether the oracle is made for a system."""
        return self.lacks(parameters) is None
