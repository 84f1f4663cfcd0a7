"""Read the documents that a command works on: plain text, JSON lines or CoNLL-U."""

import json
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from .messages import fail

if TYPE_CHECKING:
    from spacy import Vocab
    from spacy.tokens import Doc


class InputFormat(str, Enum):
    """How an input is read.

    text: a document a line; blank lines are skipped.
    jsonl: a JSON object a line, the document under the key "text".
    conllu: CoNLL-U; a document a sentence. Tokens and sentence boundaries are those
        of the file, its annotation is left out.
    """

    text = "text"
    jsonl = "jsonl"
    conllu = "conllu"


FORMAT_OF_ENDING = {".jsonl": InputFormat.jsonl, ".conllu": InputFormat.conllu}


def detect_format(path: Path | None) -> InputFormat:
    """The format that a file's ending stands for: text if it is not known."""
    ending = path.suffix.lower() if path else ""
    return FORMAT_OF_ENDING.get(ending, InputFormat.text)


def read_documents(
    path: Path | None, input_format: InputFormat, vocab: "Vocab"
) -> Iterator["str | Doc"]:
    """Read documents one by one, as texts, or as `Doc`s where tokens are given.

    path: a file in UTF-8; None reads stdin.
    Input that cannot be read ends the command, with a message.
    """
    name = str(path) if path else "stdin"
    lines = _read_lines(path, name)
    if input_format is InputFormat.jsonl:
        yield from _read_jsonl(lines, name)
    elif input_format is InputFormat.conllu:
        yield from _read_conllu(lines, name, vocab)
    else:
        yield from (line for line in lines if line.strip())


def _read_lines(path: Path | None, name: str) -> Iterator[str]:
    """The lines of a file, without their ends."""
    try:
        with _open(path) as stream:
            for line in stream:
                yield line.rstrip("\n")
    except (OSError, UnicodeDecodeError) as error:
        fail("Cannot read the input.", f"{name}: {error}")


def _open(path: Path | None) -> TextIO:
    # utf-8-sig: some editors mark UTF-8 files with a first character of their own.
    if path is None:
        return typer.get_text_stream("stdin", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _read_jsonl(lines: Iterable[str], name: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read_json_text(line, f"{name}, line {number}")


def _read_json_text(line: str, place: str) -> str:
    try:
        record = json.loads(line)
    except ValueError as error:
        fail("Cannot read the input.", f"{place}: not JSON: {error}")
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        fault = 'not an object with a string under the key "text"'
        fail("Cannot read the input.", f"{place}: {fault}.")
    return record["text"]


def _read_conllu(lines: Iterable[str], name: str, vocab: "Vocab") -> Iterator["Doc"]:
    from ..corpus.conllu import (
        ConlluError,
        read_sentences,
        sentence_to_doc,
        without_annotation,
    )

    try:
        for sentence in read_sentences(lines, name):
            doc = without_annotation(sentence_to_doc(vocab, sentence))
            for token in doc:
                token.is_sent_start = token.i == 0
            yield doc
    except ConlluError as error:
        fail("Cannot read the input.", str(error))
