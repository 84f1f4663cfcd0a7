"""The Python face of the oracles."""

from collections.abc import Iterable, Sequence

from ..machine.system import Configuration, TransitionSystem
from ..systems.parameters import SystemParameters, Transition

class Oracle:
    """Costs of transitions against a gold tree; kind: "static", "dynamic" or "exact"."""

    def __init__(self, kind: str, prefer_plain: bool = False) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def prefer_plain(self) -> bool: ...
    @property
    def follow_only(self) -> bool:
        """Defined only on its own derivation."""

    def check(self, parameters: SystemParameters) -> None:
        """Raise ValueError if the oracle is not made for a system."""

    def costs(
        self, configuration: Configuration, heads: Iterable[int | None]
    ) -> dict[Transition, int]:
        """Cost of each legal transition; a root is its own gold head, None is missing."""

    def derivation(
        self,
        system: TransitionSystem,
        heads: Sequence[int | None],
        labels: Sequence[str | None] | None = None,
    ) -> list[tuple[Transition, str | None]]:
        """A cheapest derivation of a gold tree: a list of (Transition, label or None)."""
