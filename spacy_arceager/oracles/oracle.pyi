from collections.abc import Collection, Iterable, Mapping, Sequence

from ..machine.system import Configuration, TransitionSystem
from ..systems.parameters import SystemParameters, Transition

def rebuilt(name: str, options: Mapping[str, bool | str]) -> Oracle: ...

class Oracle:
    def __init__(self, name: str, **options: bool | str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def options(self) -> Mapping[str, bool | str]: ...
    @property
    def follow_only(self) -> bool: ...
    def check(self, parameters: SystemParameters) -> None: ...
    def suits(self, parameters: SystemParameters) -> bool: ...
    def costs(
        self,
        configuration: Configuration,
        heads: Iterable[int | Collection[int] | None],
        starts: Sequence[bool] | None = None,
        preferred: bool = False,
    ) -> dict[Transition, int]: ...
    def derivation(
        self,
        system: TransitionSystem,
        heads: Iterable[int | Collection[int] | None],
        labels: Sequence[str | Sequence[str] | None] | None = None,
        starts: Sequence[bool] | None = None,
    ) -> list[tuple[Transition, str | None]]: ...
