"""The transition model: token vectors in, scores of the classes of a configuration out.

tok2vec -> (projection) -> lower layer, one product for each token and feature slot, computed
at most once (see decoding/lower_layer.pxd) -> sum over the slots of a configuration, and small learnt tables
for its attributes -> maxout -> upper layer: a score for each class. After Chen and
Manning (2014), with the precomputation of Honnibal's spaCy.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import is_
from typing import cast

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc
from thinc.api import Linear, Model, Ops, chain, list2array
from thinc.types import Floats2d, FloatsXd

from ..decoding.gradient import add_rows, backprop_maxout
from ..decoding.rollout import RollOut
from ..decoding.scorer import Scorer
from .features import (
    DEFAULT_ATTRIBUTES,
    DEFAULT_WORDS,
    LABEL,
    Address,
    compile_attributes,
    compile_words,
    table_size,
)

N_SPECIAL = 3    # vectors of a missing word, of the end of the input, of the artificial root


@dataclass
class Weights:
    """The parameters as NumPy arrays, for the decoder.

    lower_W: (width, slots * pieces * hidden). lower_b: (pieces, hidden).
    special: (3, slots, pieces, hidden). tables: (rows, pieces, hidden).
    upper_W: (hidden, classes). upper_b: (classes,).
    attribute_start: the first row of each attribute's table.
    """

    words: list[Address]
    attributes: list[Address]
    attribute_start: list[int]
    lower_W: NDArray
    lower_b: NDArray
    special: NDArray
    tables: NDArray
    upper_W: NDArray
    upper_b: NDArray


def build_transition_model(
    tok2vec: Model[list[Doc], list[Floats2d]],
    hidden_width: int = 64,
    maxout_pieces: int = 2,
    projection: int | None = None,
    words: list[str] | None = None,
    attributes: list[str] | None = None,
) -> Model[list[Doc], NDArray[numpy.float32]]:
    """Build a transition model.

    tok2vec: a vector for each token.
    hidden_width: width of the hidden layer.
    maxout_pieces: pieces of its maxout.
    projection: if given, token vectors are first projected to this width; for tok2vecs
        much wider than the hidden layer.
    words: feature slots, addresses such as "O1" or "O2.left1" (see model/features.py).
    attributes: small features, addresses such as "O2.label" or "O2-O1".

    The model maps Docs to the vectors of all their tokens, (n_tokens, width); the
    reference "scoring" holds what scores configurations over them. Its attributes n_classes
    and n_labels are set before it is initialised.
    """
    encoder: Model = chain(tok2vec, list2array())
    if projection is not None:
        encoder = chain(encoder, Linear(nO=projection))
    scoring = build_scoring(
        hidden_width,
        maxout_pieces,
        DEFAULT_WORDS if words is None else words,
        DEFAULT_ATTRIBUTES if attributes is None else attributes,
    )
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
    encoder = model.get_ref("encoder")
    encoder.initialize(X=X)
    scoring = model.get_ref("scoring")
    if X is not None:
        scoring.set_dim("nI", encoder.predict(X).shape[1], force=True)
    scoring.initialize()


def build_scoring(
    hidden_width: int, maxout_pieces: int, words: Sequence[str], attributes: Sequence[str]
) -> Model:
    """The layers that score configurations, without the loop that builds these."""
    compile_words(words)
    compile_attributes(attributes)
    if not 1 <= maxout_pieces <= 8:
        raise ValueError(f"maxout_pieces={maxout_pieces}; use 1 to 8")
    return Model(
        "scoring",
        scoring_forward,
        init=init_scoring,
        dims={"nI": None, "nH": hidden_width, "nP": maxout_pieces},
        params={name: None for name in PARAMS},
        attrs={
            "words": list(words),
            "attributes": list(attributes),
            "n_classes": 0,
            "n_labels": 0,
            "dropout_rate": 0.0,
        },
    )


PARAMS = ("lower_W", "lower_b", "special", "tables", "upper_W", "upper_b")


def scoring_forward(model: Model, X: object, is_train: bool) -> tuple[Scorer, Callable]:
    """The weights as a Scorer; gradients come from `backprop_scores`."""
    return Scorer(get_weights(model)), lambda d: d


def init_scoring(model: Model, X: object = None, Y: object = None) -> None:
    """Random lower layer, zero upper layer: every transition starts with equal scores."""
    n_slots = len(model.attrs["words"])
    width, hidden, pieces = (model.get_dim(dim) for dim in ("nI", "nH", "nP"))
    n_rows = attribute_starts(model)[-1]
    scale = n_slots ** -0.5

    def random(*shape: int, scale: float) -> FloatsXd:
        return to_ops(model.ops, numpy.random.normal(0, scale, shape).astype("f"))

    model.set_param("lower_W", random(width, n_slots * pieces * hidden,
                                      scale=scale * width ** -0.5))
    model.set_param("lower_b", model.ops.alloc2f(pieces, hidden))
    model.set_param("special", random(N_SPECIAL, n_slots, pieces, hidden, scale=scale))
    model.set_param("tables", random(n_rows, pieces, hidden, scale=scale))
    model.set_param("upper_W", model.ops.alloc2f(hidden, model.attrs["n_classes"]))
    model.set_param("upper_b", model.ops.alloc1f(model.attrs["n_classes"]))


def to_ops(ops: Ops, array: NDArray) -> FloatsXd:
    """A NumPy array where the model computes; thinc's types do not know NumPy's."""
    return cast(FloatsXd, ops.asarray(cast(FloatsXd, array)))


def attribute_starts(model: Model) -> list[int]:
    """First row of each attribute's table, and the number of rows in all."""
    sizes = [
        table_size(address, model.attrs["n_labels"])
        for address in compile_attributes(model.attrs["attributes"])
    ]
    return [sum(sizes[:i]) for i in range(len(sizes) + 1)]


