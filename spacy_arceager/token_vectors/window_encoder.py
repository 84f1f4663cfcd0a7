"""An encoder of words in their context: layers of maxout over windows of words.

The function, the weights and their places in the model are those of spaCy's MaxoutWindowEncoder:
each layer is expand_window, Maxout with layer normalisation, dropout and a residual connection.
Here a layer is one pass over the batch in C. The encoder computes on the CPU.

Before and after a Doc there are places without words. They are zeros for the first layer; for the
next ones they have whatever the layers below make of zeros. thinc computes depth * window_size such
places between two Docs in each layer. Here a layer computes only the places that a layer above it
can see. In prediction it leaves out also the places whose windows have no words: all of these have
one and the same vector, which is computed once.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy
from spacy.ml.models.tok2vec import MaxoutWindowEncoder
from thinc.api import Model
from thinc.types import Floats2d

from ..checks import check_least
from ..kernels.maxout_norm import MaxoutNorm, MaxoutRecord
from ..kernels.model_cache import ModelCache
from ..kernels.row_product import find_rounding
from .layers import (
    Array,
    Ints,
    Words,
    backprop_maxout_norm,
    draw_dropout,
    lay_out,
    over_words,
    with_forward,
)
from .windows import add_windows, space_out


def build_window_encoder(
    width: int, window_size: int, maxout_pieces: int, depth: int, half_products: bool = True
) -> Model[list[Floats2d], list[Floats2d]]:
    """Build an encoder, "arceager.WindowEncoder.v1".

    Inputs and outputs of the model are one array of vectors for each Doc, a Ragged of them, or the
    vectors of a single Doc. The model is saved as spaCy's MaxoutWindowEncoder is, and each of the
    two can load the other's weights.

    Args:
        width: of the word vectors, before and after.
        window_size: words to each side that a layer sees.
        maxout_pieces: pieces of the maxout of each layer.
        depth: number of layers.
        half_products: whether the layers round weights and vectors before they multiply them,
            which processors do faster: to half floats (bfloat16) in training, and in parsing to
            what `kernels.row_product.IN_PARSING` says. Factors of gradients are rounded to half
            floats where the processor multiplies these fast.

    Raises:
        ValueError: For numbers out of range.
    """
    check_least(1, width=width, maxout_pieces=maxout_pieces, depth=depth)
    check_least(0, window_size=window_size)
    return convert_window_encoder(
        MaxoutWindowEncoder(
            width=width, window_size=window_size, maxout_pieces=maxout_pieces, depth=depth
        ),
        half_products,
    )


def is_window_encoder(model: Model) -> bool:
    """Whether a model is spaCy's MaxoutWindowEncoder.v2: the same functions, node by node."""
    nodes = list(model.walk())
    maxouts = [node for node in nodes if node.name == "maxout"]
    windows = {node.attrs["window_size"] for node in nodes if node.name == "expand_window"}
    width = model.maybe_get_dim("nO") if "nO" in model.dim_names else None
    if not maxouts or len(windows) != 1 or width is None:
        return False
    twin = MaxoutWindowEncoder(
        width=width, window_size=windows.pop(), maxout_pieces=1, depth=len(maxouts)
    )
    return same_functions(model, twin)


def same_functions(model: Model, twin: Model) -> bool:
    """Whether two models have the same functions in the same places."""
    return ([node._func for node in model.walk()] == [node._func for node in twin.walk()]
            and [len(node.layers) for node in model.walk()]
            == [len(node.layers) for node in twin.walk()])


def convert_window_encoder(model: Model, half_products: bool = False) -> Model:
    """Make an encoder that computes with our kernels and shares the layers of spaCy's.

    Args:
        half_products: as for `build_window_encoder`.

    Raises:
        ValueError: For any other model.
    """
    if not is_window_encoder(model):
        raise ValueError(f"Not a spacy.MaxoutWindowEncoder.v2: {model.name}")
    return with_forward(model, WindowEncoder(half_products))


class Layer(NamedTuple):
    """The nodes of one layer of spaCy's MaxoutWindowEncoder."""

    window: Model
    maxout: Model
    norm: Model
    dropout: Model


def find_layers(model: Model) -> list[Layer]:
    """The layers of spaCy's MaxoutWindowEncoder, from the first to the last."""
    stack = model.layers[0]
    # thinc's clone(layer, 1) is the layer itself, without a chain around it.
    residuals = stack.layers if len(stack.layers) > 1 else [stack]
    layers = []
    for residual in residuals:
        window, rest = residual.layers[0].layers
        normalized, dropout = rest.layers
        maxout, norm = normalized.layers
        layers.append(Layer(window, maxout, norm, dropout))
    return layers


