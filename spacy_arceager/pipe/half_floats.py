"""Pipelines that are saved with half floats, which makes them half as large.

Only weights that our own layers read are rounded: `kernels.parameters` makes them float32 again
when a loaded pipeline uses them first.
"""

from collections.abc import Iterator

import numpy
from numpy.typing import NDArray
from spacy.language import Language
from thinc.api import Model

from ..kernels.parameters import get_array, set_array
from ..network.scoring import scoring_forward
from ..token_vectors.mixed_embed import MixedEmbed
from ..token_vectors.recurrent_encoder import RecurrentLayer
from ..token_vectors.type_embedding import TypeEmbedding
from ..token_vectors.window_encoder import WindowEncoder

LARGEST = float(numpy.finfo(numpy.float16).max)


def round_weights(nlp: Language) -> None:
    """Round the weights of a pipeline's token vectors and parser to half floats.

    To save it with half floats, save it before it is used: then its weights are float32 again. Its
    parses are the same, saved or not.

    Raises:
        ValueError: For a weight that is too large for a half float.
    """
    for name, pipe in nlp.pipeline:
        model = getattr(pipe, "model", None)
        for node in own_layers(model) if isinstance(model, Model) else ():
            for parameter in filter(node.has_param, node.param_names):
                values = get_array(node, parameter)
                check_size(name, values)
                set_array(node, parameter, values.astype(numpy.float16))


def check_size(name: str, values: NDArray) -> None:
    """Raise ValueError if half floats cannot hold some weights. name: of their component."""
    largest = numpy.abs(values).max(initial=0.0)
    if largest > LARGEST:
        raise ValueError(
            f"'{name}' has a weight of {largest:.0f}, and half floats end at {LARGEST:.0f}"
        )


def own_layers(model: Model) -> Iterator[Model]:
    """The layers of a model whose parameters our functions read, and all that are below them.

    Below a MixedEmbed may be embeddings of others, which read their own.
    """
    for node in model.walk():
        function = node._func
        if isinstance(function, MixedEmbed):
            yield from node.layers[-3:]     # the mixture itself
        elif function is scoring_forward or isinstance(
            function, RecurrentLayer | TypeEmbedding | WindowEncoder
        ):
            yield from node.walk()
