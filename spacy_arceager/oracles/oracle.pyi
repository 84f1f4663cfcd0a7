"""The Python face of the oracles."""

from collections.abc import Collection, Iterable, Sequence

from ..machine.system import Configuration, TransitionSystem
from ..systems.parameters import SystemParameters, Transition

KINDS: tuple[str, ...]

class Oracle:
    """Costs of transitions against a gold tree, or graph; kind: one of KINDS."""

    def __init__(
        self,
        kind: str,
        prefer_plain: bool = False,
        swap_order: str = "arcs_first",
        projective_ties: bool = True,
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def prefer_plain(self) -> bool: ...
    @property
    def swap_order(self) -> str:
        """When the static oracle takes SWAP: "arcs_first", "eager" or "lazy"."""
    @property
    def projective_ties(self) -> bool:
        """The projective order decides about a SWAP that is as cheap as another move."""
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
        heads: Iterable[int | None | Collection[int]],
        starts: Sequence[bool] | None = None,
    ) -> dict[Transition, int]:
        """Cost of each legal transition; a root is its own gold head, None is missing.

        In a graph every word has a collection of gold heads.
        """

    def derivation(
        self,
        system: TransitionSystem,
        heads: Sequence[int | None | Sequence[int]],
        labels: Sequence[str | None | Sequence[str]] | None = None,
        starts: Sequence[bool] | None = None,
    ) -> list[tuple[Transition, str | None]]:
        """A cheapest derivation of a gold tree: a list of (Transition, label or None)."""
