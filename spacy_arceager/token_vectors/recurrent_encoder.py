"""An encoder of whole Docs: layers of maxout over windows, then layers of a gated recurrence.

A window shows a word some words to each side. A recurrence reads the whole Doc, from its start and
from its end (Bradbury, Merity, Xiong and Socher 2017). Its output is mixed by maxout with layer
normalisation, and added to the word's vector. The encoder computes on the CPU.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy
from thinc.api import Dropout, LayerNorm, Maxout, Model, chain, glorot_uniform_init
from thinc.types import Floats2d

from ..checks import check_least
from ..kernels.maxout_norm import MaxoutNorm, MaxoutRecord
from ..kernels.model_cache import ModelCache, UpdateCount
from ..kernels.parameters import get_array, set_array
from ..kernels.recurrence import Cells, Recurrence
from ..kernels.row_product import find_rounding
from .layers import (
    Array,
    Ints,
    Words,
    backprop_maxout_norm,
    backprop_product,
    draw_dropout,
    lay_out,
    over_words,
)
from .window_encoder import build_window_encoder

# Biases of forget gates start at 0 to LONGEST_MEMORY, so that units remember for different times.
LONGEST_MEMORY = 3.0
N_PRODUCTS = 3    # for each word and unit: the candidate, the forget gate and the output gate
FORGET = 1        # the place of the forget gate among them


def build_recurrent_encoder(
    width: int,
    window_size: int,
    maxout_pieces: int,
    window_depth: int = 1,
    depth: int = 3,
    recurrent_pieces: int = 2,
    half_products: bool = True,
) -> Model[list[Floats2d], list[Floats2d]]:
    """Build an encoder, "arceager.RecurrentEncoder.v1".

    Inputs and outputs of the model are those of `window_encoder.build_window_encoder`.

    Args:
        width: of the word vectors, before and after.
        window_size: words to each side that a layer of windows sees.
        maxout_pieces: of each layer of windows.
        window_depth: layers of windows, or 0.
        depth: layers of the recurrence.
        recurrent_pieces: pieces of the maxout that mixes the output of a recurrence.
        half_products: as for `window_encoder.build_window_encoder`.

    Raises:
        ValueError: For numbers out of range.
    """
    check_least(2, width=width)     # half of it reads from each end
    check_least(1, depth=depth, recurrent_pieces=recurrent_pieces)
    check_least(0, window_depth=window_depth)
    layers = [build_recurrent_layer(width, recurrent_pieces, half_products) for _ in range(depth)]
    if window_depth:
        windows = build_window_encoder(
            width, window_size, maxout_pieces, window_depth, half_products
        )
        layers.insert(0, windows)
    return chain(*layers) if len(layers) > 1 else layers[0]


def build_recurrent_layer(
    width: int, pieces: int, half_products: bool
) -> Model[list[Floats2d], list[Floats2d]]:
    """Build one layer: a recurrence, and the maxout that mixes its units."""
    return Model(
        "recurrent_layer",
        RecurrentLayer(half_products),
        init=init_layer,
        params={"W": None, "b": None},
        layers=[Maxout(width, width, nP=pieces), LayerNorm(width), Dropout(0.0)],
        dims={"nI": width, "nO": width, "nG": N_PRODUCTS},
        shims=[UpdateCount()],
    )


def init_layer(model: Model, X: object = None, Y: object = None) -> None:
    """Set random weights, and biases that let units forget at different speeds."""
    width = model.get_dim("nO")
    half = width // 2
    W = model.ops.to_numpy(glorot_uniform_init(model.ops, (N_PRODUCTS * width, width)))
    b = numpy.zeros((N_PRODUCTS, width), dtype="f")
    for units in (slice(half), slice(half, width)):
        b[FORGET, units] = numpy.linspace(0, LONGEST_MEMORY, len(b[FORGET, units]))
    set_array(model, "W", W.reshape((N_PRODUCTS, width, width)))
    set_array(model, "b", b)
    for layer in model.layers:
        layer.initialize()


class RecurrentWeights(NamedTuple):
    """A layer's weights, in the order in which the kernels read them."""

    gates: Recurrence
    mix: MaxoutNorm


class RecurrentLayer:
    """The layer's forward function, with a cache of its models' laid out weights."""

    def __init__(self, half_products: bool) -> None:
        self._half_products = half_products
        self._weights: ModelCache[RecurrentWeights] = ModelCache()

    def __call__(
        self, model: Model[Words, Words], X: Words, is_train: bool
    ) -> tuple[Words, Callable[[Words], Words]]:
        """The encoded vectors, and the backward pass."""
        maxout, norm, _ = model.layers
        params = [(model, "W"), (model, "b"), (maxout, "W"), (maxout, "b"), (norm, "G"),
                  (norm, "b")]
        rounding = find_rounding(is_train, self._half_products)
        weights = self._weights.get(
            model, params, lambda: lay_out_layer(model, rounding), [rounding]
        )
        return over_words(
            model.ops, X, weights.gates.width, is_train,
            lambda vectors, lengths: predict(weights, vectors, lengths),
            lambda vectors, lengths: update(model, weights, vectors, lengths),
        )


def lay_out_layer(model: Model, rounding: str | None) -> RecurrentWeights:
    """The weights of a layer, in the order in which the kernels read them."""
    maxout, norm, _ = model.layers
    return RecurrentWeights(
        Recurrence(get_array(model, "W"), get_array(model, "b"), rounding),
        lay_out(maxout, norm, rounding),
    )


def predict(weights: RecurrentWeights, vectors: Array, lengths: Ints) -> Array:
    """The layer's output, (n_words, width), for vectors and lengths as of `flatten`."""
    read, out = numpy.empty_like(vectors), numpy.empty_like(vectors)
    weights.gates.apply(vectors, lengths, read)
    weights.mix.apply(read, out)
    out += vectors
    return out


def update(
    model: Model, weights: RecurrentWeights, vectors: Array, lengths: Ints
) -> tuple[Array, Callable[[Array], Array]]:
    """The layer's output in training, with dropout, and its backward pass.

    The backward pass adds to the layer's gradients and returns the gradient of the vectors.
    """
    maxout, norm, dropout = model.layers
    record = MaxoutRecord(len(vectors), weights.gates.width, *draw_dropout(dropout))
    read, out = numpy.empty_like(vectors), numpy.empty_like(vectors)
    cells = Cells(len(vectors), weights.gates)
    weights.gates.apply(vectors, lengths, read, cells)
    weights.mix.apply(read, out, record=record)

    def backprop(d_out: Array) -> Array:
        d_read = backprop_maxout_norm(maxout, norm, weights.mix, record, d_out, read)
        d_products = weights.gates.backprop(d_read, lengths, cells)
        return backprop_product(model, d_products, vectors, weights.mix.rounding) + d_out

    return out + vectors, backprop
