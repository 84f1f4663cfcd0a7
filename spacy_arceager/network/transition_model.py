"""The transition model: token vectors in, scores of the classes of a configuration out.

tok2vec -> (projection) -> lower layer, one product for each token and feature slot, computed
at most once (see network/lower_layer.pxd) -> sum over the slots of a configuration, and small
learnt tables for its attributes -> maxout -> upper layer: a score for each class. After Chen
and Manning (2014), with the precomputation of Honnibal's spaCy.
"""

import warnings
from collections.abc import Callable
from typing import cast

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc
from thinc.api import Linear, Model, chain, list2array
from thinc.types import Floats2d

from ..systems.catalogue import features_of
from ..systems.parameters import SystemParameters
from .features import find_unseen
from .scoring import build_scoring, check_width


def build_transition_model(
    tok2vec: Model[list[Doc], list[Floats2d]],
    hidden_width: int = 64,
    maxout_pieces: int = 2,
    projection: int | None = None,
    words: list[str] | None = None,
    attributes: list[str] | None = None,
) -> Model[list[Doc], NDArray[numpy.float32]]:
    """Build a transition model.

    The model maps Docs to the vectors of all their tokens, (n_tokens, width); the
    reference "scoring" holds what scores configurations over them. It learns of its
    transition system by `fit_features`, and its attributes n_classes and n_labels are set
    before it is initialised.

    Args:
        tok2vec: a vector for each token.
        hidden_width: width of the hidden layer.
        maxout_pieces: pieces of its maxout.
        projection: if given, token vectors are first projected to this width; for tok2vecs much
            wider than the hidden layer.
        words: feature slots, addresses such as "O1" or "O2.left1" (see network/features.py); None
            for the transition system's own.
        attributes: small features, addresses such as "O2.label" or "O2-O1"; None likewise.

    Raises:
        ValueError: For an address that is none, and for widths and pieces out of range.
    """
    encoder: Model = chain(tok2vec, list2array())
    if projection is not None:
        check_width("projection", projection)
        encoder = chain(encoder, Linear(nO=projection))
    scoring = build_scoring(hidden_width, maxout_pieces, words, attributes)
    return Model(
        "transition_model",
        forward,
        init=init,
        layers=[encoder, scoring],
        refs={"tok2vec": tok2vec, "encoder": encoder, "scoring": scoring},
    )


def forward(
    model: Model, docs: list[Doc], is_train: bool
) -> tuple[NDArray[numpy.float32], Callable[[NDArray[numpy.float32]], list[Doc]]]:
    """Token vectors of all docs, on the CPU, where the transitions are taken."""
    encoder = model.get_ref("encoder")
    vectors, backprop_encoder = encoder(docs, is_train)

    def backprop(d_vectors: NDArray[numpy.float32]) -> list[Doc]:
        return backprop_encoder(encoder.ops.asarray2f(cast(Floats2d, d_vectors)))

    return encoder.ops.to_numpy(vectors), backprop


def init(model: Model, X: list[Doc] | None = None, Y: object | None = None) -> None:
    """Initialize the encoder, and set the shapes that X and Y decide."""
    encoder = model.get_ref("encoder")
    encoder.initialize(X=X)
    scoring = model.get_ref("scoring")
    if X is not None:
        scoring.set_dim("nI", encoder.predict(X).shape[1], force=True)
    scoring.initialize()


def fit_features(model: Model, parameters: SystemParameters) -> frozenset[str]:
    """Give a model the features of its transition system where it has none of its own.

    Args:
        model: the transition model. Warns where it sees a word that a transition joins nowhere.

    Returns:
        Which of "words" and "attributes" are the system's.
    """
    attrs = model.get_ref("scoring").attrs
    by_system = features_of(parameters)._asdict()
    of_system = frozenset(name for name in by_system if attrs[name] is None)
    for name in of_system:
        attrs[name] = list(by_system[name])
    unseen = find_unseen(parameters, attrs["words"])
    if unseen:
        lacking = ", ".join(f"{word} ({transition})" for word, transition in unseen.items())
        warnings.warn(
            f"The features of the model do not have words that system '{parameters.name}' joins: "
            f"{lacking}. It decides about these without seeing them; add them to `words` "
            "or set words = null for the features of the system.",
            stacklevel=2,
        )
    return of_system
