"""What the embedding and the encoders share: maxout by our kernels, and lists of arrays."""

from collections.abc import Callable
from typing import NoReturn, TypeVar, cast

import numpy
from numpy.typing import NDArray
from thinc.api import Model, Ops
from thinc.types import Floats2d, Ragged

from ..kernels.matrix_product import matrix_product
from ..kernels.maxout_norm import MaxoutNorm, MaxoutRecord
from ..kernels.parameters import add_gradient, get_array

Words = TypeVar("Words", list[Floats2d], Ragged, Floats2d)
Array = NDArray[numpy.float32]
Ints = NDArray[numpy.int32]


def lay_out(maxout: Model, norm: Model, rounding: str | None = None) -> MaxoutNorm:
    """The weights of thinc's Maxout and LayerNorm, in the order in which the kernels read them.

    rounding: as for `RowProduct`.
    """
    return MaxoutNorm(get_array(maxout, "W"), get_array(maxout, "b"), get_array(norm, "G"),
                      get_array(norm, "b"), rounding)


def with_forward(model: Model, forward: Callable) -> Model:
    """A model that computes with another function, and shares the layers of a model of spaCy."""
    return Model(
        model.name,
        forward,
        init=model.init,
        layers=model.layers,
        dims={name: model.maybe_get_dim(name) for name in model.dim_names},
        attrs=dict(model.attrs),
        refs={name: model.maybe_get_ref(name) for name in model.ref_names},
        ops=model.ops,
    )


def draw_dropout(dropout: Model) -> tuple[float, int]:
    """The rate of a thinc Dropout, and a seed for the choice of units by NumPy's random numbers."""
    rate = dropout.attrs["dropout_rate"] if dropout.attrs["is_enabled"] else 0.0
    return rate, int(numpy.random.randint(2**63, dtype="int64")) if rate > 0 else 0


def backprop_maxout_norm(
    maxout: Model,
    norm: Model,
    weight: MaxoutNorm,
    record: MaxoutRecord,
    d_out: Array,
    inputs: Array,
) -> Array:
    """Add to the gradients of the weights and return that of the inputs.

    Args:
        record: of the forward pass.
        d_out: (n, hidden).
        inputs: (n, n_inputs), of the forward pass.
    """
    d_products, d_gain, d_shift = weight.backprop(d_out, record)
    add_gradient(norm, "G", d_gain)
    add_gradient(norm, "b", d_shift)
    return backprop_product(maxout, d_products, inputs, weight.rounding)


def backprop_product(
    node: Model, d_products: Array, inputs: Array, rounding: str | None
) -> Array:
    """Add to the gradients of "W", (.., .., n_inputs), and "b"; return that of the inputs.

    Args:
        d_products: (n, units), the gradient of W @ inputs + b.
        inputs: (n, n_inputs).
        rounding: that of the forward pass.
    """
    add_gradient(node, "W", matrix_product(d_products.T, inputs, rounding))
    add_gradient(node, "b", d_products.sum(axis=0))
    W = get_array(node, "W").reshape((-1, inputs.shape[1]))
    return matrix_product(d_products, W, rounding)


def no_backprop(dY: object) -> NoReturn:
    """Raise ValueError: the backward pass of a prediction."""
    raise ValueError("The layer predicted; nothing was recorded for the backward pass")


def flatten(ops: Ops, X: Words, width: int) -> tuple[Array, Ints]:
    """The vectors of all words, (n_words, width), and how many words each Doc has, (n_docs,).

    Both are on the CPU.
    """
    if isinstance(X, Ragged):
        return contiguous(ops, X.dataXd), ops.to_numpy(X.lengths).astype("i")
    if not isinstance(X, list):
        return contiguous(ops, X), numpy.array([len(X)], dtype="i")
    lengths = numpy.array([len(x) for x in X], dtype="i")
    filled = [x for x in X if len(x)]       # that of an empty Doc may have another width
    if not filled:
        return numpy.zeros((0, width), dtype="f"), lengths
    return contiguous(ops, filled[0] if len(filled) == 1 else ops.xp.concatenate(filled)), lengths


def contiguous(ops: Ops, vectors: object) -> Array:
    """The vectors as a contiguous float32 array on the CPU."""
    return numpy.ascontiguousarray(ops.to_numpy(vectors), dtype="f")


def wrap(ops: Ops, vectors: Array, like: Words, lengths: Ints) -> Words:
    """The vectors of all words in the form of `like`, as arrays of the Ops."""
    array = ops.asarray2f(cast(Floats2d, vectors))
    if isinstance(like, Ragged):
        return Ragged(array, like.lengths)
    if not isinstance(like, list):
        return array
    ends = numpy.cumsum(lengths).tolist()
    return [array[end - n:end] for end, n in zip(ends, lengths.tolist())]


def over_words(
    ops: Ops,
    X: Words,
    width: int,
    is_train: bool,
    predict: Callable[[Array, Ints], Array],
    update: Callable[[Array, Ints], tuple[Array, Callable[[Array], Array]]],
) -> tuple[Words, Callable[[Words], Words]]:
    """Run a layer over all words; return its output in the form of X, and its backward pass.

    Args:
        width: of the vectors.
        predict: maps vectors and lengths, as of `flatten`, to new vectors.
        update: the same in training; it also returns a function from the gradient of the new
            vectors to that of the old ones.
    """
    vectors, lengths = flatten(ops, X, width)
    if not is_train:
        return wrap(ops, predict(vectors, lengths), X, lengths), no_backprop
    Y, backprop_vectors = update(vectors, lengths)

    def backprop(dY: Words) -> Words:
        d_vectors, _ = flatten(ops, dY, width)
        return wrap(ops, backprop_vectors(d_vectors), X, lengths)

    return wrap(ops, Y, X, lengths), backprop
