"""How right parsers are on and around crossing arcs, for words of several kinds.

python -m replication.crossing DEV_CONLLU NAME=PIPELINE[,PIPELINE...] [NAME=PIPELINE ...]

Several pipelines with commas are seeds of one training, of which the mean is shown: UD LAS in
percent. A crossing arc is a non-projective one, whose head does not dominate all words between.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy
import typer
from numpy.typing import NDArray

from spacy_arceager.evaluation.outcomes import find_outcomes
from spacy_arceager.trees.algorithms import crossing_arcs, non_projective_arcs

from .tables import as_markdown
from .trainings import parse_dev

PROJECTIVE = "in projective sentences"
CHILD = "a child of a word on a crossing arc"
OTHER = "other words of non-projective sentences"
SIDES = ("left of its head", "right of its head")
DEPENDENT, HEAD, CROSSED = (
    [f"{kind}, {side}" for side in SIDES]
    for kind in (
        "the dependent of a crossing arc", "the head of a crossing arc",
        "its arc crosses such an arc",
    )
)
KINDS = [PROJECTIVE, *DEPENDENT, *HEAD, *CROSSED, CHILD, OTHER]


def main(
    dev: Annotated[Path, typer.Argument(help="CoNLL-U with complete trees")],
    parsers: Annotated[list[str], typer.Argument(help="NAME=PIPELINE[,PIPELINE...]")],
) -> None:
    """Print a table: the kinds of words, how many there are, and each parser's LAS."""
    columns, kinds = {}, numpy.empty(0)
    for item in parsers:
        name, _, folders = item.partition("=")
        seeds = []
        for folder in folders.split(","):
            examples = parse_dev(Path(folder), dev).examples
            kinds = numpy.concatenate([
                find_kinds(numpy.asarray([token.head.i for token in one.reference], dtype="i"))
                for one in examples
            ])
            seeds.append(find_outcomes(examples).right)
        columns[name] = numpy.mean(seeds, axis=0)
    rows = [
        [KINDS[kind], f"{(kinds == kind).sum():,}",
         *(f"{100 * right[kinds == kind].mean():.1f}" for right in columns.values())]
        for kind in range(len(KINDS)) if (kinds == kind).any()
    ]
    print(as_markdown(["words", "number", *columns], rows))


def find_kinds(heads: NDArray[numpy.int32]) -> NDArray[numpy.int64]:
    """The kind of each word, by its place in KINDS, from the heads of a sentence.

    Args:
        heads: (n_words,) of each word, counted from 0; a root's is the word itself.
    """
    crossing = non_projective_arcs(heads)
    if not crossing:
        return numpy.zeros(len(heads), dtype="int64")
    arcs = [(word, int(heads[word])) for word in crossing]
    return numpy.asarray([
        KINDS.index(find_kind((word, int(head)), arcs)) for word, head in enumerate(heads)
    ])


def find_kind(arc: tuple[int, int], crossing: Sequence[tuple[int, int]]) -> str:
    """The kind of a word that has this arc, (word, head), in a sentence with crossing arcs."""
    word, head = arc
    if word == head:
        return OTHER
    side = int(head < word)
    if arc in crossing:
        return DEPENDENT[side]
    if any(word == other for _, other in crossing):
        return HEAD[side]
    if any(crossing_arcs([arc, other]).any() for other in crossing):
        return CROSSED[side]
    return CHILD if any(head in other for other in crossing) else OTHER


if __name__ == "__main__":
    typer.run(main)
