"""What the layers share: thinc's Maxout with LayerNorm by our kernels, and lists of arrays."""

from typing import NoReturn, TypeVar, cast

import numpy
from numpy.typing import NDArray
from thinc.api import Model, Ops
from thinc.types import Floats2d, FloatsXd, Ragged

from .maxout_norm import MaxoutNorm, Record

Words = TypeVar("Words", list[Floats2d], Ragged, Floats2d)
Array = NDArray[numpy.float32]


def get_array(node: Model, name: str) -> Array:
    """A parameter as a NumPy array."""
    return node.ops.to_numpy(node.get_param(name))


def set_array(node: Model, name: str, values: Array) -> None:
    """Set a parameter to the values of a NumPy array."""
    node.set_param(name, node.ops.asarray_f(cast(FloatsXd, values)))


def lay_out(maxout: Model, norm: Model) -> MaxoutNorm:
    """The weights of thinc's Maxout and LayerNorm for the kernels."""
    return MaxoutNorm(get_array(maxout, "W"), get_array(maxout, "b"), get_array(norm, "G"),
                      get_array(norm, "b"))


def add_gradient(node: Model, name: str, gradient: Array) -> None:
    """Add to the gradient of a parameter."""
    node.inc_grad(name, node.ops.asarray_f(cast(FloatsXd, gradient)))


def draw_dropout(dropout: Model) -> tuple[float, int]:
    """Rate, and a seed for the choice, from a thinc layer and NumPy's random numbers."""
    rate = dropout.attrs["dropout_rate"] if dropout.attrs["is_enabled"] else 0.0
    return rate, int(numpy.random.randint(2**63)) if rate > 0 else 0


def backprop_maxout_norm(
    maxout: Model, norm: Model, weight: MaxoutNorm, record: Record, d_out: Array, inputs: Array
) -> Array:
    """Add up the gradients of the weights and return that of the inputs.

    Args:
        d_out: (n, hidden).
        inputs: (n, n_inputs), as they went into the layer.
    """
    d_products, d_gain, d_shift = weight.backprop(d_out, record)
    W = get_array(maxout, "W")
    add_gradient(maxout, "W", (d_products.T @ inputs).reshape(W.shape))
    add_gradient(maxout, "b", d_products.sum(axis=0).reshape(W.shape[:2]))
    add_gradient(norm, "G", d_gain)
    add_gradient(norm, "b", d_shift)
    return d_products @ W.reshape((-1, W.shape[2]))


def no_backprop(dY: object) -> NoReturn:
    """The backward pass of a prediction: an error."""
    raise ValueError("The layer predicted; nothing was recorded for the backward pass")


def flatten(ops: Ops, X: Words, width: int) -> tuple[Array, NDArray[numpy.int32]]:
    """The vectors of all words, (n_words, width), and the words of each Doc, on the CPU."""
    if isinstance(X, Ragged):
        return contiguous(ops, X.dataXd), ops.to_numpy(X.lengths).astype("i")
    if not isinstance(X, list):
        return contiguous(ops, X), numpy.array([len(X)], dtype="i")
    lengths = numpy.array([len(x) for x in X], dtype="i")
    if not X:
        return numpy.zeros((0, width), dtype="f"), lengths
    return contiguous(ops, X[0] if len(X) == 1 else ops.xp.concatenate(X)), lengths


def contiguous(ops: Ops, vectors: object) -> Array:
    """The vectors as a contiguous float32 array on the CPU."""
    return numpy.ascontiguousarray(ops.to_numpy(vectors), dtype="f")


def wrap(ops: Ops, vectors: Array, like: Words, lengths: NDArray[numpy.int32]) -> Words:
    """Vectors of all words in the form of `like`, where the model computes."""
    array = ops.asarray2f(cast(Floats2d, vectors))
    if isinstance(like, Ragged):
        return Ragged(array, like.lengths)
    if not isinstance(like, list):
        return array
    ends = numpy.cumsum(lengths).tolist()
    return [array[end - n:end] for end, n in zip(ends, lengths.tolist())]
