"""The transition model: from Docs to scores of the classes of a configuration.

tok2vec and, if asked for, a projection give a vector for each token. The lower layer multiplies
each vector by the weights of a feature slot, at most once for each token and slot (see
lower_layer.pxd). The products of a configuration's slots are added up, with rows of small learnt
tables for its attributes. Maxout and the upper layer turn the sum into a score for each class. The
network is that of Chen and Manning (2014), with products computed in advance as in Honnibal's
spaCy.
"""

import warnings
from collections.abc import Callable
from typing import cast

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc
from thinc.api import Linear, Model, chain, list2array
from thinc.types import Floats2d

from ..systems.features import features_of
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

    The model maps Docs to the vectors of all their tokens, (n_tokens, width). Its reference
    "scoring" is the layer that scores configurations. Before the model is initialised,
    `fit_features` gives it the features of its transition system, and `scoring.fit_labels` its
    numbers of labels and classes.

    Args:
        tok2vec: a vector for each token.
        hidden_width: width of the hidden layer.
        maxout_pieces: pieces of its maxout.
        projection: width to which token vectors are projected first, or None; it is for tok2vecs
            much wider than the hidden layer.
        words: word addresses such as "O1" or "O2.left1", one for each feature slot (see
            network/features.py); None for those of the transition system.
        attributes: attribute addresses such as "O2.label" or "O2-O1"; None for those of the
            transition system.

    Raises:
        ValueError: For a wrong address, and for widths and pieces out of range.
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
    """The vectors of all tokens, on the CPU, since the transitions are taken there."""
    encoder = model.get_ref("encoder")
    vectors, backprop_encoder = encoder(docs, is_train)

    def backprop(d_vectors: NDArray[numpy.float32]) -> list[Doc]:
        return backprop_encoder(encoder.ops.asarray2f(cast(Floats2d, d_vectors)))

    return encoder.ops.to_numpy(vectors), backprop


def init(model: Model, X: list[Doc] | None = None, Y: object | None = None) -> None:
    """Initialize the encoder, then the scoring layer for the width of its vectors."""
    encoder = model.get_ref("encoder")
    encoder.initialize(X=X)
    scoring = model.get_ref("scoring")
    if X is not None:
        scoring.set_dim("nI", encoder.predict(X).shape[1], force=True)
    scoring.initialize()


def fit_features(model: Model, parameters: SystemParameters) -> frozenset[str]:
    """Give a model the features of its transition system if the config names none.

    Warns if a transition joins a word that none of the features shows.

    Args:
        model: the transition model.

    Returns:
        The names, of "words" and "attributes", that the system has filled in.
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
