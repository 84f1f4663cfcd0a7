"""Write parsed documents: CoNLL-U, drawings or JSON lines."""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from .messages import fail, report_error, shorten

if TYPE_CHECKING:
    from spacy.tokens import Doc


class OutputFormat(str, Enum):
    """How parsed documents are written.

    conllu: CoNLL-U.
    tree: drawings for people to read.
    json: a JSON object a line, as spaCy's `Doc.to_json` makes it.
    """

    conllu = "conllu"
    tree = "tree"
    json = "json"


def choose_writer(
    output_format: OutputFormat, ascii_only: bool
) -> Callable[["Doc"], str]:
    """The function that turns a parsed document into text.

    ascii_only: draw trees with ASCII characters.
    """
    if output_format is OutputFormat.tree:
        from ..visual import render_tree

        return lambda doc: render_tree(doc, ascii=ascii_only) + "\n\n"
    if output_format is OutputFormat.json:
        return lambda doc: json.dumps(doc.to_json(), ensure_ascii=False) + "\n"
    from ..corpus.conllu_writer import doc_to_conllu

    return doc_to_conllu


def write_documents(
    docs: Iterable["Doc"], to_text: Callable[["Doc"], str], path: Path | None
) -> int:
    """Write documents to a file, or to stdout if there is none; return how many.

    A document that cannot be written is reported and left out.
    """
    written = 0
    with _open_output(path) as stream:
        for doc in docs:
            try:
                text = to_text(doc)
            except ValueError as error:
                report_error("Cannot write a document.", f"{shorten(doc.text)}: {error}")
            else:
                stream.write(text)
                written += 1
    return written


def _open_output(path: Path | None) -> AbstractContextManager[TextIO]:
    if path is None:
        return nullcontext(typer.get_text_stream("stdout", encoding="utf-8"))
    try:
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        fail("Cannot write the output.", f"{path}: {error}")
