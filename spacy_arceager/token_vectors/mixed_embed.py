"""An embedding that mixes what two layers say of a word: "arceager.MixedEmbed.v1".

The one usually reads the word alone, and the other is a pretrained encoder that reads its context.
Their vectors are put side by side, and a maxout layer with layer normalisation mixes them. The
embedding computes on the CPU.
"""

from collections.abc import Callable, Sequence

import numpy
from spacy.tokens import Doc
from thinc.api import Dropout, LayerNorm, Maxout, Model
from thinc.types import Floats2d

from ..checks import check_least
from ..kernels.maxout_norm import MaxoutNorm, MaxoutRecord
from ..kernels.model_cache import ModelCache, UpdateCount
from .layers import backprop_maxout_norm, draw_dropout, flatten, lay_out, no_backprop, wrap

Vectors = list[Floats2d]
Embedding = Model[list[Doc], Vectors]


def build_mixed_embed(
    width: int,
    word: Embedding | None,
    context: Embedding,
    maxout_pieces: int = 3,
) -> Embedding:
    """Build an embedding that mixes the vectors of two others.

    Args:
        width: of the mixed vectors.
        word: an embedding of words, such as "arceager.SubwordEmbed.v1". With null, only `context`
            is read.
        context: a layer that gives words in their context a vector, such as
            "arceager.FrozenEncoder.v1".
        maxout_pieces: of the layer that mixes.

    Raises:
        ValueError: For numbers out of range.
    """
    check_least(1, width=width, maxout_pieces=maxout_pieces)
    inputs = [context] if word is None else [word, context]
    return Model(
        "mixed_embed",
        MixedEmbed(),
        init=init,
        layers=[*inputs, Maxout(width, nP=maxout_pieces), LayerNorm(width), Dropout(0.0)],
        dims={"nO": width},
        shims=[UpdateCount()],
    )


def init(model: Embedding, X: list[Doc] | None = None, Y: object = None) -> None:
    """Initialize the two embeddings, then the layer that mixes their vectors."""
    *inputs, maxout, norm, _ = model.layers
    for layer in inputs:
        layer.initialize(X=X)
    maxout.set_dim("nI", sum(layer.get_dim("nO") for layer in inputs))
    maxout.initialize()
    norm.initialize()


class MixedEmbed:
    """The embedding's forward function, with a cache of its models' laid out weights."""

    def __init__(self) -> None:
        self._weights: ModelCache[MaxoutNorm] = ModelCache()

    def __call__(
        self, model: Embedding, docs: Sequence[Doc], is_train: bool
    ) -> tuple[Vectors, Callable[[Vectors], list[Doc]]]:
        """A vector for each word of the Docs, and the backward pass."""
        *layers, maxout, norm, dropout = model.layers
        params = [(maxout, "W"), (maxout, "b"), (norm, "G"), (norm, "b")]
        weight = self._weights.get(model, params, lambda: lay_out(maxout, norm))
        passes = [layer(docs, is_train) for layer in layers]
        widths = [layer.get_dim("nO") for layer in layers]
        lengths = numpy.array([len(doc) for doc in docs], dtype="i")
        inputs = numpy.concatenate(
            [flatten(model.ops, Y, width)[0] for (Y, _), width in zip(passes, widths)], axis=1
        )
        out = numpy.empty((len(inputs), weight.n_hidden), dtype="f")
        like: Vectors = []
        if not is_train:
            weight.apply(inputs, out)
            return wrap(model.ops, out, like, lengths), no_backprop
        record = MaxoutRecord(len(inputs), weight.n_hidden, *draw_dropout(dropout))
        weight.apply(inputs, out, record=record)

        def backprop(dY: Vectors) -> list[Doc]:
            d_out, _ = flatten(model.ops, dY, weight.n_hidden)
            d_inputs = backprop_maxout_norm(maxout, norm, weight, record, d_out, inputs)
            parts = numpy.split(d_inputs, numpy.cumsum(widths)[:-1], axis=1)
            for (_, backprop_layer), d_part in zip(passes, parts):
                backprop_layer(wrap(model.ops, numpy.ascontiguousarray(d_part), like, lengths))
            return []

        return wrap(model.ops, out, like, lengths), backprop
