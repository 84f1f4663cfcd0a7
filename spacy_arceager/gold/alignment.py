"""The words that the two Docs of an Example have in common."""

from collections.abc import Iterable

from spacy.tokens import Token
from spacy.training import Example


def one_to_one(example: Example, words: Iterable[Token]) -> dict[int, int]:
    """The gold index of each predicted word that has exactly the same characters in both Docs."""
    x2y, y2x = example.alignment.x2y, example.alignment.y2x
    singles = [(word.i, int(x2y[word.i][0])) for word in words if len(x2y[word.i]) == 1]
    return {i: gold_i for i, gold_i in singles if len(y2x[gold_i]) == 1}
