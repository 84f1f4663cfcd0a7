"""The model once more, slowly: features, scores, decoding, loss and gradient in plain NumPy.

Nothing here is shared with the package but the machine, the oracles and the addresses, so
that the two can be compared. Every anchor is scored anew in every configuration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from thinc.api import Model

from spacy_arceager.kernels.row_product import BYTES, HALVES, IN_PARSING
from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.network.weights import PARAMS
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.search.rollout import RollOut
from spacy_arceager.systems import Transition

Weights = dict[str, numpy.ndarray]
Choice = tuple[Transition, str | None]      # a transition at its anchor, and a label
MISSING, END, ROOT = 0, 1, 2                # special rows, behind those of the words
N_SETS = 1024                               # rows for sets of labels
BINS = (1, 2, 3, 4, 5, 7, 10, 15, 25)       # the smallest distance of each bin from 1
NOT_LEGAL, COSTLY, OPTIMAL = 0, 1, 2
DROPPED = 255


# Features


class View:
    """What the features read of a configuration, from an anchor (1: the right end of O)."""

    def __init__(self, configuration: Configuration):
        self.system = configuration.system
        self.n_words = configuration.n_words
        self.heads = configuration.heads
        self.labels = configuration.labels
        self.operative = ["END" if node is None else node for node in configuration.operative]
        self.unprocessed = configuration.unprocessed
        self.children: dict[int, list[int]] = {}
        self.child_labels: dict[tuple[int, int], str | None] = {}
        for word, arcs in enumerate(configuration.graph):
            for head, label in arcs:
                self.children.setdefault(head, []).append(word)
                self.child_labels[head, word] = label
        self.move_to(1)

    def move_to(self, anchor: int) -> None:
        end = len(self.operative) - anchor + 1
        self.nodes = {
            "O": self.operative[:end][::-1], "U": self.operative[end:] + self.unprocessed
        }


def follow(view: View, node: int | str | None, hop: str) -> int | None:
    """The child or head of a node at the end of an arc."""
    if not isinstance(node, int):
        return None
    if hop == "head":
        return view.heads[node] if node < view.n_words else None
    children = view.children.get(node, [])
    left = [word for word in children if word < node]
    right = [word for word in children if word > node][::-1]
    side, position = (left if hop[:-1] == "left" else right), int(hop[-1])
    return side[position - 1] if position <= len(side) else None


def find_node(view: View, address: str) -> int | str | None:
    """The node at a word address: a word, n for the artificial root, "END" or None."""
    start, *hops = address.split(".")
    nodes = view.nodes[start[0]]
    position = int(start[1:])
    node = nodes[position - 1] if position <= len(nodes) else None
    for hop in hops:
        node = follow(view, node, hop)
    return node


def word_rows(view: View, words: list[str]) -> list[int]:
    """Feature rows of the words, those of this sentence being 0..n-1."""
    n = view.n_words
    special = {None: n + MISSING, "END": n + END, n: n + ROOT}
    nodes = [find_node(view, address) for address in words]
    return [special.get(node, node) for node in nodes]


def label_value(view: View, node: int) -> int:
    label = view.labels[node] if node < view.n_words else None
    return 1 if label is None else 2 + view.system.labels.index(label)


def valency_value(view: View, node: int) -> int:
    children = view.children.get(node, [])
    left = sum(child < node for child in children)
    return 1 + 4 * min(left, 3) + min(len(children) - left, 3)


def left_labels_value(view: View, node: int) -> int:
    return set_value(view, node, [c for c in view.children.get(node, []) if c < node])


def right_labels_value(view: View, node: int) -> int:
    return set_value(view, node, [c for c in view.children.get(node, []) if c > node])


def set_value(view: View, node: int, children: list[int]) -> int:
    found = {view.child_labels[node, child] for child in children} - {None, ""}
    bits = sum(2 ** i for i in {view.system.labels.index(label) % 64 for label in found})
    hashed = bits * 0x9E3779B97F4A7C15 % 2**64      # 2**64 by the golden ratio
    return 2 + hashed * N_SETS // 2**64 if bits else 1


VALUES = {
    "label": label_value,
    "valency": valency_value,
    "left_labels": left_labels_value,
    "right_labels": right_labels_value,
}


def table_sizes(n_labels: int) -> dict[str, int]:
    """How many rows the table of each attribute has."""
    return {
        "label": 2 + n_labels,
        "valency": 1 + 4 * 4,
        "left_labels": 2 + N_SETS,
        "right_labels": 2 + N_SETS,
        "distance": 2 + len(BINS),
    }


def distance_value(view: View, address: str) -> int:
    left, right = (find_node(view, end) for end in address.split("-"))
    if not isinstance(left, int) or right is None:
        return 0
    distance = (view.n_words if right == "END" else right) - left
    return 1 + sum(distance >= smallest for smallest in BINS)


def attribute_rows(view: View, attributes: list[str]) -> list[int]:
    """Rows of attributes in the tables, which lie one after the other."""
    rows = []
    start = 0
    for address in attributes:
        if "-" in address:
            name, value = "distance", distance_value(view, address)
        else:
            word, _, name = address.rpartition(".")
            node = find_node(view, word)
            value = VALUES[name](view, node) if isinstance(node, int) else 0
        rows.append(start + value)
        start += table_sizes(view.system.n_labels)[name]
    return rows


# Scores


def get_weights(model: Model) -> Weights:
    """The weights of "scoring", in double precision."""
    return {name: model.get_param(name).astype("d") for name in PARAMS}


def to_half(values: numpy.ndarray) -> numpy.ndarray:
    """The nearest floats of which all bits but the upper 16 are zero."""
    bits = values.astype("f").view("uint32")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype("uint32").view("f")


def to_bytes(values: numpy.ndarray, axis: int) -> numpy.ndarray:
    """The nearest of 255 floats from -highest to highest, the highest along an axis."""
    values = values.astype("f")
    highest = numpy.abs(values).max(axis=axis, keepdims=True)
    factor = numpy.divide(numpy.float32(127), highest, where=highest > 0, out=0 * highest)
    return numpy.rint(values * factor) * (highest / numpy.float32(127))


def round_factors(
    rows: numpy.ndarray, columns: numpy.ndarray, rounding: str | None
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The factors of a product, rounded as `RowProduct` rounds them."""
    if rounding == HALVES:
        rows, columns = to_half(rows), to_half(columns)
    elif rounding == BYTES:
        rows, columns = to_bytes(rows, axis=1), to_bytes(columns, axis=0)
    return rows.astype("d"), columns.astype("d")


