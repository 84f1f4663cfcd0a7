"""Replaces spaCy's layers in a finished pipeline by ours, which compute the same faster."""

from collections.abc import Callable
from typing import Any

from spacy.attrs import intify_attr
from spacy.language import Language
from spacy.ml.models.tok2vec import MultiHashEmbed
from thinc.api import Model

from .layers import with_forward
from .type_embedding import Parts, TypeEmbedding
from .window_encoder import convert_window_encoder, is_window_encoder, same_functions


def speed_up(nlp: Language) -> Language:
    """Replace layers of a pipeline's token vectors, in place, by ours, which compute the same.

    Replaced are MultiHashEmbed.v2 and MaxoutWindowEncoder.v2 of spaCy, wherever a component has
    them: in Tok2Vec.v2, HashEmbedCNN.v2 or alone. Their weights stay in their places, so that the
    pipeline is saved and loaded as before, with spaCy's layers in its config. Static vectors that
    are overwritten in place (`vocab.set_vector` of a known word) are not noticed.
    """
    pipe: Any
    for _, pipe in nlp.components:
        model = getattr(pipe, "model", None)
        if isinstance(model, Model):
            pipe.model = speed_up_model(model)
    return nlp


def speed_up_model(model: Model) -> Model:
    """Replace layers of one model, as `speed_up` does.

    Returns:
        The model, changed in place; or its replacement if the whole model is such a layer.
    """
    for node in list(model.walk()):
        if is_window_encoder(node):
            new = convert_window_encoder(node)
        elif is_multi_hash_embed(node):
            new = with_forward(node, TypeEmbedding(multi_hash_embed_parts))
        else:
            continue
        if node is model:
            return new
        model.replace_node(node, new)
    return model


def fast_token_vectors() -> Callable[[Language], Language]:
    """An `after_pipeline_creation` callback, "arceager.fast_token_vectors.v1"."""
    return speed_up


def is_multi_hash_embed(model: Model) -> bool:
    """Whether a model is spaCy's MultiHashEmbed.v2: the same functions, node by node."""
    names = [node.name for node in model.walk()]
    columns = [node.attrs["columns"] for node in model.walk()
               if node.name == "extract_features"]
    if len(columns) != 1 or not columns[0]:
        return False
    twin = MultiHashEmbed(
        width=1, attrs=columns[0], rows=[1] * len(columns[0]),
        include_static_vectors="static_vectors" in names,
    )
    return same_functions(model, twin)


def multi_hash_embed_parts(model: Model) -> Parts:
    """Find the nodes of spaCy's MultiHashEmbed."""
    static = None
    if len(model.layers) == 3:
        concatenated, mix, _ = model.layers
        extracted, static = concatenated.layers
        features, _, tables = extracted.layers
    else:
        features, _, tables, mix, _ = model.layers
    tables = tables.layers[0]
    normalized, dropout = mix.layers[0].layers
    maxout, norm = normalized.layers
    columns = features.attrs["columns"]
    hashed = tables.layers if len(columns) > 1 else [tables]   # concatenate(layer) is bare
    return Parts(
        attributes=[intify_attr(column) for column in columns],
        tables=[table.layers[1] for table in hashed],
        mix=(maxout, norm, dropout),
        static=static,
    )
