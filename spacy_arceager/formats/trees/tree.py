"""Drawings of trees for people to read."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..document import Record
from ..rows import TreeFormat

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..k_best import RankedTree


def draw(doc: "Doc", _: Record, ascii_only: bool = False) -> str:
    """The drawings of the sentences of a Doc."""
    from ...visual import render_tree

    return render_tree(doc, ascii=ascii_only) + "\n\n"


def draw_k_best(
    doc: "Doc", _: Record, sentences: "Iterable[Sequence[RankedTree]]", ascii_only: bool = False
) -> str:
    """The drawings of the best trees of each sentence, with their scores."""
    from ...visual import render_tree

    return "".join(
        f"# parse = {one.rank}/{len(trees)}\n"
        + "".join(f"# {name} = {score}\n" for name, score in one.scores.items())
        + render_tree(one.tree.to_doc(doc), ascii=ascii_only) + "\n\n"
        for trees in sentences for one in trees
    )


TREE = TreeFormat(
    "tree", ".txt", "Drawings of the trees for people to read.", draw, draw_k_best,
)
TREE = replace(TREE, in_ascii=replace(
    TREE, write=partial(draw, ascii_only=True), write_k_best=partial(draw_k_best, ascii_only=True),
))
