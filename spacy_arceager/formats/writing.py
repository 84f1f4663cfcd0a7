"""How a job writes documents: a format, and what the pipeline is to do for it."""

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
        ascii_only: draw with ASCII characters.
        confidence: say how likely each head and label is right, in CoNLL-U and JSON.
        k_best: write so many trees of each sentence; None is the parse alone.
        needs_parser: refuse pipelines without an arceager_parser, which would ignore given arcs.
    """

    form: TreeFormat
    ascii_only: bool = False
    confidence: bool = False
    k_best: int | None = None
    needs_parser: bool = False

    def __call__(self, nlp: "Language") -> Writer[str]:
        """What writes the documents of a pipeline.

        What it returns raises ValueError for a document that cannot be written, such as half a
        character.

        Raises:
            ValueError: Where the pipeline's documents cannot be written like this.
        """
        from ..pipe.derived import find_parser

        if self.needs_parser:
            find_parser(nlp)
        if self.confidence:
            find_parser(nlp)[0].confidence = True
        to_text = self.form.write if self.k_best is None else self._k_best_writer(nlp, self.k_best)
        if self.ascii_only and self.form.write_ascii and self.k_best is None:
            to_text = self.form.write_ascii

        def write(doc: "Doc", record: Record) -> str:
            text = to_text(doc, record)
            text.encode()
            return text

        return write

    def _k_best_writer(self, nlp: "Language", n_trees: int) -> Writer[str]:
        from ..pipe.derived import find_parser
        from .k_best import KBest

        to_text = self.form.write_k_best
        if to_text is None:
            raise ValueError(f"The format {self.form} has no place for several trees")
        trees = KBest(find_parser(nlp)[0], n_trees)
        return lambda doc, record: to_text(doc, record, trees.find(doc))


@dataclass(frozen=True)
class DerivationWriting:
    """How the parser of a pipeline derives the sentences of documents."""

    def __call__(self, nlp: "Language") -> "Writer[list[Derived]]":
        """What finds the derivations of the documents of a pipeline.

        The parser and what comes behind it are disabled, so that documents arrive unparsed.

        Raises:
            ValueError: Where there is no arceager_parser.
        """
        from ..pipe.derived import derive_doc, find_parser

        parser, unused = find_parser(nlp)
        nlp.select_pipes(disable=unused)

        def write(doc: "Doc", _: Record) -> "list[Derived]":
            doc.text.encode()   # half a character can be written in no format
            return derive_doc(parser, doc)

        return write
