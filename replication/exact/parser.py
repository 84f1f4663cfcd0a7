"""A parser with exact decoding, learnt globally: `spacy train --code replication/exact/parser.py`.

[components.arceager_parser]
factory = "arceager_exact"

Its model is that of `arceager_parser`, with the words O1, O2 and U1 and the attribute O2-O1, which
are all known from the top of the stack and the front of the buffer. The loss is minus the log
likelihood of the gold derivation among the canonical derivations of all trees.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.training import Example
from thinc.api import Config, Model, set_dropout_rate

sys.path.insert(0, str(Path(__file__).parents[2]))     # spaCy imports the file alone

from replication.exact.chart import best_tree, hidden_rows, marginals
from replication.exact.reference import LOW, Scores
from spacy_arceager.decoding.confidence import Confidences, with_lifted
from spacy_arceager.decoding.decoder import Decoder
from spacy_arceager.decoding.encoding import Encoded
from spacy_arceager.decoding.plan import lengths_of
from spacy_arceager.gold.batch import label_indices, tree_units, unit_rows
from spacy_arceager.gold.trees import label_index
from spacy_arceager.network.scoring import find_scoring
from spacy_arceager.network.weights import Weights
from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.pipe.factory import DEFAULT_CONFIG, DEFAULTS
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems.parameters import SystemParameters

WORDS, ATTRIBUTES = ["O1", "O2", "U1"], ["O2-O1"]
FIRST_OF_BIN = numpy.asarray([0, 1, 2, 3, 4, 5, 7, 10, 15, 25])
DROPPED = 255


def bins_of(n: int) -> NDArray:
    """The row of each distance from 0 to n, see network/addresses.pyx."""
    return (numpy.searchsorted(FIRST_OF_BIN, numpy.arange(n + 1), side="right")).astype("i")


class Classes(NamedTuple):
    """Where the classes of each transition stand."""

    shift: int
    left: slice
    right: slice
    reduce: int


def find_classes(system: Any) -> Classes:
    names = system.labels

    def span(move: str) -> slice:
        first = system.find_class(move, names[0])
        assert system.find_class(move, names[-1]) == first + len(names) - 1
        return slice(first, first + len(names))

    return Classes(system.find_class("SHIFT", None), span("LEFT-ARC"), span("RIGHT-ARC"),
                   system.find_class("REDUCE", None))


class Layer:
    """The weights, as the charts of all sentences need them."""

    def __init__(self, weights: Weights):
        dims = weights.dims
        self.pieces, self.size = dims.pieces, dims.pieces * dims.hidden
        self.weights = weights
        self.lower = [
            numpy.ascontiguousarray(weights.lower_W[:, i * self.size : (i + 1) * self.size])
            for i in range(len(dims.words))
        ]
        self.missing = weights.special[0].reshape(len(dims.words), self.size)
        self.tables = weights.tables.reshape(-1, self.size)
        self.bias = weights.lower_b.reshape(self.size)

    def hidden(self, vectors: NDArray, learns: bool) -> tuple[NDArray, NDArray]:
        """The hidden layer of a sentence, (n (n + 1) / 2, hidden), j by j."""
        n = len(vectors)
        front = vectors @ self.lower[0] + self.bias
        following = numpy.empty_like(front)
        following[:-1] = vectors[1:] @ self.lower[2]
        following[-1] = self.missing[2]
        front += following
        top = numpy.empty((n + 1, self.size), dtype="f")
        top[1:] = vectors @ self.lower[1]
        top[0] = self.missing[1]
        if len(self.lower) > 3:     # the words beside: behind the top, and before the front
            top[1:-1] += vectors[1:] @ self.lower[3]
            top[0] += self.missing[3]
            top[-1] += self.missing[3]
            front[1:] += vectors[:-1] @ self.lower[4]
            front[0] += self.missing[4]
        return hidden_rows(front, top, self.tables, bins_of(n), self.pieces, learns)

    def rows(self, n: int, first: int, n_words: int) -> tuple[NDArray, NDArray]:
        """The rows of features of a sentence whose first word is `first`, for backprop."""
        front, top = places(n)
        missing = n_words
        of_top = numpy.where(top == 0, missing, first + top - 1)
        following = numpy.where(front == n, missing, first + front)
        columns = [first + front - 1, of_top, following]
        if len(self.lower) > 3:
            columns.append(numpy.where((top == 0) | (top == n), missing, first + top))
            columns.append(numpy.where(front == 1, missing, first + front - 2))
        words = numpy.stack(columns, axis=1).astype("i")
        return words, numpy.where(top == 0, 0, bins_of(n)[front - top])[:, None].astype("i")


_PLACES: dict[int, tuple[NDArray, NDArray]] = {}


def places(n: int) -> tuple[NDArray, NDArray]:
    """The front and the top of each row of a sentence."""
    if n not in _PLACES:
        _PLACES[n] = (
            numpy.repeat(numpy.arange(1, n + 1), numpy.arange(1, n + 1)),
            numpy.concatenate([numpy.arange(j) for j in range(1, n + 1)]),
        )
    return _PLACES[n]


def table_of(n: int, values: NDArray) -> NDArray:
    front, top = places(n)
    table = numpy.zeros((n + 1, n + 1))
    table[top, front] = values
    return table


def arc_table(n: int, values: NDArray) -> NDArray:
    """The same, where the bottom can neither be head nor dependent."""
    table = table_of(n, values)
    table[0] = LOW
    return table


def log_sum(scores: NDArray) -> tuple[NDArray, NDArray]:
    """The log of the sum over the last axis, and each share."""
    top = scores.max(axis=1, keepdims=True)
    exps = numpy.exp(scores - top)
    total = exps.sum(axis=1, keepdims=True)
    exps /= total
    return (numpy.log(total) + top)[:, 0], exps


def chart_scores(n: int, shift: NDArray, left: NDArray, right: NDArray, reduce: NDArray) -> Scores:
    """The scores of a chart, by row."""
    made = Scores(table_of(n, shift), arc_table(n, left), arc_table(n, right),
                  arc_table(n, reduce), numpy.zeros(n + 1))
    made.shift[0, n] = 0
    return made


def gold_counts(heads: Sequence[int], labels: Sequence[int], classes: Classes,
                d_scores: NDArray) -> list[tuple[int, int]]:
    """Subtract 1 where the canonical derivation goes; the heads are from 0, a root's is its own.

    Returns:
        The (row, class) of each transition that has a score.
    """
    n = len(heads)
    stack: list[int] = []
    front = 0
    taken = []

    def note(k: int) -> None:
        top = stack[-1] + 1 if stack else 0
        if not (top == 0 and front == n - 1):
            taken.append((front * (front + 1) // 2 + top, k))

    while front < n:
        top = stack[-1] if stack else None
        if top is not None and heads[top] == front and top != front:
            note(classes.left.start + labels[top])
            stack.pop()
        elif top is not None and heads[front] == top:
            note(classes.right.start + labels[front])
            stack.append(front)
            front += 1
        elif any(heads[front] == word or heads[word] == front for word in stack[:-1]):
            note(classes.reduce)
            stack.pop()
        else:
            note(classes.shift)
            stack.append(front)
            front += 1
    for row, k in taken:
        d_scores[row, k] -= 1
    return taken


@dataclass
class Learnt:
    """What `scoring.backprop` takes, see network/scoring.ScoredRows."""

    word_rows: NDArray
    attribute_rows: NDArray
    hidden: NDArray
    which: NDArray
    d_scores: NDArray
    loss: float


def learn(system: Any, layer: Layer, words: NDArray, lengths: Sequence[int], heads: NDArray, labels: NDArray,
          drop: float) -> Learnt:
    """The loss and the gradient of a batch of gold trees."""
    classes = find_classes(system)
    parts, loss, first = [], 0.0, 0
    keep = 1 - drop
    for n in lengths:
        span = slice(first, first + n)
        hidden, which = layer.hidden(words[span], True)
        if drop:
            dropped = numpy.random.random(hidden.shape).astype("f") < drop
            hidden *= 1 / keep
            hidden[dropped] = 0
            which[dropped] = DROPPED
        scores = hidden @ layer.weights.upper_W + layer.weights.upper_b
        d_scores, of_sentence = gradient(n, scores, heads[span], labels[span], classes)
        loss += of_sentence
        parts.append((*layer.rows(n, first, len(words)), hidden, which, d_scores))
        first += n
    return Learnt(*(numpy.concatenate(columns) for columns in zip(*parts)), loss)


def gradient(n: int, scores: NDArray, heads: NDArray, labels: NDArray,
             classes: Classes) -> tuple[NDArray, float]:
    """The gradient of minus the log likelihood of a gold tree, and its value."""
    d_scores = numpy.zeros_like(scores)
    if n == 1 or (heads < 0).any() or (numpy.delete(labels, numpy.flatnonzero(
            heads == numpy.arange(n))) < 0).any():
        return d_scores, 0.0
    front, top = places(n)
    left, of_left = log_sum(scores[:, classes.left])
    right, of_right = log_sum(scores[:, classes.right])
    chart = chart_scores(n, scores[:, classes.shift], left, right, scores[:, classes.reduce])
    total, d_shift, d_left, d_right, d_reduce, _ = marginals(*chart)
    d_shift[0, n] = 0
    d_scores[:, classes.shift] = d_shift[top, front]
    d_scores[:, classes.left] = d_left[top, front][:, None] * of_left
    d_scores[:, classes.right] = d_right[top, front][:, None] * of_right
    d_scores[:, classes.reduce] = d_reduce[top, front]
    taken = gold_counts(heads.tolist(), labels.tolist(), classes, d_scores)
    return d_scores, total - float(sum(scores[row, k] for row, k in taken))


@dataclass(frozen=True)
class ExactDecoder(Decoder):
    """Finds the best tree exactly. `mode` is "best" or "risk", the tree of the best marginals."""

    mode: str = "best"

    def scores(self, encoded: Encoded) -> Any:
        layer = Layer(self.scorer.weights)
        classes = find_classes(self.system)
        first = 0
        for n in lengths_of(encoded.layouts).tolist():
            hidden, _ = layer.hidden(encoded.vectors[first : first + n], False)
            first += n
            yield n, hidden @ layer.weights.upper_W + layer.weights.upper_b, classes

    def decode(self, encoded: Encoded) -> tuple[NDArray, NDArray, NDArray]:
        results = [self.tree(*of_unit)[:2] for of_unit in self.scores(encoded)]
        heads, labels = map(numpy.concatenate, zip(*results))
        return heads.astype("i"), labels.astype("i"), numpy.zeros(len(heads), dtype=bool)

    def tree(self, n: int, scores: NDArray, classes: Classes, temperature: float = 1,
             needs_marginals: bool = False) -> tuple[NDArray, NDArray, Any]:
        """Heads (a root's is itself), labels (a root's is -1), and marginals by (head, dependent).
        """
        left, right = scores[:, classes.left], scores[:, classes.right]
        shift, reduce = scores[:, classes.shift], scores[:, classes.reduce]
        sums = None
        if self.mode == "risk" or needs_marginals:
            chart = chart_scores(n, shift / temperature, log_sum(left / temperature)[0],
                                 log_sum(right / temperature)[0], reduce / temperature)
            _, _, d_left, d_right, _, d_root = marginals(*chart)
            sums = d_left.T + d_right
            sums[0] = d_root
        if self.mode == "risk":
            zero = numpy.zeros((n + 1, n + 1))
            found = best_tree(zero, numpy.ascontiguousarray(numpy.tril(sums).T),
                              numpy.triu(sums), zero, numpy.ascontiguousarray(sums[0]))
        else:
            found = best_tree(*chart_scores(n, shift, left.max(axis=1), right.max(axis=1), reduce))
        heads = found[1][1:]
        words = numpy.arange(1, n + 1)
        front, top = numpy.maximum(heads, words), numpy.minimum(heads, words)
        row = front * (front - 1) // 2 + top
        labels = numpy.where(heads > words, left[row].argmax(axis=1), right[row].argmax(axis=1))
        labels[heads == 0] = -1
        if sums is not None:
            d = numpy.where((heads > words)[:, None], log_sum(left[row] / temperature)[1],
                            log_sum(right[row] / temperature)[1])
            of_label = d.max(axis=1)
            of_label[heads == 0] = 1
            sums = Confidences(numpy.minimum(1, sums[heads, words]).tolist(), of_label.tolist())
        heads = numpy.where(heads == 0, words, heads) - 1
        return heads, labels, sums

    def confidences(self, encoded: Encoded, temperature: float) -> list[Confidences]:
        units = iter(self.scores(encoded))
        result = []
        for layout in encoded.layouts:
            heads: list[float] = []
            of_labels: list[float] = []
            for _ in layout.lengths:
                _, labels, sure = self.tree(*next(units), temperature, True)
                names = ["" if k < 0 else self.system.labels[k] for k in labels]
                sure = with_lifted(sure, names)
                heads += sure.heads
                of_labels += sure.labels
            result.append(Confidences(heads, of_labels))
        return result


class ExactParser(ArcEagerParser):
    """A parser that learns and decodes by charts."""

    mode = "best"

    def _make_decoder(self) -> Decoder:
        made = super()._make_decoder()
        return ExactDecoder(made.system, made.scorer, mode=self.mode)

    def _learn(self, examples: Sequence[Example], drop: float) -> float:
        units = [tree_units(example, self.system, self.non_projective) for example in examples]
        rows = unit_rows(examples, units)
        sentences = [unit for of_example in units for unit in of_example]
        indices = label_indices(self.system)
        set_dropout_rate(self.model, drop)
        vectors, backprop = self.model.begin_update([eg.predicted for eg in examples])
        words = vectors[rows]
        scoring = find_scoring(self.model, self.system, self.name)
        scorer, backprop_scores = scoring.begin_update(words)
        next(self.exploration)
        learnt = learn(
            self.system, Layer(scorer.weights), words,
            [unit.words.size for unit in sentences],
            numpy.concatenate([unit.heads for unit in sentences]),
            numpy.asarray([label_index(label, indices) for unit in sentences
                           for label in unit.labels]), drop,
        )
        d_vectors = numpy.zeros_like(vectors)
        d_vectors[rows] = backprop_scores(learnt)
        backprop(d_vectors)
        return learnt.loss


@Language.factory(
    "arceager_exact",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={**DEFAULTS, **Config().from_str(DEFAULT_CONFIG)},
)
def make_exact(
    nlp: Language, name: str, model: Model, system: SystemParameters, oracle: Any,
    exploration: Any, non_projective: str, beam: BeamSettings | None, exact: bool, threads: int,
    confidence: bool, temperature: float, valid: str | None, scorer: Callable | None,
) -> ExactParser:
    return ExactParser(
        nlp.vocab, model, name, system=system, oracle=oracle, exploration=exploration,
        non_projective=non_projective, beam=beam, threads=threads, confidence=confidence,
        temperature=temperature, valid=valid, scorer=scorer,
    )
