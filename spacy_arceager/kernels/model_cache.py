"""A cache of what is computed from a model's weights, which drops a value when they change."""

from collections.abc import Callable, Sequence
from operator import is_
from typing import Generic, TypeVar

from thinc.api import Model, Shim

from .parameters import get_float32

Value = TypeVar("Value")
# Copies of a model share its forward function and so its cache. The oldest value makes room.
MAX_MODELS = 16


class ModelCache(Generic[Value]):
    """One value for each model, computed again when the model's weights may have changed.

    The weights may have changed when a parameter is another array than before, or when an optimizer
    has changed the array in place. Models that have an `UpdateCount` say so. For others, a
    parameter with a gradient may have changed at any time. Code that changes weights in place in
    any other way must make a new model.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[list[object], tuple[int, int], Value]] = {}

    def __reduce__(self) -> tuple:
        return ModelCache, ()

    def get(
        self,
        model: Model,
        params: Sequence[tuple[Model, str]],
        make: Callable[[], Value],
        others: Sequence[object] = (),
        size: int = 0,
    ) -> Value:
        """The value for a model.

        Args:
            params: layer and name of each parameter that the value is made from.
            make: computes the value.
            others: other objects that it is made from; another object means another value.
            size: the size of whatever among `others` grows in place.
        """
        sources = [*(get_float32(node, name) for node, name in params), *others]
        updates = next((one.updates for one in model.shims if isinstance(one, UpdateCount)), None)
        may_change = updates is None and any(node.has_grad(name) for node, name in params)
        numbers = size, updates or 0
        entry = self._entries.get(model.id)
        if (entry is not None and len(sources) == len(entry[0])
                and all(map(is_, sources, entry[0])) and numbers == entry[1] and not may_change):
            return entry[2]
        value = make()
        if len(self._entries) >= MAX_MODELS:
            self._entries.pop(next(iter(self._entries)), None)
        self._entries[model.id] = sources, numbers, value
        return value


class UpdateCount(Shim):
    """Counts the updates of a model's weights: thinc tells the shims of a model of each."""

    def __init__(self) -> None:
        super().__init__(None)
        self.updates = 0

    def finish_update(self, optimizer: object) -> None:
        """Count an update, which an optimizer makes next."""
        self.updates += 1

    def to_device(self, device_type: str, device_id: int) -> None:
        """Nothing: there is no data."""

    def to_bytes(self) -> bytes:
        """No data."""
        return b""

    def from_bytes(self, data: bytes) -> "UpdateCount":
        """Nothing: loaded weights are other arrays than before."""
        return self
