"""How a job writes documents: the format, and how the pipeline must be set up for it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .document import Record, Writer
from .rows import TreeFormat

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc

    from ..pipe.derived import Derived


@dataclass(frozen=True)
class TreeWriting:
    """How documents are written as trees.

    Attributes:
        form: the format.
        ascii_only: draw with ASCII characters.
        confidence: write how likely each head and label is right, in CoNLL-U and JSON.
        k_best: how many trees of each sentence are written; None writes the parse alone.
        needs_parser: refuse pipelines without an arceager_parser, because other parsers would
            ignore arcs that the input gives.
    """

    form: TreeFormat
    ascii_only: bool = False
    confidence: bool = False
    k_best: int | None = None
    needs_parser: bool = False

    def __call__(self, nlp: "Language") -> Writer[str]:
        """The writer for the documents of a pipeline.

        The writer raises ValueError for a document that cannot be written, for example because it
        has half a character (a lone surrogate).

        Raises:
            ValueError: If the documents of this pipeline cannot be written in this way.
        """
        from ..pipe.component import find_parser

        if self.needs_parser:
            find_parser(nlp)
        if self.confidence:
            find_parser(nlp)[0].confidence = True
        form = (self.ascii_only and self.form.in_ascii) or self.form
        to_text = form.write
        if self.k_best is not None:
            to_text = k_best_writer(nlp, form, self.k_best)

        def write(doc: "Doc", record: Record) -> str:
            text = to_text(doc, record)
            text.encode()
            return text

        return write


def k_best_writer(nlp: "Language", form: TreeFormat, n_trees: int) -> Writer[str]:
    """The writer of the best trees."""
    from ..pipe.component import find_parser
    from .k_best import KBest

    trees = KBest(find_parser(nlp)[0], n_trees)
    return lambda doc, record: form.write_k_best(doc, record, trees.find(doc))


def derivation_writer(nlp: "Language") -> "Writer[list[Derived]]":
    """The function that derives the sentences of a document.

    It disables the parser and all components after it, so that it gets unparsed documents.

    Raises:
        ValueError: If the pipeline has no arceager_parser.
    """
    from ..pipe.component import find_parser
    from ..pipe.derived import describe

    parser, unused = find_parser(nlp)
    nlp.select_pipes(disable=unused)

    def write(doc: "Doc", _: Record) -> "list[Derived]":
        doc.text.encode()   # no format can write half a character
        (derivations,) = parser.derivations([doc])
        return describe(parser.system, doc, derivations)

    return write
