"""Supertags: what a word is in its tree, as one symbol.

After Ouchi, Duh & Matsumoto (2014, section 2): the label and the direction of the head; here also
the head's UPOS.
"""

from spacy.training import Example

from . import MISSING
from .trees import aligned_tree


def supertags(example: Example) -> list[str | None]:
    """The supertag of each predicted token, None where its head or label is missing.

    "nsubj>VERB" is a subject whose head, a verb, comes after it. A root has its label alone.
    """
    heads, labels, _ = aligned_tree(example)
    upos = example.get_aligned("POS", as_string=True)
    return [
        supertag(i, int(head), label, upos[head])
        for i, (head, label) in enumerate(zip(heads, labels, strict=True))
    ]


def supertag(word: int, head: int, label: str, head_upos: str | None) -> str | None:
    """The supertag of one word, by the positions of word and head."""
    if head == MISSING or not label:
        return None
    if head == word:
        return label
    return f"{label}{'<' if head < word else '>'}{head_upos or ''}"
