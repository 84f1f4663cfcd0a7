"""Read the documents that a command works on: text, JSON lines, CoNLL-U or spaCy's Docs."""

# Not srsly: it cuts the decimals of numbers, which are to come out as they came in.
import json
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from ..corpus.errors import InputError
from .messages import fail, report_error

if TYPE_CHECKING:
    from spacy import Vocab
    from spacy.tokens import Doc

    from ..corpus.files import Line


class InputFormat(str, Enum):
    """How an input is read; compressed by gzip, bzip2 or xz or not, but for spacy.

    text: a document a line; blank lines are skipped.
    jsonl: a JSON object a line, the document under the key "text".
    conllu: CoNLL-U; a document a sentence. Tokens and sentence boundaries are those
        of the file, its annotation is left out, right or wrong.
    spacy: a binary file of spaCy's Docs. As of CoNLL-U, tokens and boundaries are kept.
    """

    text = "text"
    jsonl = "jsonl"
    conllu = "conllu"
    spacy = "spacy"


class Document(NamedTuple):
    """A text, or a Doc where tokens are given; record: what else its JSON object held."""

    text: "str | Doc"
    record: dict[str, Any]


FORMAT_OF_ENDING = {
    ".jsonl": InputFormat.jsonl,
    ".conllu": InputFormat.conllu,
    ".spacy": InputFormat.spacy,
}
COMPRESSED = (".gz", ".bz2", ".xz")


def detect_format(path: Path | None) -> InputFormat:
    """The format that a file's ending stands for: text if it is not known."""
    endings = [ending.lower() for ending in path.suffixes] if path else []
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    return FORMAT_OF_ENDING.get(endings[-1] if endings else "", InputFormat.text)


class Documents:
    """The documents of an input, one by one.

    A line or sentence that cannot be used is reported and left out; an input that cannot be
    opened ends the command.

    path: a file in UTF-8; None reads stdin.
    count: documents so far, faulty ones too.
    """

    def __init__(self, path: Path | None, input_format: InputFormat, vocab: "Vocab") -> None:
        self.path = path
        self.input_format = input_format
        self.vocab = vocab
        self.count = 0

    def __iter__(self) -> Iterator[Document]:
        for item in self._read():
            self.count += 1
            if isinstance(item, InputError):
                report_error("Cannot read a document.", str(item))
            else:
                yield item

    def _read(self) -> Iterator[Document | InputError]:
        from ..corpus.spacy_files import read_docs

        try:
            if self.input_format is InputFormat.spacy and self.path:
                docs = read_docs(self.path, self.vocab)
                yield from (Document(_to_parse(doc), {}) for doc in docs)
            else:
                yield from self._parse(self._lines())
        except OSError as error:
            fail("Cannot read the input.", f"{self.path or 'stdin'}: {error}")
        except InputError as error:
            # What came before the damage is kept.
            yield error

    def _lines(self) -> Iterator["Line"]:
        from ..corpus.files import read_file_lines, read_lines

        if self.path is None:
            return read_lines(typer.get_binary_stream("stdin"), "stdin")
        return read_file_lines(self.path)

    def _parse(self, lines: Iterable["Line"]) -> Iterator[Document | InputError]:
        if self.input_format is InputFormat.conllu:
            return self._parse_conllu(lines)
        parse = parse_json if self.input_format is InputFormat.jsonl else _parse_text
        return (parse(line) for line in lines if line.text.strip())

    def _parse_conllu(self, lines: Iterable["Line"]) -> Iterator[Document | InputError]:
        from ..corpus.conllu import ConlluSentence, read_texts, sentence_to_doc

        for item in read_texts(lines):
            if isinstance(item, ConlluSentence):
                yield Document(_to_parse(sentence_to_doc(self.vocab, item)), {})
            else:
                yield item


def _to_parse(doc: "Doc") -> "Doc":
    """A Doc with the same tokens and sentence boundaries, if there are any."""
    from ..corpus.conllu import without_annotation

    copy = without_annotation(doc)
    if doc.has_annotation("SENT_START"):
        for old, new in zip(doc, copy):
            new.is_sent_start = bool(old.is_sent_start)
    return copy


def _parse_text(line: "Line") -> Document | InputError:
    return Document(line.text, {}) if line.is_utf8 else _not_utf8(line)


def parse_json(line: "Line") -> Document | InputError:
    """The document of a line of JSON, or what is wrong with it."""
    if not line.is_utf8:
        return _not_utf8(line)
    try:
        record = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        return line.error(f"not JSON: {error}", "Write a JSON object a line")
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        return line.error("no JSON object with a text", 'Write {"text": "..."}')
    return Document(record.pop("text"), record)


def _not_utf8(line: "Line") -> InputError:
    return line.error("the text is not UTF-8", "Convert the file to UTF-8")
