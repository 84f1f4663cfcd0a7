"""The scoring layer: scores of the classes of a configuration over the vectors of its words.

Which configurations are scored is decided by a search while it takes its transitions. So the
layer maps the vectors of words to a Scorer, with which the C loops compute scores; what they
recorded of the configurations goes into the backward pass.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy
from numpy.typing import NDArray
from thinc.api import Model

from ..errors import ModelMismatchError
from ..kernels.kept import Kept
from ..kernels.parameters import add_gradient, get_array, set_array, to_ops
from ..machine.system import TransitionSystem
from .features import LABEL, compile_attributes, compile_words
from .gradient import add_rows, backprop_maxout
from .scorer import Scorer
from .weights import MAX_PIECES, MAX_WIDTH, N_SPECIAL, PARAMS, Dimensions, Weights


class ScoredRows(Protocol):
    """What a search recorded of n_rows anchors that it scored.

    Attributes:
        word_rows: (n_rows, word features) int32, rows of the lower layer: words, then the special
            vectors.
        attribute_rows: (n_rows, attributes) int32, rows of the attribute tables.
        hidden: (n_rows, hidden) float32, after maxout and dropout.
        which: (n_rows, hidden) uint8, the winning piece, 255 where dropped.
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
        ValueError: For an address that is none, or a width or number of pieces that is too high.
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
        attrs={
            "words": None if words is None else list(words),
            "attributes": None if attributes is None else list(attributes),
            "n_classes": 0,
            "n_labels": 0,
            "dropout_rate": 0.0,
        },
    )


def check_width(name: str, width: int) -> None:
    """Raise ValueError for a width of a layer that is none, or beyond all use."""
    if not isinstance(width, int) or not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"{name}={width!r}; use 1 to {MAX_WIDTH}")


def scoring_forward(
    model: Model, vectors: NDArray[numpy.float32] | None, is_train: bool
) -> tuple[Scorer, Backprop]:
    """A Scorer, and the backward pass from what a search with it recorded.

    That of a prediction computes with half floats.

    Args:
        vectors: (n_words, width), the words of that search; None if there is no backward pass.
    """
    weights = get_weights(model)

    def backprop(rows: ScoredRows) -> NDArray[numpy.float32]:
        """Add up the gradients of the parameters; returns (n_words, width), of the vectors."""
        assert vectors is not None
        inc_upper(model, rows)
        keep = 1 - model.attrs["dropout_rate"]
        d_hidden = rows.d_scores @ weights.upper_W.T
        d_sums = backprop_maxout(d_hidden, rows.which, weights.dims.pieces, keep)
        inc_tables(model, rows, d_sums)
        return inc_lower(model, weights, vectors, rows, d_sums)

    return Scorer(weights, half=not is_train), backprop


def inc_upper(model: Model, rows: ScoredRows) -> None:
    """Add up the gradient of the upper layer."""
    add_gradient(model, "upper_W", rows.hidden.T @ rows.d_scores)
    add_gradient(model, "upper_b", rows.d_scores.sum(axis=0))


def inc_tables(model: Model, rows: ScoredRows, d_sums: NDArray) -> None:
    """Add up the gradients of the bias and the attribute tables.

    Args:
        d_sums: (n_rows, pieces * hidden), the gradient of the sums before maxout.
    """
    add_gradient(model, "lower_b", d_sums.sum(axis=0))
    d_tables = numpy.zeros((len(model.get_param("tables")), d_sums.shape[1]), dtype="f")
    for column in rows.attribute_rows.T:
        indices, sums = add_rows(column, d_sums, len(d_tables))
        d_tables[indices] += sums
    add_gradient(model, "tables", d_tables)


def inc_lower(
    model: Model, weights: Weights, vectors: NDArray, rows: ScoredRows, d_sums: NDArray
) -> NDArray[numpy.float32]:
    """Add up the gradients of the feature slots; returns that of the word vectors."""
    n_words = vectors.shape[0]
    size = d_sums.shape[1]
    d_vectors = numpy.zeros_like(vectors)
    d_lower = numpy.empty_like(weights.lower_W)
    d_special = numpy.zeros((N_SPECIAL, len(weights.dims.words), size), dtype="f")
    for slot, column in enumerate(rows.word_rows.T):
        columns = slice(slot * size, (slot + 1) * size)
        # Many slots see few of the words: children that few words have.
        indices, sums = add_rows(column, d_sums, n_words + N_SPECIAL)
        n_seen = numpy.searchsorted(indices, n_words)
        seen, d_seen = indices[:n_seen], sums[:n_seen]
        numpy.matmul(vectors[seen].T, d_seen, out=d_lower[:, columns])
        d_vectors[seen] += d_seen @ weights.lower_W[:, columns].T
        d_special[indices[n_seen:] - n_words, slot] = sums[n_seen:]
    add_gradient(model, "lower_W", d_lower)
    add_gradient(model, "special", d_special)
    return d_vectors


def init_scoring(model: Model, X: object = None, Y: object = None) -> None:
    """Random lower layer, zero upper layer: every transition starts with equal scores."""
    dims = dimensions_of(model)
    scale = len(dims.words) ** -0.5
    scales = {"lower_W": scale * dims.width ** -0.5, "special": scale, "tables": scale}
    for name, shape in dims.shapes.items():
        values = numpy.zeros(shape, dtype="f")
        if name in scales:
            values = numpy.random.normal(0, scales[name], shape).astype("f")
        set_array(model, name, values)


def dimensions_of(model: Model) -> Dimensions:
    """What decides the shapes of the parameters of "scoring".

    Raises:
        ValueError: Where a feature or a count of the model is none.
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
        ModelMismatchError: Where one has not the shape that the features and dimensions need.
    """
    params = {name: get_array(model, name) for name in PARAMS}
    return Weights(dimensions_of(model), **params)


def kept_scorer(kept: Kept[Scorer], model: Model) -> Scorer:
    """The Scorer of "scoring", laid out anew only where the weights may have changed."""
    return kept.get(model, [(model, name) for name in PARAMS], lambda: model.predict(None))


def find_scoring(model: Model, system: TransitionSystem, name: str) -> Model:
    """The "scoring" of a transition model, for the labels of a system.

    Args:
        name: of the component, for the message.

    Raises:
        ModelMismatchError: Where it was made for others.
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
    """Make room for more labels; what has been learnt stays.

    "scoring" is replaced by a new node, for which an optimizer starts anew.

    Args:
        model: the transition model.
        before: the system with the labels that there were.
        after: the same with more labels; the others keep their indices.
    """
    new_class = [after.find_class(*before.describe_class(i)) for i in range(before.n_classes)]
    old = model.get_ref("scoring")
    new = old.copy()
    fit_labels(new, after)
    for name in ("upper_W", "upper_b"):
        weights = new.ops.to_numpy(old.get_param(name))
        wider = numpy.zeros((*weights.shape[:-1], after.n_classes), dtype="f")
        wider[..., new_class] = weights
        replace_param(new, name, wider)
    replace_param(new, "tables", widen_label_tables(old, after.n_labels))
    model.replace_node(old, new)


def renew_scoring(model: Model) -> None:
    """Put a new node in the place of "scoring" of a transition model, without weights.

    An optimizer starts anew for it, and it has no gradients of other shapes.
    """
    old = model.get_ref("scoring")
    new = build_scoring(
        old.get_dim("nH"), old.get_dim("nP"), old.attrs["words"], old.attrs["attributes"]
    )
    model.replace_node(old, new)


def replace_param(model: Model, name: str, value: NDArray) -> None:
    """Set a parameter of another shape, and its gradient to zero."""
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
