"""Drawings of trees, laid out as the arcs of derivations are."""

from collections.abc import Sequence

from ..systems.catalogue import find_system
from ..visual.figure import draw
from ..visual.text import printable
from ..visual.trace import ROOT_NAME, Arc, Derivation, Step, name_words
from ..visual.view import View
from .schema import Drawing, DrawnArc, DrawnWord

# Words stand in their order, without an artificial root.
PLAIN = find_system("arc_eager")


def draw_tree(
    indices: Sequence[int],
    words: Sequence[str],
    heads: Sequence[int],
    labels: Sequence[str],
    *,
    down: bool,
) -> Drawing:
    """Draw the tree of a sentence.

    Args:
        indices: the index of each word in its text.
        heads: the index of each word's head in its text. A root is its own head.
        down: whether words run down the page.
    """
    place = {index: i for i, index in enumerate(indices)}
    tree = [place[head] for head in heads]
    arcs = [Arc(head, word, labels[word]) for word, head in enumerate(tree) if head != word]
    step = Step("", None, [], [], False, [], [], arcs, [])
    figure = draw(
        View(
            "", "", PLAIN, [*map(printable, words), ROOT_NAME], name_words(words),
            Derivation([step], tree), [[]], [0], None, "",
        ),
        down=down,
    )
    return Drawing(
        width=figure.width, height=figure.height, anchor=figure.anchor,
        words=[
            DrawnWord(index=indices[word.node], x=word.x, y=word.y, text=word.text)
            for word in figure.words
        ],
        arcs=[
            DrawnArc(
                word=indices[arc.dependent], head=indices[arc.head], label=arc.label or "",
                line=shape.path, tip=shape.head, x=shape.x, y=shape.y,
            )
            for arc, shape in zip(arcs, figure.arcs, strict=True)
        ],
    )
