"""The derivations that a model took, each with the gold tree of its sentence."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from spacy.training import Example

from ..decoding.decoder import ScoredDerivation
from ..gold import MISSING
from ..gold.trees import aligned_tree
from ..search.derivation import ScoredStep


class DerivedSentence(NamedTuple):
    """How a model derived a sentence, and its gold tree.

    Attributes:
        steps: all transitions, also those to which there was no alternative.
        heads: the gold head of each word, counted from the sentence's first word; a root is its own
            head; -1 where the head is missing or lies outside the sentence.
        labels: the gold label of each word, "" where it is missing.
    """

    steps: list[ScoredStep]
    heads: list[int]
    labels: list[str]


def beside_gold(
    examples: Iterable[Example], derivations: Iterable[Sequence[ScoredDerivation]]
) -> Iterator[DerivedSentence]:
    """The derivations of the predicted Docs of Examples, beside the gold trees.

    Args:
        derivations: the derivations of each Doc, as `ArcEagerParser.derivations` gives them.
    """
    for example, of_doc in zip(examples, derivations, strict=True):
        heads, labels, _ = aligned_tree(example)
        for derivation in of_doc:
            place = {token: i for i, token in enumerate(derivation.words)}
            yield DerivedSentence(
                derivation.steps,
                [place.get(int(heads[token]), MISSING) for token in derivation.words],
                [labels[token] for token in derivation.words],
            )