def sums_of_rows(
    weights: Weights,
    vectors: numpy.ndarray,
    words: numpy.ndarray,
    attributes: numpy.ndarray,
    rounding: str | None = None,
) -> numpy.ndarray:
    """(n_rows, pieces, hidden), before maxout, from rows as in a RollOut.

    rounding: as for `Scorer`.
    """
    pieces, hidden = weights["lower_b"].shape
    n_slots = words.shape[1]
    vectors, lower = round_factors(vectors, weights["lower_W"], rounding)
    table = (vectors @ lower).reshape((-1, n_slots, pieces, hidden))
    table = numpy.concatenate([table, weights["special"]])
    tables = weights["tables"]
    if rounding:
        table, tables = to_half(table), to_half(tables)
    sums = numpy.repeat(weights["lower_b"][None], len(words), axis=0)
    for slot in range(n_slots):
        sums += table[words[:, slot], slot]
    for column in attributes.T:
        sums += tables[column]
    return sums


def scores_of_rows(
    weights: Weights, sums: numpy.ndarray, dropped: numpy.ndarray, dropout: float = 0.0,
    rounding: str | None = None,
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """(n_rows, hidden) and (n_rows, classes).

    Args:
        dropped: (n_rows, hidden) bool.
        rounding: as for `Scorer`.
    """
    hidden = numpy.where(dropped, 0, sums.max(axis=1) / (1 - dropout))
    rounded, upper = round_factors(
        hidden, weights["upper_W"], BYTES if rounding == BYTES else None)
    return hidden, rounded @ upper + weights["upper_b"]


def parse_scores(
    weights: Weights, vectors: numpy.ndarray, words: numpy.ndarray, attributes: numpy.ndarray
) -> numpy.ndarray:
    """(n_rows, classes), as in parsing."""
    sums = sums_of_rows(weights, vectors, words, attributes, IN_PARSING)
    return scores_of_rows(
        weights, sums, numpy.zeros(sums.shape[::2], bool), rounding=IN_PARSING)[1]


def scores_of(
    weights: Weights, vectors: numpy.ndarray, rollout: RollOut, dropout: float = 0.0
) -> numpy.ndarray:
    """(n_rows, classes) for the recorded features and dropped units."""
    sums = sums_of_rows(weights, vectors, rollout.word_rows, rollout.attribute_rows)
    return scores_of_rows(weights, sums, rollout.which == DROPPED, dropout)[1]


def best(scores: numpy.ndarray, allowed: numpy.ndarray) -> tuple[int, int]:
    """Row and class of the best-scored of the allowed cells."""
    row, class_ = numpy.unravel_index(
        numpy.where(allowed, scores, -numpy.inf).argmax(), scores.shape
    )
    return int(row), int(class_)


# Parsing


def anchors_of(configuration: Configuration) -> list[int]:
    """The anchors at which something is legal, as positions in O."""
    return sorted({transition.anchor for transition in configuration.legal()})


def features_of(
    configuration: Configuration, model: Model
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """(n_anchors, word features) and (n_anchors, attributes)."""
    view = View(configuration)
    words, attributes = [], []
    for anchor in anchors_of(configuration):
        view.move_to(anchor)
        words.append(word_rows(view, model.attrs["words"]))
        attributes.append(attribute_rows(view, model.attrs["attributes"]))
    return numpy.asarray(words), numpy.asarray(attributes, dtype=int)


def choice_at(
    configuration: Configuration, scores: numpy.ndarray, row: int, class_: int
) -> Choice:
    """A class as a transition at the anchor of a row of scores.

    SHIFT has the best label for RIGHT, which a non-monotonic REDUCE gives the word later.
    """
    system = configuration.system
    transition, label = system.describe_class(class_)
    if transition.move == "SHIFT":
        moves = [system.describe_class(i)[0].move for i in range(system.n_classes)]
        labels = numpy.where(numpy.asarray(moves) == "RIGHT", scores[row], -numpy.inf)
        label = system.describe_class(int(labels.argmax()))[1]
    return transition.at(anchors_of(configuration)[row]), label


def legal_cells(configuration: Configuration) -> numpy.ndarray:
    """(n_anchors, classes) bool."""
    system = configuration.system
    anchors = anchors_of(configuration)
    cells = numpy.zeros((len(anchors), system.n_classes), bool)
    moves = [system.describe_class(i)[0] for i in range(system.n_classes)]
    for transition in configuration.legal():
        same = [move == transition.at(1) for move in moves]
        cells[anchors.index(transition.anchor)] |= same
    return cells


def taken(
    transition: Transition, label: str | None, before: Configuration, after: Configuration
) -> tuple:
    """A transition with its words and its label, but for that of the last root."""
    words = [
        (word, head) for word, (old, head) in enumerate(zip(before.heads, after.heads))
        if head not in (None, old)
    ]
    remaining = {*before.operative, *before.unprocessed} - {None}
    if len(remaining) == 2 and any(head == before.n_words for _, head in words):
        label = None
    if not words:
        words = sorted(set(map(str, before.operative)) ^ set(map(str, after.operative)))
    top = before.operative[-1] if transition.move == "SWAP" else None
    kind = transition.move, transition.reduces, transition.shifts
    return *kind, str(words), str(label), str(top), before.ended


def best_orders(hypotheses: Sequence[Any]) -> list[Any]:
    """Hypotheses, the best first: of those with the same transitions in other orders the best."""
    best: dict[tuple, Any] = {}
    for one in sorted(hypotheses, key=lambda one: -one.score):
        best.setdefault(one.taken, one)
    return [*best.values()]


def advance(configuration: Configuration) -> bool:
    """Takes the transitions that nothing has to be decided about; False at the end."""
    while not configuration.is_terminal:
        legal = configuration.legal()
        anchored = configuration.system.parameters.is_anchored
        if len(legal) > 1 or legal[0].is_arc or (anchored and legal[0].move != "SHIFT"):
            return True
        configuration.apply(legal[0])
    return False


def parse_slowly(
    system: TransitionSystem,
    model: Model,
    vectors: numpy.ndarray,
    start: Configuration | None = None,
) -> Configuration:
    """Parse one sentence by the best-scored legal transitions."""
    weights = get_weights(model)
    configuration = system.initial(len(vectors)) if start is None else start
    while advance(configuration):
        scores = parse_scores(weights, vectors, *features_of(configuration, model))
        row, class_ = best(scores, legal_cells(configuration))
        configuration.apply(*choice_at(configuration, scores, row, class_))
    return configuration


# Training


@dataclass
class State:
    """A configuration to learn from, a row for each anchor."""

    configuration: Configuration
    words: numpy.ndarray          # (n_anchors, word features), rows of the whole batch
    attributes: numpy.ndarray     # (n_anchors, attributes)
    dropped: numpy.ndarray        # (n_anchors, hidden) bool
    targets: numpy.ndarray        # (n_anchors, classes)


class Random:
    """xorshift64* (Vigna 2016), numbers in [0, 1)."""

    def __init__(self, seed: int):
        self.state = seed

    def draw(self) -> float:
        mask = 2**64 - 1
        self.state ^= self.state >> 12
        self.state ^= self.state << 25 & mask
        self.state ^= self.state >> 27
        return ((self.state * 2685821657736338717 & mask) >> 11) / 2**53


@dataclass
class SlowRollOut:
    states: list[State]
    final: list[Configuration]
    n_wrong: int = 0
    n_aggressive: int = 0


def roll_out(
    system: TransitionSystem,
    model: Model,
    vectors: numpy.ndarray,
    trees: Sequence[Sequence[int]],
    labels: Sequence[int],
    oracle: Oracle,
    exploration: float = 0.0,
    dropout: float = 0.0,
    seed: int = 1,
    aggression: float = 0.0,
    margin: float = 1.0,
) -> SlowRollOut:
    """As the package's, which draws its random numbers in the same order.

    trees: gold heads of each sentence. labels: of all words. Dropout is for systems with
    one anchor: with several, units stay dropped as long as a row is used.
    """
    weights = get_weights(model)
    random = Random(seed)
    batch = SlowRollOut([], [system.initial(len(tree)) for tree in trees])
    starts = numpy.cumsum([0] + [len(tree) for tree in trees])
    if oracle.follow_only:
        exploration = aggression = 0.0
    while active := [i for i in range(len(trees)) if advance(batch.final[i])]:
        states = [
            record(batch.final[i], model, starts[i], len(vectors), dropout, random)
            for i in active
        ]
        batch.states += states
        for i, state in zip(active, states):
            words = slice(starts[i], starts[i + 1])
            state.targets = targets_of(batch.final[i], trees[i], labels[words], oracle)
            scores = scores_of_state(weights, vectors, state, dropout)[2]
            choice = best(scores, state.targets == OPTIMAL)
            predicted = best(scores, state.targets != NOT_LEGAL)
            if predicted != choice:
                batch.n_wrong += 1
                if random.draw() < exploration:
                    choice = predicted
            elif aggression and (state.targets == COSTLY).any():
                costly = best(scores, state.targets == COSTLY)
                if scores[choice] - scores[costly] < margin and random.draw() < aggression:
                    choice = costly
                    batch.n_aggressive += 1
            batch.final[i].apply(*choice_at(batch.final[i], scores, *choice))
    return batch


def record(
    configuration: Configuration,
    model: Model,
    start: int,
    n_words: int,
    dropout: float,
    random: Random,
) -> State:
    """A state whose targets are still to be found; rows of words begin at `start`."""
    words, attributes = features_of(configuration, model)
    n = configuration.n_words
    words = numpy.where(words < n, words + start, words - n + n_words)
    shape = (len(words), model.get_dim("nH"))
    dropped = numpy.zeros(shape, bool)
    if dropout:
        dropped[0] = [random.draw() < dropout for _ in range(shape[1])]
    return State(configuration.copy(), words, attributes, dropped, numpy.zeros(0))


def targets_of(
    configuration: Configuration,
    heads: Sequence[int],
    labels: Sequence[int],
    oracle: Oracle,
    starts: Sequence[bool] | None = None,
) -> numpy.ndarray:
    """(n_anchors, classes): not legal, costly or optimal."""
    system = configuration.system
    costs = oracle.costs(configuration, heads, starts, preferred=True)
    lowest = min(costs.values())
    targets = numpy.full((len(anchors_of(configuration)), system.n_classes), NOT_LEGAL)
    for row, anchor in enumerate(anchors_of(configuration)):
        for i in range(system.n_classes):
            transition, label = system.describe_class(i)
            cost = costs.get(transition.at(anchor))
            if cost is not None:
                gold = gold_label(configuration, transition.at(anchor), heads, labels)
                right = gold in (None, label)
                targets[row, i] = OPTIMAL if cost == lowest and right else COSTLY
    return targets


def gold_label(
    configuration: Configuration,
    transition: Transition,
    heads: Sequence[int],
    labels: Sequence[int],
) -> str | None:
    """Label of the gold arc that a transition makes, None without one."""
    if not transition.is_arc:
        return None
    operative = configuration.operative[: len(configuration.operative) + 1 - transition.anchor]
    left, right = operative[-transition.left], operative[-transition.right]
    head, dependent = (right, left) if transition.move == "LEFT" else (left, right)
    root = configuration.n_words if configuration.system.parameters.root != "none" else None
    gold_head = root if heads[dependent] == dependent else heads[dependent]
    if gold_head != head or labels[dependent] < 0:
        return None
    return configuration.system.labels[labels[dependent]]


# Loss and gradient


def scores_of_state(
    weights: Weights, vectors: numpy.ndarray, state: State, dropout: float
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Sums, hidden layer and scores of all anchors."""
    sums = sums_of_rows(weights, vectors, state.words, state.attributes)
    return sums, *scores_of_rows(weights, sums, state.dropped, dropout)


def probabilities(scores: numpy.ndarray, allowed: numpy.ndarray) -> numpy.ndarray:
    """Softmax over the allowed cells, zero for the others."""
    exps = numpy.where(allowed, numpy.exp(scores - scores[allowed].max()), 0)
    return exps / exps.sum()


def loss_of(
    weights: Weights, vectors: numpy.ndarray, states: Sequence[State], dropout: float = 0.0
) -> float:
    """Minus the log of the probability of all optimal classes, summed over the states."""
    loss = 0.0
    for state in states:
        scores = scores_of_state(weights, vectors, state, dropout)[2]
        p = probabilities(scores, state.targets != NOT_LEGAL)
        loss -= numpy.log(p[state.targets == OPTIMAL].sum())
    return loss


def gradient_of(
    weights: Weights, vectors: numpy.ndarray, states: Sequence[State], dropout: float = 0.0
) -> tuple[Weights, numpy.ndarray]:
    """Gradient of the loss: of every parameter, and of the token vectors."""
    gradient = {name: numpy.zeros_like(values) for name, values in weights.items()}
    d_vectors = numpy.zeros(vectors.shape)
    for state in states:
        sums, hidden, scores = scores_of_state(weights, vectors, state, dropout)
        d_scores = probabilities(scores, state.targets != NOT_LEGAL)
        d_scores -= probabilities(scores, state.targets == OPTIMAL)
        gradient["upper_W"] += hidden.T @ d_scores
        gradient["upper_b"] += d_scores.sum(axis=0)
        d_hidden = d_scores @ weights["upper_W"].T / (1 - dropout)
        won = sums.argmax(axis=1)[:, None] == numpy.arange(sums.shape[1])[None, :, None]
        d_sums = numpy.where(won & ~state.dropped[:, None], d_hidden[:, None], 0)
        for row, d_row in enumerate(d_sums):
            add_row(weights, vectors, state, row, d_row, gradient, d_vectors)
    return gradient, d_vectors


def add_row(
    weights: Weights,
    vectors: numpy.ndarray,
    state: State,
    row: int,
    d_sums: numpy.ndarray,
    gradient: Weights,
    d_vectors: numpy.ndarray,
) -> None:
    """Adds the gradient of the lower layer of one anchor."""
    shape = (-1, state.words.shape[1], *d_sums.shape)
    lower_W, d_lower_W = (w["lower_W"].reshape(shape) for w in (weights, gradient))
    gradient["lower_b"] += d_sums
    for slot, word in enumerate(state.words[row]):
        if word < len(vectors):
            d_lower_W[:, slot] += numpy.multiply.outer(vectors[word], d_sums)
            d_vectors[word] += numpy.tensordot(lower_W[:, slot], d_sums, 2)
        else:
            gradient["special"][word - len(vectors), slot] += d_sums
    for table_row in state.attributes[row]:
        gradient["tables"][table_row] += d_sums
