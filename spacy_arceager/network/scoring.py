"""The scoring layer: from the vectors of words to scores of the classes of configurations.

The search decides which configurations are scored, while it takes its transitions. The layer's
output is therefore not scores but a Scorer, with which the compiled loops compute them. In training
these loops record the configurations, and the record is the input of the backward pass.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy
from numpy.typing import NDArray
from thinc.api import Model

from ..errors import ModelMismatchError
from ..kernels.matrix_product import matrix_product
from ..kernels.model_cache import ModelCache, UpdateCount
from ..kernels.parameters import add_gradient, get_array, open_gradient, set_array, to_ops
from ..kernels.row_product import IN_TRAINING, find_rounding
from ..machine.system import TransitionSystem
from .features import LABEL, compile_attributes, compile_words
from .gradient import add_rows, backprop_maxout
from .scorer import KEPT_WORDS, Scorer
from .weights import MAX_PIECES, MAX_WIDTH, N_SPECIAL, PARAMS, Dimensions, Weights


class ScoredRows(Protocol):
    """The record of n_rows scored anchors; `search.rollout.RollOut` is one.

    Attributes:
        word_rows: (n_rows, word features) int32, the row of the lower layer for each feature; rows
            behind the last word are the special vectors.
        attribute_rows: (n_rows, attributes) int32, rows of the attribute tables.
        hidden: (n_rows, hidden) float32, after maxout and dropout.
        which: (n_rows, hidden) uint8, the winning piece, or 255 for a dropped unit.
        d_scores: (n_rows, classes) float32, the gradient of the loss.
    """

    word_rows: NDArray
    attribute_rows: NDArray
    hidden: NDArray
    which: NDArray
    d_scores: NDArray


Backprop = Callable[[ScoredRows], NDArray[numpy.float32]]


def build_scoring(
    hidden_width: int,
    maxout_pieces: int,
    words: Sequence[str] | None,
    attributes: Sequence[str] | None,
) -> Model:
    """Build the scoring layer: see `transition_model.build_transition_model`.

    Raises:
        ValueError: For a wrong address, and for a width or a number of pieces out of range.
    """
    if words is not None:
        compile_words(words)
    compile_attributes(attributes or [])
    check_width("hidden_width", hidden_width)
    if not isinstance(maxout_pieces, int) or not 1 <= maxout_pieces <= MAX_PIECES:
        raise ValueError(f"maxout_pieces={maxout_pieces!r}; use 1 to {MAX_PIECES}")
    return Model(
        "scoring",
        scoring_forward,
        init=init_scoring,
        dims={"nI": None, "nH": hidden_width, "nP": maxout_pieces},
        params=dict.fromkeys(PARAMS),
        shims=[UpdateCount()],
        attrs={
            "words": None if words is None else list(words),
            "attributes": None if attributes is None else list(attributes),
            "n_classes": 0,
            "n_labels": 0,
            "dropout_rate": 0.0,
        },
    )


def check_width(name: str, width: int) -> None:
    """Raise ValueError for a width of a layer that is no whole number or out of range."""
    if not isinstance(width, int) or not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"{name}={width!r}; use 1 to {MAX_WIDTH}")


def scoring_forward(
    model: Model, vectors: NDArray[numpy.float32] | None, is_train: bool
) -> tuple[Scorer, Backprop]:
    """Make a Scorer, and the backward pass for what a search with it records.

    The Scorer computes with rounded numbers, and so does the backward pass where that is faster.

    Args:
        vectors: (n_words, width), of the words that are searched; None without a backward pass.
    """
    weights = get_weights(model)
    if vectors is not None:
        vectors = numpy.ascontiguousarray(vectors, dtype="f")

    def backprop(rows: ScoredRows) -> NDArray[numpy.float32]:
        """Add to the gradients of the parameters; return that of the vectors, (n_words, width)."""
        assert vectors is not None
        inc_upper(model, rows)
        keep = 1 - model.attrs["dropout_rate"]
        d_hidden = matrix_product(rows.d_scores, weights.upper_W.T, IN_TRAINING)
        d_sums = backprop_maxout(d_hidden, rows.which, weights.dims.pieces, keep)
        inc_tables(model, rows, d_sums)
        return inc_lower(model, weights, vectors, rows, d_sums)

    kept_words = KEPT_WORDS if vectors is None else max(KEPT_WORDS, len(vectors))
    return Scorer(weights, find_rounding(is_train), kept_words=kept_words), backprop


def inc_upper(model: Model, rows: ScoredRows) -> None:
    """Add to the gradients of the upper layer."""
    add_gradient(model, "upper_W", matrix_product(rows.hidden.T, rows.d_scores, IN_TRAINING))
    add_gradient(model, "upper_b", rows.d_scores.sum(axis=0))


def inc_tables(model: Model, rows: ScoredRows, d_sums: NDArray) -> None:
    """Add to the gradients of the bias and the attribute tables.

    Args:
        d_sums: (n_rows, pieces * hidden), the gradient of the sums before maxout.
    """
    add_gradient(model, "lower_b", d_sums.sum(axis=0))
    with open_gradient(model, "tables") as d_tables:
        for column in rows.attribute_rows.T:
            indices, sums = add_rows(column, d_sums, len(d_tables))
            d_tables[indices] += sums.reshape((-1, *d_tables.shape[1:]))


def inc_lower(
    model: Model, weights: Weights, vectors: NDArray, rows: ScoredRows, d_sums: NDArray
) -> NDArray[numpy.float32]:
    """Add to the gradients of the feature slots; return that of the word vectors.

    Args:
        d_sums: as for `inc_tables`.
    """
    n_words = vectors.shape[0]
    size = d_sums.shape[1]
    d_vectors = numpy.zeros_like(vectors)
    with open_gradient(model, "lower_W") as d_lower, open_gradient(model, "special") as d_special:
        for slot, column in enumerate(rows.word_rows.T):
            columns = slice(slot * size, (slot + 1) * size)
            # Products for the words of a slot alone: few words ever fill a slot such as O2.left2.
            indices, sums = add_rows(column, d_sums, n_words + N_SPECIAL)
            n_seen = numpy.searchsorted(indices, n_words)
            seen, d_seen = indices[:n_seen], sums[:n_seen]
            d_lower[:, columns] += matrix_product(vectors[seen].T, d_seen, IN_TRAINING)
            lower_W = weights.lower_W[:, columns]
            d_vectors[seen] += matrix_product(d_seen, lower_W.T, IN_TRAINING)
            d_special[indices[n_seen:] - n_words, slot] += sums[n_seen:].reshape(
                (-1, *d_special.shape[2:]))
    return d_vectors


def score_recorded(
    weights: Weights, vectors: NDArray[numpy.float32], rows: ScoredRows
) -> NDArray[numpy.float32]:
    """Scores of recorded configurations by another model than the one that recorded them.

    Args:
        weights: of the other model, which must have the same features.
        vectors: (n_words, width), the other model's vectors of the recorded words.

    Returns:
        (n_rows, classes).
    """
    dims = weights.dims
    size = dims.pieces * dims.hidden
    sums = numpy.tile(weights.lower_b.reshape((1, size)), (len(rows.word_rows), 1))
    special = weights.special.reshape((-1, len(dims.words), size))
    for slot, column in enumerate(rows.word_rows.T):
        lower = weights.lower_W[:, slot * size : (slot + 1) * size]
        sums += numpy.concatenate([vectors @ lower, special[:, slot]])[column]
    for column in rows.attribute_rows.T:
        sums += weights.tables.reshape((-1, size))[column]
    hidden = sums.reshape((-1, dims.pieces, dims.hidden)).max(axis=1)
    return hidden @ weights.upper_W + weights.upper_b


def init_scoring(model: Model, X: object = None, Y: object = None) -> None:
    """Set random weights in the lower layer, and zeros in the upper one for equal first scores."""
    dims = dimensions_of(model)
    scale = len(dims.words) ** -0.5
    scales = {"lower_W": scale * dims.width ** -0.5, "special": scale, "tables": scale}
    for name, shape in dims.shapes.items():
        values = numpy.zeros(shape, dtype="f")
        if name in scales:
            values = numpy.random.normal(0, scales[name], shape).astype("f")
        set_array(model, name, values)


def dimensions_of(model: Model) -> Dimensions:
    """The features and counts that decide the shapes of the parameters of "scoring".

    Raises:
        ValueError: For a wrong feature or count.
    """
    return Dimensions(
        tuple(compile_words(model.attrs["words"])),
        tuple(compile_attributes(model.attrs["attributes"])),
        model.get_dim("nI"),
        model.get_dim("nH"),
        model.get_dim("nP"),
        model.attrs["n_labels"],
        model.attrs["n_classes"],
    )


def get_weights(model: Model) -> Weights:
    """The parameters of "scoring" as NumPy arrays.

    Raises:
        ModelMismatchError: For a shape that does not fit the features and dimensions.
    """
    params = {name: get_array(model, name) for name in PARAMS}
    return Weights(dimensions_of(model), **params)


def cached_scorer(cache: ModelCache[Scorer], model: Model) -> Scorer:
    """The Scorer of "scoring", laid out again only if the weights may have changed."""
    return cache.get(model, [(model, name) for name in PARAMS], lambda: model.predict(None))


def find_scoring(model: Model, system: TransitionSystem, name: str) -> Model:
    """The "scoring" of a transition model.

    Args:
        system: the transition system that it must have been made for.
        name: of the component, for the message.

    Raises:
        ModelMismatchError: For a model with other numbers of labels or classes.
    """
    scoring: Model = model.get_ref("scoring")
    counts = scoring.attrs["n_labels"], scoring.attrs["n_classes"]
    if counts != (system.n_labels, system.n_classes):
        raise ModelMismatchError(
            f"The model of '{name}' was made for {counts[0]} labels ({counts[1]} classes), but "
            f"there are {system.n_labels} ({system.n_classes}); load labels and model together"
        )
    return scoring


def fit_labels(scoring: Model, system: TransitionSystem) -> None:
    """Tell "scoring" how many labels and classes a system has."""
    scoring.attrs["n_labels"] = system.n_labels
    scoring.attrs["n_classes"] = system.n_classes


def resize(model: Model, before: TransitionSystem, after: TransitionSystem) -> None:
    """Make room for more labels without losing what has been learnt.

    "scoring" is replaced by a new node, for which an optimizer starts anew.

    Args:
        model: the transition model.
        before: the system with the labels of the model.
        after: the system with more labels behind these.
    """
    new_class = [after.find_class(*before.describe_class(i)) for i in range(before.n_classes)]
    old = model.get_ref("scoring")
    new = old.copy()
    fit_labels(new, after)
    for name in ("upper_W", "upper_b"):
        weights = get_array(old, name)
        wider = numpy.zeros((*weights.shape[:-1], after.n_classes), dtype="f")
        wider[..., new_class] = weights
        replace_param(new, name, wider)
    replace_param(new, "tables", widen_label_tables(old, after.n_labels))
    model.replace_node(old, new)


def renew_scoring(model: Model) -> None:
    """Replace "scoring" of a transition model by a new node without weights and gradients.

    An optimizer starts anew for the new node.
    """
    old = model.get_ref("scoring")
    new = build_scoring(
        old.get_dim("nH"), old.get_dim("nP"), old.attrs["words"], old.attrs["attributes"]
    )
    model.replace_node(old, new)


def replace_param(model: Model, name: str, value: NDArray) -> None:
    """Set a parameter to a value of any shape, and its gradient to zeros of that shape."""
    set_array(model, name, value)
    model.set_grad(name, to_ops(model.ops, numpy.zeros_like(value)))


def widen_label_tables(model: Model, n_labels: int) -> NDArray:
    """The attribute tables of "scoring", with rows of zeros for new labels."""
    weights = get_weights(model)
    dims = weights.dims
    tables = weights.tables
    ends = numpy.cumsum(dims.table_sizes).tolist()
    for address, end in reversed(list(zip(dims.attributes, ends, strict=True))):
        if address.attribute == LABEL:
            tables = numpy.insert(tables, [end] * (n_labels - dims.n_labels), 0, axis=0)
    return tables
