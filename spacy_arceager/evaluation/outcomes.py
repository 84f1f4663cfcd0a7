"""Which words a parser got right, one by one, as the tests of significance need it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from spacy.training import Example

from ..errors import unknown_name
from .ud import MEASURES, AlignedParse, align_parses


class DifferentWordsError(ValueError):
    """Two parses that are compared have other gold words."""


@dataclass(frozen=True)
class Outcomes:
    """Which gold words a parser got right, punctuation counted.

    Attributes:
        right: (n_words,) bools.
        sentence: (n_words,) ints, the sentence of each word, counted from 0.
    """

    right: NDArray[numpy.bool_]
    sentence: NDArray[numpy.int64]

    @property
    def accuracy(self) -> float:
        """Share (0 to 1) of the words that are right; nan without words."""
        return float(self.right.mean()) if self.right.size else float("nan")


def find_outcomes(examples: Iterable[Example], measure: str = "las") -> Outcomes:
    """Find out for each annotated gold word of parsed Examples whether its parse is right.

    Args:
        measure: "uas" (heads), "las" (heads, and labels up to the colon, as the official UD
            evaluation counts them) or "las_full" (heads and full labels).

    Raises:
        ValueError: For another measure.
    """
    if measure not in MEASURES:
        raise ValueError(unknown_name(f"measure='{measure}'", measure, MEASURES))
    right: list[bool] = []
    sentence: list[int] = []
    n_sentences = 0
    for example in examples:
        parse = align_parses(example)
        for words in parse.sentences:
            right.extend(is_right(parse, word, measure) for word in words)
            sentence.extend([n_sentences] * len(words))
            n_sentences += 1
    return Outcomes(numpy.asarray(right, dtype=bool), numpy.asarray(sentence, dtype="int64"))


def is_right(parse: AlignedParse, word: int, measure: str) -> bool:
    """Whether a gold word, given by its index, is parsed rightly by this measure."""
    key, predicted = MEASURES[measure], parse.predicted.get(word)
    return predicted is not None and key(predicted) == key(parse.gold[word])


def check_same_words(first: Outcomes, second: Outcomes) -> None:
    """Raise DifferentWordsError where two parses are not of the same gold words."""
    if not numpy.array_equal(first.sentence, second.sentence):
        raise DifferentWordsError(
            f"The two parses are of different texts: {first.right.size} words in "
            f"{count_sentences(first)} sentences, and {second.right.size} in "
            f"{count_sentences(second)}. Compare parses of one treebank"
        )


def count_sentences(outcomes: Outcomes) -> int:
    """The number of sentences that have annotated words."""
    return int(outcomes.sentence[-1]) + 1 if outcomes.sentence.size else 0


def count_words(outcomes: Outcomes) -> NDArray[numpy.int64]:
    """How many annotated words each sentence has: (n_sentences,)."""
    return numpy.bincount(outcomes.sentence, minlength=count_sentences(outcomes))


def count_by_sentence(outcomes: Outcomes) -> NDArray[numpy.int64]:
    """How many words of each sentence are right: (n_sentences,)."""
    return numpy.bincount(
        outcomes.sentence, weights=outcomes.right, minlength=count_sentences(outcomes)
    ).astype("int64")
