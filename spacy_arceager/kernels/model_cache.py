"""A cache of what is computed from a model's weights, which drops a value when they change."""

from collections.abc import Callable, Sequence
from operator import is_
from typing import Generic, TypeVar

from thinc.api import Model

from .parameters import get_float32

Value = TypeVar("Value")
# Copies of a model share its forward function and so its cache. The oldest value makes room.
MAX_MODELS = 16


class ModelCache(Generic[Value]):
    """One value for each model, computed again when the model's weights may have changed.

    The weights may have changed when a parameter is another array than before, or when it has a
    gradient, since an optimizer then changes the array in place. Code that changes weights in place
    in any other way must make a new model.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[list[object], int, Value]] = {}

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
        entry = self._entries.get(model.id)
        if (entry is not None and len(sources) == len(entry[0])
                and all(map(is_, sources, entry[0])) and size == entry[1]
                and not any(node.has_grad(name) for node, name in params)):
            return entry[2]
        value = make()
        if len(self._entries) >= MAX_MODELS:
            self._entries.pop(next(iter(self._entries)), None)
        self._entries[model.id] = sources, size, value
        return value
