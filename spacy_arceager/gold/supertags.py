"""Supertags: symbols that say what a word is in its tree.

As in Ouchi, Duh and Matsumoto (2014, section 2), a supertag has the label of the word and the
direction of its head. Here it also has the UPOS of the head.
"""

from typing import cast

from spacy.training import Example

from ..annotation.tokens import same_words
from . import MISSING
from .trees import aligned_tree


def supertags(example: Example) -> list[str | None]:
    """The supertag of each predicted token, None where its head or label is missing.

    "nsubj>VERB" is a subject whose head, a verb, comes after it. A root has its label alone.
    """
    heads, labels, _ = aligned_tree(example)
    upos = aligned_upos(example)
    return [
        supertag(i, int(head), label, upos[head])
        for i, (head, label) in enumerate(zip(heads, labels, strict=True))
    ]


def aligned_upos(example: Example) -> list[str | None]:
    """The gold UPOS of each predicted token; None or "" where it has none."""
    if same_words(example.predicted, example.reference):    # an alignment takes time
        return [token.pos_ for token in example.reference]
    return cast(list[str | None], example.get_aligned("POS", as_string=True))


def supertag(word: int, head: int, label: str, head_upos: str | None) -> str | None:
    """The supertag of one word, whose head is given by its position."""
    if head == MISSING or not label:
        return None
    if head == word:
        return label
    return f"{label}{'<' if head < word else '>'}{head_upos or ''}"
