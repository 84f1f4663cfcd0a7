"""A document that is to be parsed: a text, or a list of words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc

    from ..corpus.conllu import ConlluSentence

Value = TypeVar("Value")
# The values that the input gives about a document besides its text, by their keys.
Record = Mapping[str, Any]
NUMBER = "arceager_document"     # the key in `doc.user_data` of the number of its document
# A function that turns a parsed document into a value, such as a text or the rows of a table.
Writer = Callable[["Doc", Record], Value]


@dataclass(frozen=True)
class Tokens:
    """The words of a document, with whether a space follows and whether a sentence starts."""

    words: list[str]
    spaces: list[bool]
    starts: list[bool | int | None]
    user_data: dict

    @classmethod
    def of(cls, doc: "Doc") -> "Tokens":
        """The words and sentence starts of a Doc, to be parsed as `without_annotation` says."""
        from ..corpus.conllu import without_annotation

        bare, has_starts = without_annotation(doc), doc.has_annotation("SENT_START")
        return cls(
            [token.text for token in doc],
            [bool(token.whitespace_) for token in bare],
            [token.is_sent_start if has_starts else None for token in doc],
            bare.user_data,
        )


@dataclass(frozen=True)
class Document:
    """A document that is to be parsed.

    Attributes:
        text: a text that is still to be split into words, or the words.
        record: values that are written together with the parse.
        place: file and line of the document, for messages.
        file: the index of its input, if there are several inputs.
        number: the number of the document in its input, counted from 1; 0 if it comes from none.
        arcs: arcs that its parse must have, see `annotation.fixed_arcs`.
    """

    text: "str | Tokens | ConlluSentence"
    record: Record
    place: str = ""
    file: int = 0
    number: int = 0
    arcs: Sequence[tuple] = ()

    @property
    def size(self) -> int:
        """About how many characters are to be parsed."""
        if isinstance(self.text, str):
            return len(self.text)
        return 6 * len(self.text.words)

    @property
    def start(self) -> str:
        """The name of the document in messages: its place and its first words."""
        from ..corpus.errors import LONGEST_QUOTE, quote

        if isinstance(self.text, str):
            start = self.text
        else:
            words = self.text.words[:LONGEST_QUOTE]
            start = " ".join(word if isinstance(word, str) else word.form for word in words)
        return f"{self.place}: {quote(start)}" if self.place else quote(start)


def make_doc(nlp: "Language", document: Document) -> "Doc":
    """The Doc of a document, which has tokens but no annotation yet."""
    from spacy.tokens import Doc

    from ..annotation.fixed_arcs import NAME as FIXED_ARCS
    from ..corpus.conllu import text_to_doc

    text = document.text
    if isinstance(text, str):
        doc = nlp.make_doc(text)
    elif isinstance(text, Tokens):
        doc = Doc(nlp.vocab, text.words, text.spaces, sent_starts=text.starts)
        doc.user_data.update(text.user_data)
    else:
        doc = text_to_doc(nlp.vocab, text)
    doc.user_data[NUMBER] = document.number
    if document.arcs:
        doc._.set(FIXED_ARCS, list(document.arcs))
    return doc
