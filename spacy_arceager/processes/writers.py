"""A parsed document as text: CoNLL-U, a drawing or a line of JSON; or how it is derived."""

# Not srsly: it cuts the decimals of numbers, which are to come out as they came in.
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from .batches import Writer
from .documents import Record

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc

    from ..pipe.derived import Derived

# Comments that CoNLL-U gives a meaning of its own.
RESERVED = ("text", "sent_id", "newdoc", "newpar")


class OutputFormat(str, Enum):
    """How parsed documents are written.

    Attributes:
        conllu: CoNLL-U. The id of a JSON object is the comment `newdoc id`, and what else it held
            are comments `key = value` there, if the key is a name.
        tree: drawings for people to read.
        json: a JSON object a line, as spaCy's `Doc.to_json` makes it. What else a JSON object held
            is in it too; where spaCy has the same key, under the key "input".
        derivation: the transitions of the parser, a line each, with their probabilities.
        html: the same as a page for a browser.
        svg: a drawing of one step.
    """

    conllu = "conllu"
    tree = "tree"
    json = "json"
    derivation = "derivation"
    html = "html"
    svg = "svg"

    @property
    def has_derivations(self) -> bool:
        """Whether it shows how the parser comes to its trees."""
        return self in (OutputFormat.derivation, OutputFormat.html, OutputFormat.svg)


@dataclass(frozen=True)
class TextFormat:
    """How documents are written.

    Attributes:
        ascii_only: draw with ASCII characters.
        confidence: say how likely each head and label is right, in CoNLL-U and JSON.
        needs_parser: refuse pipelines without an arceager_parser, who would lose given arcs.
        k_best: write so many trees of each sentence, in CoNLL-U and JSON; None is the parse alone.
    """

    output_format: OutputFormat
    ascii_only: bool = False
    confidence: bool = False
    k_best: int | None = None
    needs_parser: bool = False

    def __call__(self, nlp: "Language") -> Writer[Any]:
        """What writes the documents of a pipeline. Raises ValueError where they cannot be."""
        from ..pipe.derived import find_parser

        if self.needs_parser:
            find_parser(nlp)
        if self.output_format.has_derivations:
            return derivation_writer(nlp)
        if self.k_best is not None:
            return k_best_writer(nlp, self.k_best, self.output_format is OutputFormat.json)
        if self.confidence:
            find_parser(nlp)[0].confidence = True
        return choose_writer(self.output_format, self.ascii_only)


def choose_writer(output_format: OutputFormat, ascii_only: bool = False) -> Writer[str]:
    """The function that turns a parsed document, and its record, into text.

    It raises ValueError for a document that cannot be written, such as half a character.
    ascii_only: draw trees with ASCII characters.
    """
    to_text = to_json if output_format is OutputFormat.json else to_conllu
    if output_format is OutputFormat.tree:
        from ..visual import render_tree

        def to_text(doc: "Doc", record: Record) -> str:
            return render_tree(doc, ascii=ascii_only) + "\n\n"

    def write(doc: "Doc", record: Record) -> str:
        text = to_text(doc, record)
        text.encode()
        return text

    return write


def derivation_writer(nlp: "Language") -> Writer[list["Derived"]]:
    """A function that tells how the parser of a pipeline derives the sentences of a document.

    The parser and what comes behind it are disabled, so that documents arrive unparsed.

    Raises:
        ValueError: Where there is no arceager_parser.
    """
    from ..pipe.derived import derive_doc, find_parser

    parser, unused = find_parser(nlp)
    nlp.select_pipes(disable=unused)

    def write(doc: "Doc", _: Record) -> list["Derived"]:
        return derive_doc(parser, doc)

    return write


def k_best_writer(nlp: "Language", n_trees: int, as_json: bool) -> Writer[str]:
    """A function that writes the best trees of each sentence of a parsed document.

    Raises:
        ValueError: Where there is no arceager_parser, or one that builds graphs.
    """
    from ..pipe.derived import find_parser
    from .k_best import KBest

    found = KBest(find_parser(nlp)[0], n_trees)
    to_text = found.to_json if as_json else found.to_conllu

    def write(doc: "Doc", record: Record) -> str:
        text = to_text(doc, record)
        text.encode()
        return text

    return write


def to_json(doc: "Doc", record: Record, added: Record | None = None) -> str:
    """A Doc as a line of JSON, with its record. added: what else it is to have."""
    from ..annotation.confidence import HEAD, LABEL, values_of

    parsed = {**doc.to_json(), **(added or {})}
    for key, name in (("head_confidence", HEAD), ("label_confidence", LABEL)):
        for token, value in zip(parsed["tokens"], values_of(doc, name) or ()):
            token[key] = value
    hidden = {key: value for key, value in record.items() if key in parsed or key == "input"}
    kept = {key: value for key, value in record.items() if key not in hidden}
    combined = {**kept, **({"input": hidden} if hidden else {}), **parsed}
    return json.dumps(combined, ensure_ascii=False) + "\n"


def to_conllu(doc: "Doc", record: Record) -> str:
    """A Doc as CoNLL-U, with its record as comments."""
    from ..corpus.conllu import doc_to_conllu

    text = doc_to_conllu(doc)
    return "".join(comments_of(record)) + text if text else ""


def comments_of(record: Record) -> Iterator[str]:
    """A record as comments of CoNLL-U, with their line feeds."""
    for key, value in record.items():
        name = "newdoc id" if key == "id" else key
        if not key.isidentifier() or key in RESERVED:
            continue
        is_plain = isinstance(value, str) and value.isprintable()
        yield f"# {name} = {value if is_plain else json.dumps(value)}\n"
