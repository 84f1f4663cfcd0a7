"""The model once more, slowly: features, scores, loss and gradient in plain NumPy.

Nothing here is shared with the package but the addresses, so that the two can be compared.
"""

from collections.abc import Callable

import numpy
from thinc.api import Model

from spacy_arceager.decoding.rollout import RollOut
from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.model.transition_model import PARAMS
from spacy_arceager.systems import Transition

Weights = dict[str, numpy.ndarray]
MISSING, END, ROOT = 0, 1, 2                # special rows, behind those of the words
BINS = (1, 2, 3, 4, 5, 7, 10, 15, 25)       # the smallest distance of each bin from 1
OPTIMAL = 2
DROPPED = 255


# Features


def follow(configuration: Configuration, node: int | str | None, hop: str) -> int | None:
    """The child or head of a node at the end of an arc."""
    if not isinstance(node, int):
        return None
    heads = configuration.heads
    if hop == "head":
        return heads[node] if node < len(heads) else None
    children = [word for word, head in enumerate(heads) if head == node]
    left = [word for word in children if word < node]
    right = [word for word in children if word > node][::-1]
    side, position = (left if hop[:-1] == "left" else right), int(hop[-1])
    return side[position - 1] if position <= len(side) else None


def find_node(configuration: Configuration, address: str) -> int | str | None:
    """The node at a word address: a word, n for the artificial root, "END" or None."""
    start, *hops = address.split(".")
    operative = ["END" if node is None else node for node in configuration.operative]
    nodes = operative[::-1] if start[0] == "O" else configuration.unprocessed
    position = int(start[1:])
    node = nodes[position - 1] if position <= len(nodes) else None
    for hop in hops:
        node = follow(configuration, node, hop)
    return node


def word_rows(configuration: Configuration, words: list[str]) -> list[int]:
    """Feature rows of the words, those of this sentence being 0..n-1."""
    n = configuration.n_words
    special = {None: n + MISSING, "END": n + END, n: n + ROOT}
    nodes = [find_node(configuration, address) for address in words]
    return [special.get(node, node) for node in nodes]


def attribute_value(configuration: Configuration, address: str) -> int:
    """Row of an attribute in its own table."""
    n = configuration.n_words
    if "-" in address:
        left, right = (find_node(configuration, end) for end in address.split("-"))
        if not isinstance(left, int) or right is None:
            return 0
        distance = (n if right == "END" else right) - left
        return 1 + sum(distance >= smallest for smallest in BINS)
    word, _, attribute = address.rpartition(".")
    node = find_node(configuration, word)
    if not isinstance(node, int):
        return 0
    if attribute == "label":
        label = configuration.labels[node] if node < n else None
        return 1 if label is None else 2 + configuration.system.labels.index(label)
    children = [child for child, head in enumerate(configuration.heads) if head == node]
    left = sum(child < node for child in children)
    return 1 + 4 * min(left, 3) + min(len(children) - left, 3)


def attribute_rows(configuration: Configuration, attributes: list[str]) -> list[int]:
    """Rows of attributes in the tables, which lie one after the other."""
    rows = []
    start = 0
    for address in attributes:
        rows.append(start + attribute_value(configuration, address))
        if address.endswith(".label"):
            start += 2 + configuration.system.n_labels
        else:
            start += 17 if address.endswith(".valency") else 11
    return rows


# Scores


def get_weights(model: Model) -> Weights:
    """The weights of "scoring", in double precision."""
    return {name: model.get_param(name).astype("d") for name in PARAMS}


def sums_of_rows(
    weights: Weights, vectors: numpy.ndarray, words: numpy.ndarray, attributes: numpy.ndarray
) -> numpy.ndarray:
    """(n_states, pieces, hidden), before maxout, from rows as in a RollOut."""
    pieces, hidden = weights["lower_b"].shape
    n_slots = words.shape[1]
    sums = numpy.repeat(weights["lower_b"][None], len(words), axis=0)
    lower_W = weights["lower_W"].reshape((-1, n_slots, pieces, hidden))
    for state in range(len(words)):
        for slot, row in enumerate(words[state]):
            if row < len(vectors):
                sums[state] += numpy.tensordot(vectors[row], lower_W[:, slot], 1)
            else:
                sums[state] += weights["special"][row - len(vectors), slot]
        for row in attributes[state]:
            sums[state] += weights["tables"][row]
    return sums


def hidden_layer(
    weights: Weights, vectors: numpy.ndarray, rollout: RollOut, dropout: float = 0.0
) -> numpy.ndarray:
    """(n_states, hidden) for the recorded features and dropped units."""
    sums = sums_of_rows(weights, vectors, rollout.word_rows, rollout.attribute_rows)
    return numpy.where(rollout.which == DROPPED, 0, sums.max(axis=1) / (1 - dropout))


def scores_of(
    weights: Weights, vectors: numpy.ndarray, rollout: RollOut, dropout: float = 0.0
) -> numpy.ndarray:
    """(n_states, classes) for the recorded features and dropped units."""
    hidden = hidden_layer(weights, vectors, rollout, dropout)
    return hidden @ weights["upper_W"] + weights["upper_b"]


def probabilities(scores: numpy.ndarray, allowed: numpy.ndarray) -> numpy.ndarray:
    """Softmax over the allowed classes, zero for the others."""
    exps = numpy.where(allowed, numpy.exp(scores - scores.max()), 0)
    return exps / exps.sum()