class WindowWeights(NamedTuple):
    """The layers' laid out weights, and the output (width,) of each layer far from all words."""

    layers: list[MaxoutNorm]
    far: list[Array]
    window: int


def lay_out_layers(layers: list[Layer], rounding: str | None) -> WindowWeights:
    """The weights of all layers, in the order in which the kernels read them."""
    window = layers[0].window.attrs["window_size"]
    weights = [lay_out(layer.maxout, layer.norm, rounding) for layer in layers]
    middle = numpy.array([window], dtype="i")
    far = [numpy.zeros((1, weights[0].n_hidden), dtype="f")]
    for layer in weights:
        far.append(numpy.empty_like(far[0]))
        layer.apply(numpy.repeat(far[-2], 2 * window + 1, axis=0), far[-1], middle, None,
                    window, residual=True)
    return WindowWeights(weights, [vector[0] for vector in far[1:]], window)


class WindowEncoder:
    """The encoder's forward function, with a cache of its models' laid out weights."""

    def __init__(self, half_products: bool) -> None:
        self._half_products = half_products
        self._weights: ModelCache[WindowWeights] = ModelCache()

    def __call__(
        self, model: Model[Words, Words], X: Words, is_train: bool
    ) -> tuple[Words, Callable[[Words], Words]]:
        """The encoded vectors, and the backward pass."""
        layers = find_layers(model)
        params = [
            param for layer in layers for param in (
                (layer.maxout, "W"), (layer.maxout, "b"), (layer.norm, "G"), (layer.norm, "b"))
        ]
        rounding = find_rounding(is_train, self._half_products)
        weights = self._weights.get(
            model, params, lambda: lay_out_layers(layers, rounding), [rounding]
        )
        width = weights.layers[0].n_hidden
        return over_words(
            model.ops, X, width, is_train,
            lambda vectors, lengths: predict(weights, vectors, lengths),
            lambda vectors, lengths: update(layers, weights, vectors, lengths),
        )


def predict(weights: WindowWeights, vectors: Array, lengths: Ints) -> Array:
    """The encoder's output, (n_words, width), for vectors and lengths as of `flatten`."""
    window, depth = weights.window, len(weights.layers)
    gap = depth * window
    words, n_rows = space_out(lengths, gap, 0)
    spaced = spread(vectors, words, n_rows)
    for n_below, (layer, far) in enumerate(zip(weights.layers[:-1], weights.far), 1):
        n_above = depth - n_below
        rows, _ = space_out(lengths, gap, window * min(n_below, n_above))
        out = numpy.empty_like(spaced)
        out[:] = far
        layer.apply(spaced, out, rows, rows, window, residual=True)
        spaced = out
    out = numpy.empty_like(vectors)
    weights.layers[-1].apply(spaced, out, words, None, window, residual=True)
    return out


def update(
    layers: list[Layer], weights: WindowWeights, vectors: Array, lengths: Ints
) -> tuple[Array, Callable[[Array], Array]]:
    """The encoder's output in training, with dropout, and its backward pass.

    The backward pass adds to the layers' gradients and returns the gradient of the vectors.
    """
    window, depth = weights.window, len(layers)
    gap, around = depth * window, numpy.arange(-window, window + 1)
    words, n_rows = space_out(lengths, gap, 0)
    spaced = [spread(vectors, words, n_rows)]
    passes = []
    for n_above, layer, weight in zip(range(depth)[::-1], layers, weights.layers):
        rows, _ = space_out(lengths, gap, window * n_above)
        record = MaxoutRecord(len(rows), weight.n_hidden, *draw_dropout(layer.dropout))
        out = numpy.zeros_like(spaced[0])
        weight.apply(spaced[-1], out, rows, rows, window, residual=True, record=record)
        spaced.append(out)
        passes.append((layer, weight, rows, record))

    def backprop(d_vectors: Array) -> Array:
        d_spaced = spread(d_vectors, words, n_rows)
        for (layer, weight, rows, record), X in zip(reversed(passes), reversed(spaced[:-1])):
            d_windows = backprop_maxout_norm(
                layer.maxout, layer.norm, weight, record, d_spaced[rows],
                X[rows[:, None] + around].reshape(len(rows), X.shape[1] * around.size),
            )
            add_windows(d_spaced, d_windows, rows, window)
        return d_spaced[words]

    return spaced[-1][words], backprop


def spread(vectors: Array, rows: Ints, n_rows: int) -> Array:
    """Put each vector, (n_words, width), into its row of an array of zeros, (n_rows, width)."""
    spaced = numpy.zeros((n_rows, vectors.shape[1]), dtype="f")
    spaced[rows] = vectors
    return spaced
