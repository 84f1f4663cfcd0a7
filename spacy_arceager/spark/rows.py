"""Turns a parsed Doc into rows of a table."""

from dataclasses import dataclass
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from ..annotation.confidence import HEAD, LABEL, values_of
from ..annotation.layout import sentences_of
from ..formats.document import Record, Writer
from ..formats.trees.conllu import to_conllu
from ..pipe.component import find_parser
from .schema import Rows

Row = dict[str, Any]


@dataclass(frozen=True)
class RowWriting:
    """How documents are turned into rows.

    Attributes:
        confidence: write how likely each head and label is right.
    """

    rows: Rows
    confidence: bool = False

    def __call__(self, nlp: Language) -> Writer[list[Row]]:
        """The function that turns documents into rows.

        Raises:
            ValueError: If confidences are asked for, and no arceager_parser can give them.
        """
        if self.confidence:
            find_parser(nlp)[0].confidence = True
        return self.write

    def write(self, doc: Doc, record: Record) -> list[Row]:
        """The rows of a parsed document; see `Rows`.

        Raises:
            ValueError: If the document cannot be written in UTF-8 or CoNLL-U.
        """
        doc.text.encode()
        if self.rows is Rows.conllu:
            return [{"conllu": to_conllu(doc, record)}]
        spans = list(sentences_of(doc))
        if self.rows is Rows.document:
            starts = [span.start for span in spans]
            return [{"text": doc.text, "sentences": starts, **word_columns(doc[:])}]
        return [
            {
                "sentence": number,
                "start": span.start_char,
                "end": span.end_char,
                "text": span.text,
                **word_columns(span),
            }
            for number, span in enumerate(spans)
        ]


def word_columns(span: Span) -> Row:
    """The columns of WORDS for the words of a span. Heads are counted from its start."""
    tokens = list(span)
    return {
        "words": [token.text for token in tokens],
        "offsets": [token.idx for token in tokens],
        "lemmas": [token.lemma_ for token in tokens],
        "upos": [token.pos_ for token in tokens],
        "xpos": [token.tag_ for token in tokens],
        "feats": [str(token.morph) for token in tokens],
        "heads": [-1 if t.head.i == t.i else t.head.i - span.start for t in tokens],
        "labels": [token.dep_ for token in tokens],
        "head_confidences": values_of(span, HEAD),
        "label_confidences": values_of(span, LABEL),
    }
