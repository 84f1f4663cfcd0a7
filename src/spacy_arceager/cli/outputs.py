"""Write parsed documents: CoNLL-U, drawings or JSON lines."""

# Not srsly: it cuts the decimals of numbers, which are to come out as they came in.
import errno
import json
import os
import secrets
import shutil
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

import typer

from ..corpus.errors import quote
from .messages import fail, report_error

if TYPE_CHECKING:
    from spacy.tokens import Doc

# What a JSON object held beside its text, by key.
Record = Mapping[str, Any]

# Comments that CoNLL-U gives a meaning of its own.
RESERVED = ("text", "sent_id", "newdoc", "newpar")


class OutputFormat(str, Enum):
    """How parsed documents are written.

    conllu: CoNLL-U. The id of a JSON object is the comment `newdoc id`, and what else it
        held are comments `key = value` there, if the key is a name.
    tree: drawings for people to read.
    json: a JSON object a line, as spaCy's `Doc.to_json` makes it. What else a JSON object
        held is in it too; where spaCy has the same key, under the key "input".
    """

    conllu = "conllu"
    tree = "tree"
    json = "json"


class Output:
    """A file that takes its place when all is written, and else leaves what was there.

    Until then it is a hidden file in the same folder. Devices and pipes are written at once, and
    so is stdout, where path is None. What cannot be written ends the command, with a message.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._draft: Path | None = None
        self._discard: Callable[[], object] = lambda: None
        with self._reporting():
            self._stream = self._open()

    def _open(self) -> IO[bytes]:
        if self.path is None:
            return typer.get_binary_stream("stdout")
        target = self._target = Path(os.path.realpath(self.path))
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.exists() and not target.is_file():
            return target.open("wb")
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        draft = target.with_name(f".{secrets.token_hex(8)}.part")
        stream = draft.open("xb")
        self._draft = draft
        # Also where an interrupt comes before the first line of __exit__.
        self._discard = weakref.finalize(self, draft.unlink, missing_ok=True)
        if target.exists():
            shutil.copymode(target, draft)
        return stream

    def write(self, text: str) -> None:
        """Write text. Raises ValueError for what UTF-8 cannot write."""
        data = text.encode()
        with self._reporting():
            self._stream.write(data)

    def __enter__(self) -> "Output":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            with self._reporting():
                self._stream.flush()
                if self.path is not None:
                    self._stream.close()
                if self._draft and kind is None:
                    self._draft.replace(self._target)
        finally:
            self._discard()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if self.path is None:
                if error.errno == errno.EPIPE:
                    raise  # whoever read has enough; typer ends the command
                _close_stdout()
            fail("Cannot write the output.", f"{self.path or 'stdout'}: {error}")


def refuse_same_file(first: Path | None, second: Path | None, message: str) -> None:
    """Raise typer.BadParameter where both are one file, by whatever names."""
    if first is None or second is None:
        return
    if first.resolve() == second.resolve() or (
        first.exists() and second.exists() and first.samefile(second)
    ):
        raise typer.BadParameter(message)


def _close_stdout() -> None:
    # Python writes what is left when it ends, and would fail once more.
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def choose_writer(
    output_format: OutputFormat, ascii_only: bool
) -> Callable[["Doc", Record], str]:
    """The function that turns a parsed document, and its record, into text.

    ascii_only: draw trees with ASCII characters.
    """
    if output_format is OutputFormat.tree:
        from ..visual import render_tree

        return lambda doc, _: render_tree(doc, ascii=ascii_only) + "\n\n"
    return to_json if output_format is OutputFormat.json else to_conllu


def to_json(doc: "Doc", record: Record) -> str:
    """A Doc as a line of JSON, with its record."""
    parsed = doc.to_json()
    hidden = {key: value for key, value in record.items() if key in parsed or key == "input"}
    kept = {key: value for key, value in record.items() if key not in hidden}
    combined = {**kept, **({"input": hidden} if hidden else {}), **parsed}
    return json.dumps(combined, ensure_ascii=False) + "\n"


def to_conllu(doc: "Doc", record: Record) -> str:
    """A Doc as CoNLL-U, with its record as comments."""
    from ..corpus.conllu import doc_to_conllu

    text = doc_to_conllu(doc)
    return "".join(_comments(record)) + text if text else ""


def _comments(record: Record) -> Iterator[str]:
    for key, value in record.items():
        name = "newdoc id" if key == "id" else key
        if not key.isidentifier() or key in RESERVED:
            continue
        is_plain = isinstance(value, str) and value.isprintable()
        yield f"# {name} = {value if is_plain else json.dumps(value)}\n"


def write_documents(
    docs: Iterable[tuple["Doc", Record]],
    to_text: Callable[["Doc", Record], str],
    output: Output,
) -> int:
    """Write documents and return how many.

    A document that cannot be written is reported and left out.
    """
    written = 0
    for doc, record in docs:
        try:
            output.write(to_text(doc, record))
        except ValueError as error:
            report_error("Cannot write a document.", f"{quote(doc.text)}: {error}")
        else:
            written += 1
    return written
