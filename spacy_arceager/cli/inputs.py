"""Read the documents that a command works on: text, JSON lines, CoNLL-U or spaCy's Docs."""

# Not srsly: it cuts the decimals of numbers, which are to come out as they came in.
import json
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from ..corpus.errors import InputError
from ..corpus.files import COMPRESSED, Line, read_file_lines, read_lines
from ..processes.documents import Document, Tokens
from .messages import report_error


class InputFormat(str, Enum):
    """How an input is read; compressed by gzip, bzip2, xz, Zstandard or not, but for spacy.

    Attributes:
        text: a document a line; blank lines are skipped.
        jsonl: a JSON object a line, the document under the key "text".
        conllu: CoNLL-U; a document a sentence. Tokens and sentence boundaries are those of the
            file, its annotation is left out, right or wrong.
        spacy: a binary file of spaCy's Docs. As of CoNLL-U, tokens and boundaries are kept.
    """

    text = "text"
    jsonl = "jsonl"
    conllu = "conllu"
    spacy = "spacy"


InputOption = Annotated[
    list[Path],
    typer.Option(
        "--input",
        "-i",
        help="File to parse, in UTF-8, compressed or not (.gz, .bz2, .xz, .zst), or a folder "
        "of files. Can be given several times.",
    ),
]
InputFormatOption = Annotated[
    InputFormat | None,
    typer.Option(
        help="text: a document a line, blank lines skipped. jsonl: a JSON object "
        'a line, the document under the key "text". conllu: a document a sentence, '
        "with the tokens of the file and new annotation. spacy: a file of spaCy's Docs, "
        "likewise. By default, the ending of the input file decides.",
    ),
]

FORMAT_OF_ENDING = {
    ".jsonl": InputFormat.jsonl,
    ".conllu": InputFormat.conllu,
    ".spacy": InputFormat.spacy,
}


def detect_format(path: Path | None) -> InputFormat:
    """The format that a file's ending stands for: text if it is not known."""
    endings = [ending.lower() for ending in path.suffixes] if path else []
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    return FORMAT_OF_ENDING.get(endings[-1] if endings else "", InputFormat.text)


class Documents:
    """The documents of some inputs, one by one.

    A line or sentence that cannot be used is reported and left out, and so is an input that
    cannot be read.

    Args:
        paths: files in UTF-8; None reads stdin.
        input_format: of all; None: by their endings.
        partial: of CoNLL-U, the heads and labels that are given are to be kept.

    Attributes:
        count: documents so far, faulty ones too.
        unreadable: places in `paths` of inputs that could not be read to their end.
    """

    def __init__(
        self, paths: Sequence[Path | None], input_format: InputFormat | None, partial: bool = False
    ) -> None:
        self.paths = paths
        self.input_format = input_format
        self.partial = partial
        self.count = 0
        self.unreadable: set[int] = set()

    def __iter__(self) -> Iterator[Document]:
        for file, path in enumerate(self.paths):
            for item in self._read(file, path):
                self.count += 1
                if isinstance(item, InputError):
                    report_error("Cannot read a document.", str(item))
                else:
                    yield item

    def _read(self, file: int, path: Path | None) -> Iterator[Document | InputError]:
        try:
            input_format = self.input_format or detect_format(path)
            if input_format is InputFormat.spacy and path:
                yield from _read_docs(file, path)
            elif input_format is InputFormat.conllu:
                read = _read_partial_trees if self.partial else _read_words
                yield from read(file, _read_input(path))
            else:
                parse = parse_json if input_format is InputFormat.jsonl else _parse_text
                yield from (
                    parse(line, file) for line in _read_input(path) if line.text.strip()
                )
        except OSError as error:
            self.unreadable.add(file)
            report_error("Cannot read the input.", f"{path or 'stdin'}: {error}")
        except InputError as error:
            # What came before the damage is kept.
            yield error


def _read_input(path: Path | None) -> Iterator[Line]:
    if path is None:
        return read_lines(typer.get_binary_stream("stdin"), "stdin")
    return read_file_lines(path)


def _read_docs(file: int, path: Path) -> Iterator[Document]:
    from spacy.vocab import Vocab

    from ..corpus.spacy_files import read_docs

    for number, doc in enumerate(read_docs(path, Vocab()), 1):
        yield Document(Tokens.of(doc), {}, f"{path}, document {number}", file)


def _read_partial_trees(file: int, lines: Iterable[Line]) -> Iterator[Document | InputError]:
    from ..corpus.conllu import given_arcs, read_partial_trees

    for item in read_partial_trees(lines):
        if isinstance(item, InputError):
            yield item
        else:
            yield Document(item, {}, "", file, given_arcs(item))


def _read_words(file: int, lines: Iterable[Line]) -> Iterator[Document | InputError]:
    from ..corpus.conllu import read_texts

    for item in read_texts(lines):
        yield item if isinstance(item, InputError) else Document(item, {}, "", file)


def _parse_text(line: Line, file: int = 0) -> Document | InputError:
    if line.fault:
        return line.error(*line.fault)
    return Document(line.text, {}, line.place, file)


def parse_json(line: Line, file: int = 0) -> Document | InputError:
    """The document of a line of JSON, or what is wrong with it."""
    if line.fault:
        return line.error(*line.fault)
    try:
        record = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        return line.error(f"not JSON: {error}", "Write a JSON object a line")
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        return line.error("no JSON object with a text", 'Write {"text": "..."}')
    return Document(record.pop("text"), record, line.place, file)
