"""What the tests of layers ask of gradients: finite differences, and a loss that falls."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy
from spacy.tokens import Doc
from thinc.api import Adam, Model


def loss(model: Model, inputs: Sequence[Any], gradient: Sequence[numpy.ndarray]) -> float:
    """A function of the outputs of a layer with this gradient, with the same dropout each time."""
    # Weights that were changed in place are said to be, as by an optimizer.
    model.finish_update(lambda key, weights, d_weights: (weights, d_weights))
    numpy.random.seed(1)
    outputs = model(inputs, is_train=True)[0]
    return sum(float((y.astype("d") * d).sum()) for y, d in zip(outputs, gradient, strict=True))


def slope(loss: Callable[[], float], values: numpy.ndarray, place: int, step: float) -> float:
    """The central difference of a loss by one of the values that it reads, by its flat index."""
    value = values.flat[place]
    ends = []
    for end in (value + step, value - step):
        values.flat[place] = end
        ends.append(loss())
    values.flat[place] = value
    return (ends[0] - ends[1]) / (2 * step)


def learn(
    model: Model, docs: Sequence[Doc], target: Sequence[numpy.ndarray], rate: float, updates: int
) -> list[float]:
    """Train a layer to give the target vectors, and return the sum of squares at each update."""
    sgd, losses = Adam(rate), []
    for _ in range(updates):
        vectors, backprop = model(docs, is_train=True)
        gradient = [y - goal for y, goal in zip(vectors, target, strict=True)]
        losses.append(sum(float((d**2).sum()) for d in gradient))
        backprop(gradient)
        model.finish_update(sgd)
    return losses
