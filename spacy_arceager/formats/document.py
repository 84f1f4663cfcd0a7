"""A document that is to be parsed: a text, or words that are given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc

    from ..corpus.conllu import ConlluSentence

Value = TypeVar("Value")
# What a document comes with beside its text, by key.
Record = Mapping[str, Any]
NUMBER = "arceager_document"     # in the user data of a Doc: the number of its document
# What makes something of a parsed document, such as a text or rows of a table.
Writer = Callable[["Doc", Record], Value]


@dataclass(frozen=True)
class Tokens:
    """Words that are given, each with whether a space follows and a sentence starts there."""

    words: list[str]
    spaces: list[bool]
    starts: list[bool | int | None]
    user_data: dict

    @classmethod
    def of(cls, doc: "Doc") -> "Tokens":
        """Those of a Doc, without its annotation."""
        from ..corpus.conllu import without_annotation

        return cls(
            [token.text for token in doc],
            [bool(token.whitespace_) for token in doc],
            [bool(t.is_sent_start) if doc.has_annotation("SENT_START") else None for t in doc],
            without_annotation(doc).user_data,
        )


@dataclass(frozen=True)
class Document:
    """A text, or words where they are given.

    Attributes:
        record: what comes out again with the parse.
        place: file and line, for messages.
        file: which of several inputs it is from.
        number: in its input, from 1; 0 where it is alone.
        arcs: that its parse must have, see `annotation.fixed_arcs`.
    """

    text: "str | Tokens | ConlluSentence"
    record: Record
    place: str = ""
    file: int = 0
    number: int = 0
    arcs: Sequence[tuple] = ()

    @property
    def size(self) -> int:
        """About how many characters there are to parse."""
        if isinstance(self.text, str):
            return len(self.text)
        return 6 * len(self.text.words)

    @property
    def start(self) -> str:
        """A name for messages: the place and the first words."""
        from ..corpus.errors import LONGEST_QUOTE, quote

        if isinstance(self.text, str):
            start = self.text
        else:
            words = self.text.words[:LONGEST_QUOTE]
            start = " ".join(word if isinstance(word, str) else word.form for word in words)
        return f"{self.place}: {quote(start)}" if self.place else quote(start)


def make_doc(nlp: "Language", document: Document) -> "Doc":
    """The Doc of a document, with tokens and without annotation."""
    from spacy.tokens import Doc

    from ..annotation.fixed_arcs import NAME as FIXED_ARCS
    from ..corpus.conllu import sentence_to_doc

    text = document.text
    if isinstance(text, str):
        doc = nlp.make_doc(text)
        doc.user_data[NUMBER] = document.number
        return doc
    if not isinstance(text, Tokens):
        text = Tokens.of(sentence_to_doc(nlp.vocab, text))
    doc = Doc(nlp.vocab, text.words, text.spaces, sent_starts=text.starts)
    doc.user_data.update(text.user_data)
    doc.user_data[NUMBER] = document.number
    if document.arcs:
        doc._.set(FIXED_ARCS, list(document.arcs))
    return doc
