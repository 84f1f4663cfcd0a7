"""The gold trees or graphs of a batch of Examples, in the form that the roll-out takes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from spacy.training import Example

from ..annotation.layout import word_rows
from ..annotation.tokens import has_boundaries
from ..machine.system import TransitionSystem
from ..oracles.gold import GoldTrees
from . import MISSING
from .graphs import GoldGraph, gold_graphs, graph_arrays
from .trees import GoldSentence, apply_policy, gold_sentences, join, tree_arrays, without_tree


class GoldBatch(NamedTuple):
    """The gold trees, or graphs, of a batch.

    Attributes:
        rows: (n_words,) the row of each word among the vectors of all tokens.
        trees: the trees or graphs, for the oracle.
    """

    rows: NDArray
    trees: GoldTrees


def tree_batch(
    examples: Sequence[Example], system: TransitionSystem, policy: str, every_unit: bool = False
) -> GoldBatch:
    """The gold trees of Examples.

    Args:
        policy: see `apply_policy`.
        every_unit: whether units without a gold head count too, all of whose transitions are right.
            To learn from these alone would move the weights by what is rounded in their gradient.
    """
    units = [
        [
            unit for unit in tree_units(example, system, policy)
            if every_unit or is_annotated(unit, example, system)
        ]
        for example in examples
    ]
    sentences = [unit for of_example in units for unit in of_example]
    has_root = system.parameters.root != "none"
    return GoldBatch(
        unit_rows(examples, units), tree_arrays(sentences, label_indices(system), has_root)
    )


def is_annotated(unit: GoldSentence, example: Example, system: TransitionSystem) -> bool:
    """Whether a unit has gold heads, or gold boundaries for a system that finds them."""
    return bool((unit.heads != MISSING).any()) or (
        system.parameters.segment and has_boundaries(example.reference))


def graph_batch(examples: Sequence[Example], system: TransitionSystem) -> GoldBatch:
    """The gold graphs of Examples."""
    units = [list(gold_graphs(example)) for example in examples]
    graphs = [unit for of_example in units for unit in of_example]
    return GoldBatch(unit_rows(examples, units), graph_arrays(graphs, label_indices(system)))


def tree_units(example: Example, system: TransitionSystem, policy: str) -> list[GoldSentence]:
    """The gold trees by units: sentences, or the whole Doc if the system finds boundaries."""
    sentences = list(gold_sentences(example))
    learnt = [apply_policy(sentence, policy, system) for sentence in sentences]
    if not system.parameters.segment or not sentences:
        return [sentence for sentence in learnt if sentence is not None]
    return [join([new or without_tree(old) for new, old in zip(learnt, sentences)])]


def unit_rows(
    examples: Sequence[Example], units: Sequence[Sequence[GoldSentence | GoldGraph]]
) -> NDArray:
    """The rows of the words among the vectors of all tokens, given the units of each Example."""
    nothing = numpy.zeros((0,), dtype="i")
    words = [
        numpy.concatenate([nothing, *(unit.words for unit in of_example)]) for of_example in units
    ]
    return word_rows([example.predicted for example in examples], words)


def label_indices(system: TransitionSystem) -> dict[str, int]:
    """The index of each label in the system."""
    return {label: i for i, label in enumerate(system.labels)}
