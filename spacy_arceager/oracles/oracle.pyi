"""The Python face of the oracles."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from ..machine.system import Configuration, TransitionSystem
from ..systems.parameters import SystemParameters, Transition

def rebuilt(name: str, options: Mapping[str, bool | str]) -> Oracle:
    """The oracle that has been pickled."""

class Oracle:
    """Costs of transitions against a gold tree, or graph; name: one of registry.NAMES."""

    def __init__(self, name: str, **options: bool | str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def options(self) -> Mapping[str, bool | str]:
        """All options of docs/oracles.md that an oracle of this name has."""
    @property
    def follow_only(self) -> bool:
        """Defined only on its own derivation."""

    def check(self, parameters: SystemParameters) -> None:
        """Raise ValueError if the oracle is not made for a system."""

    def suits(self, parameters: SystemParameters) -> bool:
        """Whether the oracle is made for a system."""

    def costs(
        self,
        configuration: Configuration,
        heads: Iterable[int | Collection[int] | None],
        starts: Sequence[bool] | None = None,
        preferred: bool = False,
    ) -> dict[Transition, int]:
        """Cost of each legal transition; a root is its own gold head, None is missing.

        In a graph every word has a collection of gold heads. preferred: as in training.
        """

    def derivation(
        self,
        system: TransitionSystem,
        heads: Iterable[int | Collection[int] | None],
        labels: Sequence[str | Sequence[str] | None] | None = None,
        starts: Sequence[bool] | None = None,
    ) -> list[tuple[Transition, str | None]]:
        """A cheapest derivation of a gold tree: a list of (Transition, label or None)."""
