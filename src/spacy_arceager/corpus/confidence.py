"""How sure the parser is of each arc: `token._.arceager_confidence` and what goes with it.

A Doc has them where its parser was asked for them (`confidence`):
- `token._.arceager_confidence`: how likely the head is right, 0 to 1, None where nothing is known;
- `token._.arceager_label_confidence`: how likely the label is, if the head is;
- `span._.arceager_confidence`: of a sentence, the geometric mean of both together over its words,
  so that sentences of any length can be compared.
"""

import math
from collections.abc import Sequence

from spacy.tokens import Doc, Span, Token

from .extensions import is_set

HEADS = "arceager_confidences"
LABELS = "arceager_label_confidences"
TINIEST = 5e-324    # in place of 0, whose logarithm is none


def of_token(name: str, token: Token) -> float | None:
    """The value of a token; name: of the Doc's list of them."""
    values = token.doc._.get(name)
    return values[token.i] if values else None


def of_span(span: Span) -> float | None:
    """The geometric mean over the words of a span; None where nothing is known of them."""
    heads, labels = span.doc._.get(HEADS), span.doc._.get(LABELS)
    if not heads:
        return None
    products = [
        heads[i] * labels[i] for i in range(span.start, span.end) if heads[i] is not None
    ]
    if not products:
        return None
    return math.exp(sum(math.log(value or TINIEST) for value in products) / len(products))


def set_confidences(
    doc: Doc, words: Sequence[int], heads: Sequence[float], labels: Sequence[float]
) -> None:
    """Give the words of a Doc their values; its other tokens have none.

    Args:
        words: token indices.
        heads: (n_words,).
        labels: (n_words,).
    """
    for name, values in ((HEADS, heads), (LABELS, labels)):
        of_tokens: list[float | None] = [None] * len(doc)
        for word, value in zip(words, values):
            of_tokens[word] = value
        doc._.set(name, of_tokens)


def forget_confidences(doc: Doc) -> None:
    """Take away the values of an earlier parse."""
    if is_set(doc, HEADS):
        doc._.set(HEADS, None)
        doc._.set(LABELS, None)


if not Doc.has_extension(HEADS):
    Doc.set_extension(HEADS, default=None)
    Doc.set_extension(LABELS, default=None)
    Token.set_extension("arceager_confidence", getter=lambda token: of_token(HEADS, token))
    Token.set_extension(
        "arceager_label_confidence", getter=lambda token: of_token(LABELS, token)
    )
    Span.set_extension("arceager_confidence", getter=of_span)
