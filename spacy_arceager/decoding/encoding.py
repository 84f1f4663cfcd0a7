"""The vectors of the words of Docs, which every search reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from numpy import float32
from numpy.typing import NDArray
from spacy.tokens import Doc
from thinc.api import Model

from ..annotation.layout import Layout, find_units, word_rows
from ..machine.rules import WordRules


@dataclass(frozen=True)
class Encoded:
    """Docs, their units, and the vectors of their words.

    Attributes:
        docs: the Docs, which no search changes.
        layouts: the units of each Doc, see `annotation.layout`.
        vectors: (n_words, width) the vectors of the words of all layouts, Doc after Doc.
        rules: what dependents these words may have; None for any.
        is_split: whether each unit is one sentence, also if the parser finds boundaries.
    """

    docs: Sequence[Doc]
    layouts: Sequence[Layout]
    vectors: NDArray
    rules: WordRules | None = None
    is_split: bool = False


def encode(
    model: Model[list[Doc], NDArray[float32]], docs: Sequence[Doc], segment: bool
) -> Encoded | None:
    """Run the token vectors of a model over Docs.

    Args:
        model: the whole model of a parser, which gives a vector to every token.
        segment: whether the parser finds sentence boundaries, so that a whole Doc is one unit.

    Returns:
        The Docs with the vectors of their words; None if no Doc has a word.
    """
    layouts = [find_units(doc, segment) for doc in docs]
    rows = word_rows(docs, [layout.words for layout in layouts])
    if not rows.size:
        return None
    return Encoded(docs, layouts, model.predict(list(docs))[rows])
