"""What is computed from a model's weights, kept until they change."""

from collections.abc import Callable, Sequence
from operator import is_
from typing import Generic, TypeVar

from thinc.api import Model

Value = TypeVar("Value")
MAX_MODELS = 16    # copies of a model in one process share the function that keeps this


class Kept(Generic[Value]):
    """A value for each model, made anew where the weights may have changed.

    That is where they are other arrays than before, or the model has learnt: an optimizer
    changes weights in place. Who else does so needs a new model.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[list[object], int, Value]] = {}

    def __reduce__(self) -> tuple:
        return Kept, ()

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
            params: the weights that it is made from.
            make: computes it.
            others: what else it is made from, the same objects again.
            size: of what grows in place.
        """
        sources = [*(node.get_param(name) for node, name in params), *others]
        kept = self._kept.get(model.id)
        if (kept is not None and len(sources) == len(kept[0])
                and all(map(is_, sources, kept[0])) and size == kept[1]
                and not any(node.has_grad(name) for node, name in params)):
            return kept[2]
        value = make()
        if len(self._kept) >= MAX_MODELS:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[model.id] = sources, size, value
        return value
