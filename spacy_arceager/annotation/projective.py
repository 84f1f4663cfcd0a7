"""Crossing arcs are lifted so that a tree is projective, and labels mark which arcs were lifted.

This is pseudo-projective parsing with the scheme HEAD (Nivre and Nilsson 2005): a lifted arc gets
the label `label||label of its former head`. Only this module uses spaCy's private module for it.
"""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray
from spacy.pipeline._parser_internals import nonproj
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ..trees.algorithms import lift


def is_decorated(label: str) -> bool:
    """Whether a label marks a lifted arc."""
    return nonproj.is_decorated(label)


def is_label(label: str) -> bool:
    """Whether a label has no mark, or one mark between two labels.

    No label begins or ends with a part of the mark.
    """
    parts = label.split(nonproj.DELIMITER)
    return len(parts) <= 2 and all(part and part.strip("|") == part for part in parts)


def undecorated(label: str) -> str:
    """The label without the mark of a lifted arc."""
    return nonproj.decompose(label)[0]


def former_head_label(label: str) -> str:
    """The label of the former head, which the label of a lifted arc names."""
    return nonproj.decompose(label)[1]


def projectivize(
    heads: NDArray[numpy.int32], labels: Sequence[str]
) -> tuple[NDArray[numpy.int32], list[str]]:
    """Lift arcs of a tree until it is projective, and mark their labels.

    Args:
        heads: (n_words,), from 0; the root is its own head.
        labels: (n_words,).

    Returns:
        The new heads and labels. A lifted arc gets no mark if its label or the label of its former
        head is missing. A tree of thousands of words whose arcs cross too often (see
        `trees.algorithms.lift`) stays as it is.

    Raises:
        ValueError: If the heads are no tree.
    """
    try:
        lifted = lift(heads)
    except OverflowError:
        return heads, list(labels)
    marked = list(labels)
    for word in numpy.flatnonzero(lifted != heads).tolist():
        if labels[word] and labels[heads[word]]:
            marked[word] = f"{labels[word]}{nonproj.DELIMITER}{labels[heads[word]]}"
    return lifted, marked


def deprojectivize(doc: Doc) -> None:
    """Move the lifted arcs of a Doc back to the heads that their labels name, and drop the marks.

    Afterwards `tokens.close_sentences` must set children counts and edges of subtrees anew.
    """
    nonproj.deprojectivize(doc)


def deprojectivized(
    vocab: Vocab, heads: NDArray[numpy.int32], labels: Sequence[str]
) -> tuple[NDArray[numpy.int32], list[str]]:
    """Heads and labels of one sentence, (n_words,), as `deprojectivize` makes them in a Doc."""
    doc = Doc(vocab, words=["_"] * len(labels), heads=heads.tolist(), deps=list(labels))
    deprojectivize(doc)
    return numpy.asarray([token.head.i for token in doc], "i"), [token.dep_ for token in doc]
