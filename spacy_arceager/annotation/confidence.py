"""How sure the parser is of each arc: `token._.arceager_confidence` and what goes with it.

A Doc has confidences if the setting `confidence` of its parser is true:
- `token._.arceager_confidence`: how likely the head is right, 0 to 1, None where nothing is known;
- `token._.arceager_label_confidence`: how likely the label is right if the head is right;
- `span._.arceager_confidence`: how likely a word of the span has both right, as the geometric mean
  over the words, so that sentences of any length can be compared.

The values of tokens are stored as spaCy stores extensions of tokens, by the character at which the
token starts. So they stay with their token where a Doc is cut, joined, retokenised or saved.
"""

import math
from collections.abc import Iterable, Sequence

from spacy.tokens import Doc, Span, Token

from ..search.derivation import TINIEST
from .user_data import extension_of, key_of

HEAD = "arceager_confidence"
LABEL = "arceager_label_confidence"


def values_of(tokens: Doc | Span, name: str) -> list[float | None] | None:
    """The confidences of some tokens by HEAD or LABEL; None where no token has one."""
    data = (tokens if isinstance(tokens, Doc) else tokens.doc).user_data
    if name not in map(extension_of, data):
        return None
    values = [data.get(key_of(name, token.idx)) for token in tokens]
    return None if values.count(None) == len(values) else values


def of_span(span: Span) -> float | None:
    """The confidence of a span, see above; None where nothing is known of its words."""
    heads, labels = values_of(span, HEAD), values_of(span, LABEL)
    if heads is None or labels is None:
        return None
    products = [
        head * label for head, label in zip(heads, labels)
        if head is not None and label is not None
    ]
    if not products:
        return None
    return math.exp(sum(math.log(value or TINIEST) for value in products) / len(products))


def set_confidences(
    doc: Doc, words: Iterable[int], heads: Sequence[float], labels: Sequence[float]
) -> None:
    """Give the words of a Doc their confidences; white space has none.

    Args:
        words: the token indices of the words.
        heads: (n_words,) how likely each head is right.
        labels: (n_words,) how likely each label is right.
    """
    forget_confidences(doc)
    for word, head, label in zip(words, heads, labels):
        doc.user_data[key_of(HEAD, doc[word].idx)] = head
        doc.user_data[key_of(LABEL, doc[word].idx)] = label


def forget_confidences(doc: Doc) -> None:
    """Take away the confidences of an earlier parse."""
    if not doc.user_data:
        return
    stale = [key for key in doc.user_data if extension_of(key) in (HEAD, LABEL)]
    for key in stale:
        del doc.user_data[key]


Token.set_extension(HEAD, default=None, force=True)
Token.set_extension(LABEL, default=None, force=True)
Span.set_extension(HEAD, getter=of_span, force=True)