def loss_of(
    weights: Weights, vectors: numpy.ndarray, rollout: RollOut, dropout: float = 0.0
) -> float:
    """Minus the log of the probability of all optimal classes, summed over the states."""
    loss = 0.0
    for scores, targets in zip(scores_of(weights, vectors, rollout, dropout), rollout.targets):
        loss -= numpy.log(probabilities(scores, targets > 0)[targets == OPTIMAL].sum())
    return loss


def gradient_of(
    weights: Weights, vectors: numpy.ndarray, rollout: RollOut, dropout: float = 0.0
) -> tuple[Weights, numpy.ndarray]:
    """Gradient of the loss: of every parameter, and of the token vectors."""
    gradient = {name: numpy.zeros_like(values) for name, values in weights.items()}
    d_vectors = numpy.zeros(vectors.shape)
    pieces, n_hidden = weights["lower_b"].shape
    shape = (-1, rollout.word_rows.shape[1], pieces, n_hidden)
    lower_W, d_lower_W = (w["lower_W"].reshape(shape) for w in (weights, gradient))
    sums = sums_of_rows(weights, vectors, rollout.word_rows, rollout.attribute_rows)
    hidden = hidden_layer(weights, vectors, rollout, dropout)
    scores = scores_of(weights, vectors, rollout, dropout)
    for state, targets in enumerate(rollout.targets):
        d_scores = probabilities(scores[state], targets > 0)
        d_scores -= probabilities(scores[state], targets == OPTIMAL)
        gradient["upper_W"] += numpy.outer(hidden[state], d_scores)
        gradient["upper_b"] += d_scores
        d_hidden = weights["upper_W"] @ d_scores / (1 - dropout)
        d_sums = numpy.zeros((pieces, n_hidden))
        for unit, piece in enumerate(sums[state].argmax(axis=0)):
            if rollout.which[state, unit] != DROPPED:
                d_sums[piece, unit] = d_hidden[unit]
        gradient["lower_b"] += d_sums
        for slot, row in enumerate(rollout.word_rows[state]):
            if row < len(vectors):
                d_lower_W[:, slot] += numpy.multiply.outer(vectors[row], d_sums)
                d_vectors[row] += numpy.tensordot(lower_W[:, slot], d_sums, 2)
            else:
                gradient["special"][row - len(vectors), slot] += d_sums
        for row in rollout.attribute_rows[state]:
            gradient["tables"][row] += d_sums
    return gradient, d_vectors


# Parsing

Choose = Callable[[Configuration], tuple[Transition, str | None]]


def walk(system: TransitionSystem, n_words: int, choose: Choose) -> Configuration:
    """Parse a sentence; `choose` is asked where something has to be decided."""
    configuration = system.initial(n_words)
    while not configuration.is_terminal:
        legal = configuration.legal()
        if len(legal) == 1 and not legal[0].is_arc:
            configuration.apply(legal[0])
        else:
            configuration.apply(*choose(configuration))
    return configuration


def parse_slowly(system: TransitionSystem, model: Model, vectors: numpy.ndarray) -> Configuration:
    """Parse one sentence by the best-scored legal transitions."""
    weights = get_weights(model)

    def choose(configuration: Configuration) -> tuple[Transition, str | None]:
        scores = scores_in(configuration, model, weights, vectors)
        legal = configuration.legal()
        allowed = [system.describe_class(i)[0] in legal for i in range(system.n_classes)]
        return best_class(system, scores, numpy.asarray(allowed))

    return walk(system, len(vectors), choose)


def scores_in(
    configuration: Configuration, model: Model, weights: Weights, vectors: numpy.ndarray
) -> numpy.ndarray:
    """(classes,) the scores of one configuration."""
    words = numpy.asarray([word_rows(configuration, model.attrs["words"])])
    attributes = numpy.asarray([attribute_rows(configuration, model.attrs["attributes"])])
    sums = sums_of_rows(weights, vectors, words, attributes)
    return sums[0].max(axis=0) @ weights["upper_W"] + weights["upper_b"]


def best_class(
    system: TransitionSystem, scores: numpy.ndarray, allowed: numpy.ndarray
) -> tuple[Transition, str | None]:
    """The best-scored of the allowed classes.

    SHIFT has the best label for RIGHT, which a non-monotonic REDUCE gives the word later.
    """
    best = int(numpy.where(allowed, scores, -numpy.inf).argmax())
    transition, label = system.describe_class(best)
    if transition.move == "SHIFT":
        moves = [system.describe_class(i)[0].move for i in range(system.n_classes)]
        return transition, best_class(system, scores, numpy.asarray(moves) == "RIGHT")[1]
    return transition, label


def replay(
    system: TransitionSystem, n_words: int, rollout: RollOut, exploration: int
) -> tuple[list[Configuration], Configuration]:
    """The recorded configurations of a roll-out of one sentence, and the final one.

    exploration: as in the roll-out, 0 or 1.
    """
    recorded: list[Configuration] = []

    def choose(configuration: Configuration) -> tuple[Transition, str | None]:
        targets = rollout.targets[len(recorded)]
        scores = rollout.scores[len(recorded)]
        recorded.append(configuration.copy())
        allowed = targets > 0 if exploration else targets == OPTIMAL
        return best_class(system, scores, allowed)

    final = walk(system, n_words, choose)
    assert len(recorded) == len(rollout.targets)
    return recorded, final
