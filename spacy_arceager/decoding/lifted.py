"""Lifted arcs are put back where the rules about dependents allow it.

Without rules `annotation.projective.deprojectivize` puts them back. Here each goes to the first
place of the same search that breaks no rule, or stays where it was lifted to.
"""

from collections.abc import Iterator

import numpy
from numpy.typing import NDArray

from ..annotation.projective import former_head_label, is_decorated
from ..machine.rules import WordRules
from ..machine.system import TransitionSystem
from ..machine.valid import FinishedTree


def put_back(
    system: TransitionSystem, rules: WordRules, heads: NDArray, labels: NDArray
) -> tuple[NDArray, NDArray]:
    """The heads and labels of a unit without lifted arcs.

    Args:
        heads: (n_words,), where a root is its own head.
        labels: (n_words,) numbers of labels; `label + n_labels` is one without its mark, see
            `decoder.without_marks`.

    Returns:
        New arrays of heads and labels. Labels that had marks are numbered from n_labels on.
    """
    n_labels = system.n_labels
    marked = numpy.flatnonzero(are_marked(system, labels)).tolist()
    names = ["" if label < 0 else system.labels[label % n_labels] for label in labels]
    heads, labels = heads.copy(), labels.copy()
    tree = FinishedTree(system, rules, heads, labels % n_labels)
    for word in marked:
        former = former_head_label(names[word])
        for other in below(heads, word):
            if names[other] == former and tree.allows(word, other):
                tree.move(word, other)
                heads[word] = other
                break
        labels[word] += n_labels
        names[word] = ""
    return heads, labels


def are_marked(system: TransitionSystem, labels: NDArray) -> NDArray[numpy.bool_]:
    """Which labels, numbered as for `put_back`, mark lifted arcs: (n_words,)."""
    marks = [*map(is_decorated, system.labels)]
    # A root has the label -1, which finds the last entry.
    return numpy.asarray([*marks, *[False] * (len(marks) + 1)])[labels]


def below(heads: NDArray, word: int) -> Iterator[int]:
    """The words below the head of a word, breadth first, without the word and what is below it."""
    level = [int(heads[word])]
    while level:
        level = [
            int(child) for head in level for child in numpy.flatnonzero(heads == head)
            if child not in (head, word)
        ]
        yield from level
