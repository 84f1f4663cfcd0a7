"""What a format says of itself: one row, in the file that reads or writes it.

A row is imported with the command line, which shows it in `--help`. So the files of formats import
spaCy in their functions, not before.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
        """How many bytes of the file have been read, compressed as they are; 0 of a pipe."""
        if self._stream is None or self._stream.closed or not self._stream.seekable():
            return 0
        return self._stream.tell()

    def __str__(self) -> str:
        return str(self.path or "stdin")

    def lines(self) -> Iterator[Line]:
        """The lines of the input, compressed or not.

        Raises:
            InputError: Where compressed data is damaged, or the file is of a known binary kind.
            OSError: Where the file cannot be read.
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
        endings: of files in this format, with their dots.
        help: a sentence for users.
        read: yields the documents of an input, and an InputError for each that cannot be used. It
            raises InputError or OSError where the rest of the input cannot be read.
        read_partial: the same, with the arcs that the input gives; None where it can give none.
        needs_file: whether a path is needed, and stdin will not do.
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
    """What formats of trees and of derivations have in common.

    Attributes:
        name: what users call the format.
        ending: of files in this format, with its dot.
        help: a sentence for users.
    """

    name: str
    ending: str
    help: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class TreeFormat(OutputFormat):
    """How a parsed document is written, as text that stands alone.

    Attributes:
        write: the text of a Doc. The record is what the input said beside the document's text.
        write_ascii: the same with ASCII characters only, for a format that draws.
        write_k_best: the text of a Doc with the best trees of each of its sentences, instead of the
            parse alone; None where the format has no place for them.
    """

    write: "Callable[[Doc, Record], str]"
    write_ascii: "Callable[[Doc, Record], str] | None" = None
    write_k_best: "Callable[[Doc, Record, Iterable[Sequence[RankedTree]]], str] | None" = None


@dataclass(frozen=True)
class DrawingOptions:
    """How derivations are drawn.

    Attributes:
        ascii_only: with ASCII characters only.
        step: the step to draw, where one is drawn, from 0; None is the last one.
    """

    ascii_only: bool = False
    step: int | None = None


@dataclass(frozen=True)
class DerivationFormat(OutputFormat):
    """How the derivations of sentences are written, all of them in one output.

    Attributes:
        write: yields parts of the output, as soon as they can be written. It gets, for each
            sentence, its number from 1 and its derivations, by one system or several. It raises
            ValueError where they cannot be drawn together.
        parse_name: what the command `parse` calls the format, where a tree format has its name;
            None where it needs gold trees, which `parse` does not have.
        draws_step: whether it draws one step.
    """

    write: "Callable[[Iterable[tuple[int, Sequence[Derived]]], DrawingOptions], Iterator[str]]"
    parse_name: str | None = None
    draws_step: bool = False