def get_weights(model: Model) -> Weights:
    """The parameters of "scoring" as NumPy arrays."""
    return Weights(
        words=compile_words(model.attrs["words"]),
        attributes=compile_attributes(model.attrs["attributes"]),
        attribute_start=attribute_starts(model)[:-1],
        **{name: model.ops.to_numpy(model.get_param(name)) for name in PARAMS},
    )


class ScorerCache:
    """The Scorer of a model, laid out anew only where the weights may have changed.

    That is where they are other arrays than before, or the model has learnt: an optimizer
    changes weights in place. Who else does so needs a new cache.
    """

    def __init__(self) -> None:
        self._kept: tuple[list[FloatsXd], Scorer] | None = None

    def __reduce__(self) -> tuple:
        return ScorerCache, ()

    def get(self, model: Model) -> Scorer:
        """The Scorer of "scoring"."""
        params = [model.get_param(name) for name in PARAMS]
        kept = self._kept
        if (kept is not None and all(map(is_, params, kept[0]))
                and not any(map(model.has_grad, PARAMS))):
            return kept[1]
        scorer = model.predict(None)
        self._kept = params, scorer
        return scorer


def backprop_scores(model: Model, vectors: NDArray, rollout: RollOut) -> NDArray:
    """Add up the gradients of "scoring" and return that of the token vectors.

    vectors: (n_words, width), as they went into the roll-out. Returns (n_words, width).
    """
    d_scores = rollout.d_scores
    weights = get_weights(model)
    ops: Ops = model.ops
    n_words = vectors.shape[0]
    pieces, hidden = weights.lower_b.shape
    size = pieces * hidden

    def add(name: str, gradient: NDArray) -> None:
        model.inc_grad(name, to_ops(ops, gradient))

    add("upper_W", rollout.hidden.T @ d_scores)
    add("upper_b", d_scores.sum(axis=0))
    d_sums = backprop_maxout(
        d_scores @ weights.upper_W.T, rollout.which, pieces, 1 - model.attrs["dropout_rate"]
    )
    add("lower_b", d_sums.sum(axis=0).reshape((pieces, hidden)))
    d_tables = numpy.zeros((len(weights.tables), size), dtype="f")
    for column in rollout.attribute_rows.T:
        rows, sums = add_rows(column, d_sums, len(d_tables))
        d_tables[rows] += sums
    add("tables", d_tables.reshape(weights.tables.shape))
    d_vectors = numpy.zeros_like(vectors)
    d_lower = numpy.empty_like(weights.lower_W)
    d_special = numpy.zeros_like(weights.special)
    for slot, column in enumerate(rollout.word_rows.T):
        columns = slice(slot * size, (slot + 1) * size)
        # Many slots see few of the words: children that few words have.
        rows, sums = add_rows(column, d_sums, n_words + N_SPECIAL)
        n_seen = numpy.searchsorted(rows, n_words)
        seen, d_seen = rows[:n_seen], sums[:n_seen]
        numpy.matmul(vectors[seen].T, d_seen, out=d_lower[:, columns])
        d_vectors[seen] += d_seen @ weights.lower_W[:, columns].T
        d_special[rows[n_seen:] - n_words, slot] = sums[n_seen:].reshape((-1, pieces, hidden))
    add("lower_W", d_lower)
    add("special", d_special)
    return d_vectors


def resize(model: Model, n_labels: int, new_class: Sequence[int], n_classes: int) -> None:
    """Make room for more labels; what has been learnt stays.

    model: the transition model. n_labels: the new number of labels; the old ones keep
    their indices. new_class: for each old class its new index. n_classes: the new number
    of classes. "scoring" is replaced by a new node, for which an optimizer starts anew.
    """
    old = model.get_ref("scoring")
    new = old.copy()
    new.attrs["n_labels"] = n_labels
    new.attrs["n_classes"] = n_classes
    for name in ("upper_W", "upper_b"):
        weights = new.ops.to_numpy(old.get_param(name))
        wider = numpy.zeros((*weights.shape[:-1], n_classes), dtype="f")
        wider[..., new_class] = weights
        replace_param(new, name, wider)
    replace_param(new, "tables", widen_label_tables(old, n_labels))
    model.replace_node(old, new)


def replace_param(model: Model, name: str, value: NDArray) -> None:
    """Set a parameter of another shape, and its gradient to zero."""
    model.set_param(name, to_ops(model.ops, value))
    model.set_grad(name, to_ops(model.ops, numpy.zeros_like(value)))


def widen_label_tables(model: Model, n_labels: int) -> NDArray:
    """The attribute tables of "scoring", with rows of zeros for new labels."""
    weights, starts = get_weights(model), attribute_starts(model)
    n_new = n_labels - model.attrs["n_labels"]
    tables = weights.tables
    for address, end in reversed(list(zip(weights.attributes, starts[1:], strict=True))):
        if address.attribute == LABEL:
            tables = numpy.insert(tables, [end] * n_new, 0, axis=0)
    return tables
