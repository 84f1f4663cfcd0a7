"""How likely each head and label of a parse is right, as far as the search can tell.

In greedy search the confidence of an arc is the product of the probabilities of the transitions
that were taken since the first word of the buffer came to stand there, up to the one that made the
arc. So it counts the SHIFT or REDUCE that decided between two heads, not the arc alone. With a beam
it is the share of the trees in the beam that have the arc, where each tree counts by its own
probability. Both are too high on average, so scores are divided by a temperature (Guo et al. 2017)
that is learnt on other data. What was fixed before parsing is sure.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from spacy.tokens import Doc

from ..annotation.fixed_arcs import read_arcs
from ..annotation.projective import is_decorated
from ..machine.system import Configuration, TransitionSystem
from ..search.beam_tree import BeamTree
from ..search.derivation import ScoredStep
from ..systems.parameters import Transition
from .constrained import tree_probabilities


class Confidences(NamedTuple):
    """How likely the heads and labels of some words are right.

    Attributes:
        heads: (n_words,) how likely the head is right.
        labels: (n_words,) how likely the label is right if the head is right.
    """

    heads: list[float]
    labels: list[float]


def confidences_of_steps(
    system: TransitionSystem, n_words: int, steps: Sequence[ScoredStep]
) -> Confidences:
    """How likely each word has its head, and its label, by the derivation of a sentence.

    In systems that make arcs anywhere, such as easy-first, the confidence of a head is the
    probability of its transition alone. A root has the probability that none of the arc transitions
    that could have given it a head was taken.
    """
    configuration = system.initial(n_words)
    heads, labels = [1.0] * n_words, [1.0] * n_words
    headless = [0.0] * n_words      # the log probability that no arc so far gave the word a head
    remembered = [1.0] * n_words    # the probability of the label that a non-monotonic REDUCE gives
    # The first word of the buffer, n_words if it is empty, and the probability of all decisions
    # that were made with it.
    first, decided = -1, 1.0
    for step in steps:
        front = n_words if configuration.front is None else configuration.front
        if front != first or system.parameters.is_anchored:
            first, decided = front, 1.0
        if step.taken:
            decided *= step.taken.probability
        for option in step.options:
            if option.transition.is_arc:
                word = dependent_of(option.transition, configuration)
                headless[word] += numpy.log1p(-min(option.probability, 1 - 1e-9))
        if step.transition.move == "SHIFT" and step.label is not None:
            remembered[word_at(configuration, 1)] = step.remembered
        headless_word = None
        if step.taken and step.transition.is_arc:
            word = dependent_of(step.transition, configuration)
            heads[word], labels[word] = decided, step.taken.label_probability
        elif step.taken and step.transition.move == "REDUCE":
            word = word_at(configuration, step.transition.left + step.transition.anchor - 1)
            headless_word = word if configuration.head_of(word) is None else None
        configuration.apply(step.transition, step.label)
        if headless_word is not None and configuration.head_of(headless_word) is not None:
            heads[headless_word], labels[headless_word] = decided, remembered[headless_word]
    names = [label or "" for label in configuration.labels]
    for word, head in enumerate(configuration.heads):
        if head is None:
            heads[word] = float(numpy.exp(headless[word]))
        if head is None or head == n_words:
            labels[word], names[word] = 1.0, ""     # the arc from an artificial root has no label
    return with_lifted(Confidences(heads, labels), names)


def dependent_of(transition: Transition, configuration: Configuration) -> int:
    """The word that an arc transition would give a head."""
    position = transition.left if transition.move == "LEFT" else transition.right
    return word_at(configuration, position + transition.anchor - 1)


def word_at(configuration: Configuration, position: int) -> int:
    """The operative token at a position, counted from 1 at the right end; it must be a word."""
    word = configuration.operative_at(position)
    assert word is not None
    return word


def confidences_of_trees(
    trees: Sequence[BeamTree],
    names: Sequence[str],
    temperature: float,
) -> Confidences:
    """The share of the trees in a beam that agree with the best tree on each head and label.

    Args:
        trees: the trees in the beam at the end, the best first.
        names: the strings of the system's labels.
    """
    weights = tree_probabilities(trees, temperature)
    best_heads, best_labels = trees[0].heads, trees[0].labels
    same_heads = numpy.asarray([tree.heads == best_heads for tree in trees])
    same_both = same_heads & numpy.asarray([tree.labels == best_labels for tree in trees])
    heads = numpy.minimum(weights @ same_heads, 1)
    labels = numpy.minimum(weights @ same_both / heads, 1)
    confidences = Confidences(heads.tolist(), labels.tolist())
    names_of_words = ["" if label < 0 else names[label] for label in best_labels]
    return with_lifted(confidences, names_of_words)


def with_lifted(confidences: Confidences, names: Sequence[str]) -> Confidences:
    """The confidences of a tree once its lifted arcs are put back.

    The label of a lifted arc says where its final head is. This head is right if both the head and
    the label of the lifted arc are, so its confidence is their product.

    Args:
        names: the labels of the words, with the marks of lifted arcs.
    """
    heads, labels = [*confidences.heads], [*confidences.labels]
    for word, name in enumerate(names):
        if is_decorated(name):
            heads[word], labels[word] = heads[word] * labels[word], 1.0
    return Confidences(heads, labels)


def with_fixed(confidences: Confidences, doc: Doc, words: Sequence[int]) -> Confidences:
    """The confidences of a Doc's words, where heads and labels that were fixed are sure.

    Args:
        words: the token indices of the words.
    """
    heads, labels = [*confidences.heads], [*confidences.labels]
    place = {token: i for i, token in enumerate(words)}
    for dependent, head, label in read_arcs(doc):
        if dependent not in place:
            continue    # white space, of which a label alone is no constraint
        if head is not None:
            heads[place[dependent]] = 1.0
        if label:
            labels[place[dependent]] = 1.0
    return Confidences(heads, labels)
