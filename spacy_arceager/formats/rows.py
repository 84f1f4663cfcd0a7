"""The row that describes a format. It stands in the file that reads or writes the format.

The command line imports all rows, to show them in `--help`. To keep that fast, the files of formats
import spaCy inside their functions.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ..corpus.errors import InputError
from ..corpus.files import Line, read_lines
from .document import Document, Record

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..pipe.derived import Derived
    from .k_best import RankedTree


class Input:
    """A file to read, or stdin where the path is None."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._stream: BinaryIO | None = None

    @property
    def position(self) -> int:
        """How many bytes of the file have been read, before decompression. 0 for a pipe."""
        if self._stream is None or self._stream.closed or not self._stream.seekable():
            return 0
        return self._stream.tell()

    def __str__(self) -> str:
        return str(self.path or "stdin")

    def lines(self) -> Iterator[Line]:
        """The lines of the input, decompressed if it is compressed.

        Raises:
            InputError: If compressed data is damaged, or the file is of a known binary kind.
            OSError: If the file cannot be read.
        """
        if self.path is None:
            yield from read_lines(sys.stdin.buffer, "stdin")
            return
        with self.path.open("rb") as self._stream:
            yield from read_lines(self._stream, str(self.path))


Items = Iterator[Document | InputError]


@dataclass(frozen=True)
class InputFormat:
    """How documents are read.

    Attributes:
        name: what users call the format.
        endings: the endings of files in this format, with their dots.
        help: a sentence for users.
        read: yields the documents of an input, and an InputError for each document that cannot be
            used. It raises InputError or OSError if the rest of the input cannot be read.
        read_partial: like `read`, but the documents also have the arcs that the input gives. None
            if the format has no place for arcs.
        needs_file: whether the format is read from files only, not from stdin.
    """

    name: str
    endings: tuple[str, ...]
    help: str
    read: Callable[[Input], Items]
    read_partial: Callable[[Input], Items] | None = None
    needs_file: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class OutputFormat:
    """What tree formats and derivation formats have in common.

    Attributes:
        name: what users call the format.
        ending: the ending of files in this format, with its dot.
        help: a sentence for users.
        next_step: what a user can do with a file in this format, where `{path}` stands for its
            path; "" if there is nothing to say.
    """

    name: str
    ending: str
    help: str
    next_step: str = field(default="", kw_only=True)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class TreeFormat(OutputFormat):
    """How a parsed document is written. The texts of several documents can follow each other.

    Attributes:
        write: returns the text of a Doc. The record is what the input said about the document.
        write_k_best: returns a text with the best trees of each sentence instead of the parse
            alone.
        in_ascii: the same format with ASCII characters only; None if it draws nothing.
    """

    write: "Callable[[Doc, Record], str]"
    write_k_best: "Callable[[Doc, Record, Iterable[Sequence[RankedTree]]], str]"
    in_ascii: "TreeFormat | None" = None


@dataclass(frozen=True)
class DrawingOptions:
    """How derivations are drawn.

    Attributes:
        ascii_only: draw with ASCII characters only.
        step: the step to draw, counted from 0, in a format that draws one step; None is the last.
    """

    ascii_only: bool = False
    step: int | None = None


@dataclass(frozen=True)
class DerivationFormat(OutputFormat):
    """How the derivations of sentences are written, all of them in one output.

    Attributes:
        write: yields the parts of the output, each as soon as it can be written. It gets the number
            of each sentence, counted from 1, and the sentence's derivations by one system or
            several. It raises ValueError if they cannot be drawn together.
        parse_name: the name of the format in the command `parse`, which may differ because tree
            formats have names there, too; None if the format needs gold trees, which `parse` does
            not have.
        draws_step: whether the format draws one step.
    """

    write: "Callable[[Iterable[tuple[int, Sequence[Derived]]], DrawingOptions], Iterator[str]]"
    parse_name: str | None = None
    draws_step: bool = False
