"""Trees with crossing arcs as projective ones whose labels say which arcs were lifted.

Pseudo-projective parsing, scheme HEAD (Nivre and Nilsson 2005): the label of a lifted arc is
`label||label of the head it had`. This is the one module that uses spaCy's own, private one.
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
    """Whether a label is one without a mark, or a mark between two such labels."""
    return not is_decorated(label) or (
        label.count(nonproj.DELIMITER) == 1 and all(nonproj.decompose(label))
    )


def undecorated(label: str) -> str:
    """The label without the mark of a lifted arc."""
    return nonproj.decompose(label)[0]


def projectivize(
    heads: NDArray[numpy.int32], labels: Sequence[str]
) -> tuple[NDArray[numpy.int32], list[str]]:
    """Lift arcs of a tree until it is projective, and mark their labels.

    Args:
        heads: (n_words,), from 0; the root is its own head.
        labels: (n_words,).

    Returns:
        The new heads and labels. A label is marked only if both labels that a mark needs are there.
        A tree of thousands of words whose arcs cross too often (see `trees.algorithms.lift`)
        stays as it is.

    Raises:
        ValueError: For what is no tree.
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
    """Give lifted arcs of a Doc the heads that their labels tell, and labels without marks.

    Children counts and edges of subtrees have to be set anew (`tokens.close_sentences`).
    """
    nonproj.deprojectivize(doc)


def deprojectivized(
    vocab: Vocab, heads: NDArray[numpy.int32], labels: Sequence[str]
) -> tuple[NDArray[numpy.int32], list[str]]:
    """Heads and labels of one sentence, (n_words,), as `deprojectivize` makes them in a Doc."""
    doc = Doc(vocab, words=["_"] * len(labels), heads=heads.tolist(), deps=list(labels))
    deprojectivize(doc)
    return numpy.asarray([token.head.i for token in doc], "i"), [token.dep_ for token in doc]
