"""Which words of the two Docs of an Example are the same."""

from collections.abc import Iterable

from spacy.tokens import Token
from spacy.training import Example


def one_to_one(example: Example, words: Iterable[Token]) -> dict[int, int]:
    """Return gold index by predicted index, for words of exactly the same characters."""
    x2y, y2x = example.alignment.x2y, example.alignment.y2x
    singles = [(word.i, int(x2y[word.i][0])) for word in words if len(x2y[word.i]) == 1]
    return {i: gold_i for i, gold_i in singles if len(y2x[gold_i]) == 1}
