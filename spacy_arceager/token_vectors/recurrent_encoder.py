"""Words in their sentence: layers of maxout over windows, then layers of a gated recurrence.

A window sees some words to each side; a recurrence reads the whole Doc, from its start and from
its end (Bradbury, Merity, Xiong and Socher 2017). What it has read is mixed by maxout with layer
normalisation, and added to the word's vector. It computes on the CPU.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy
from thinc.api import Dropout, LayerNorm, Maxout, Model, chain, glorot_uniform_init
from thinc.types import Floats2d

from ..kernels.kept import Kept
from ..kernels.parameters import get_array, set_array
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
from .maxout_norm import MaxoutNorm, MaxoutRecord
from .recurrence import Cells, Recurrence
from .window_encoder import build_window_encoder

# Forget gates start with biases from 0 to this, so that some units remember longer than others.
LONGEST_MEMORY = 3.0
N_PRODUCTS = 3    # of a word with the weights: what is read, and two gates


def build_recurrent_encoder(
    width: int,
    window_size: int,
    maxout_pieces: int,
    window_depth: int = 1,
    depth: int = 3,
    recurrent_pieces: int = 2,
) -> Model[list[Floats2d], list[Floats2d]]:
    """Build an encoder, "arceager.RecurrentEncoder.v1".

    The model takes and gives what `window_encoder.build_window_encoder` does.

    Args:
        width: of the word vectors, before and after.
        window_size: words to each side that a layer of windows sees.
        maxout_pieces: of each layer of windows.
        window_depth: layers of windows, or 0.
        depth: layers of the recurrence.
        recurrent_pieces: maxout pieces that mix what a recurrence has read.

    Raises:
        ValueError: For a width or a number of layers that cannot be.
    """
    if not all(isinstance(number, int) for number in (width, window_depth, depth)):
        raise ValueError(
            f"width={width!r}, window_depth={window_depth!r}, depth={depth!r}; use whole numbers"
        )
    if width < 2:
        raise ValueError(f"width={width}; half of it reads from each end: use 2 or more")
    if window_depth < 0 or depth < 1:
        raise ValueError(f"window_depth={window_depth}, depth={depth}; use 0 and 1, or more")
    layers = [build_recurrent_layer(width, recurrent_pieces) for _ in range(depth)]
    if window_depth:
        layers.insert(0, build_window_encoder(width, window_size, maxout_pieces, window_depth))
    return chain(*layers) if len(layers) > 1 else layers[0]


def build_recurrent_layer(width: int, pieces: int) -> Model[list[Floats2d], list[Floats2d]]:
    """One layer: the gates, and what mixes the units."""
    return Model(
        "recurrent_layer",
        RecurrentLayer(),
        init=init_layer,
        params={"W": None, "b": None},
        layers=[Maxout(width, width, nP=pieces), LayerNorm(width), Dropout(0.0)],
        dims={"nI": width, "nO": width, "nG": N_PRODUCTS},
    )


def init_layer(model: Model, X: object = None, Y: object = None) -> None:
    """Random weights, and biases that let units forget at different speeds."""
    width = model.get_dim("nO")
    half = width // 2
    W = model.ops.to_numpy(glorot_uniform_init(model.ops, (N_PRODUCTS * width, width)))
    b = numpy.zeros((N_PRODUCTS, width), dtype="f")
    for units in (slice(half), slice(half, width)):
        b[1, units] = numpy.linspace(0, LONGEST_MEMORY, len(b[1, units]))
    set_array(model, "W", W.reshape((N_PRODUCTS, width, width)))
    set_array(model, "b", b)
    for layer in model.layers:
        layer.initialize()


class RecurrentWeights(NamedTuple):
    """A layer's weights laid out."""

    gates: Recurrence
    mix: MaxoutNorm


class RecurrentLayer:
    """The layer's forward function. It keeps the weights of its models laid out."""

    def __init__(self) -> None:
        self._weights: Kept[RecurrentWeights] = Kept()

    def __call__(
        self, model: Model[Words, Words], X: Words, is_train: bool
    ) -> tuple[Words, Callable[[Words], Words]]:
        """The encoded vectors, and the backward pass."""
        maxout, norm, _ = model.layers
        params = [(model, "W"), (model, "b"), (maxout, "W"), (maxout, "b"), (norm, "G"),
                  (norm, "b")]
        weights = self._weights.get(model, params, lambda: lay_out_layer(model))
        return over_words(
            model.ops, X, weights.gates.width, is_train,
            lambda vectors, lengths: predict(weights, vectors, lengths),
            lambda vectors, lengths: update(model, weights, vectors, lengths),
        )


def lay_out_layer(model: Model) -> RecurrentWeights:
    """The weights of a layer in the form of the Cython code."""
    maxout, norm, _ = model.layers
    return RecurrentWeights(
        Recurrence(get_array(model, "W"), get_array(model, "b")), lay_out(maxout, norm)
    )


def predict(weights: RecurrentWeights, vectors: Array, lengths: Ints) -> Array:
    """vectors: (n_words, width). lengths: (n_docs,). Returns (n_words, width)."""
    read, out = numpy.empty_like(vectors), numpy.empty_like(vectors)
    weights.gates.apply(vectors, lengths, read)
    weights.mix.apply(read, out)
    return out + vectors


def update(
    model: Model, weights: RecurrentWeights, vectors: Array, lengths: Ints
) -> tuple[Array, Callable[[Array], Array]]:
    """As `predict`, with dropout, and a function from the gradient of what it returns to that
    of the vectors, which adds up those of the layer.
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
        return backprop_product(model, d_products, vectors) + d_out

    return out + vectors, backprop
