"""Drawings of trees, for people to read."""

from typing import TYPE_CHECKING

from ..document import Record
from ..rows import TreeFormat

if TYPE_CHECKING:
    from spacy.tokens import Doc


def draw(doc: "Doc", _: Record) -> str:
    """The drawings of the sentences of a Doc."""
    from ...visual import render_tree

    return render_tree(doc) + "\n\n"


def draw_ascii(doc: "Doc", _: Record) -> str:
    """The same with ASCII characters."""
    from ...visual import render_tree

    return render_tree(doc, ascii=True) + "\n\n"


TREE = TreeFormat("tree", ".txt", "Drawings of the trees, for people to read.", draw, draw_ascii)
