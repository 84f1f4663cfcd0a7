"""Files of text: which there are, and their lines, compressed or not."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from glob import glob
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from .errors import ConlluError, InputError

# By the first bytes of a file.
_OPENERS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open
}
_REFUSED = {
    b"x\x9c": "a binary file of spaCy's Docs (.spacy). Train on it with the reader "
    "spacy.Corpus.v1; the commands take it by the ending .spacy",
    b"\x28\xb5\x2f\xfd": "compressed by Zstandard. Decompress it, or compress it by gzip",
    b"PK\x03\x04": "a zip archive. Unpack it",
}
_DAMAGE = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile)


class Line(NamedTuple):
    """A line of a file, without its end.

    source: how errors name the file. number: from 1.
    text: what is not UTF-8 is escaped. is_utf8: whether all was.
    """

    source: str
    number: int
    text: str
    is_utf8: bool = True

    def error(self, fault: str, remedy: str) -> ConlluError:
        """The error that the line has this fault."""
        return self.locate(f"{fault}. {remedy}.")

    def locate(self, message: object) -> ConlluError:
        """The error with this message, which gets the place."""
        return ConlluError(f"{self.source}, line {self.number}: {message}")


def find_files(path: Path) -> list[Path]:
    """The CoNLL-U files of a path: a file, a folder with them, or a pattern, in order.

    In a folder they are those that end in .conllu or .conllu.gz.
    Raises FileNotFoundError if there is none.
    """
    if path.is_dir():
        found: Iterable[Path] = [*path.rglob("*.conllu"), *path.rglob("*.conllu.gz")]
    elif path.exists():
        return [path]
    else:
        found = map(Path, glob(str(path)))  # noqa: PTH207 (Path.glob takes no absolute pattern)
    files = sorted(file for file in found if file.is_file())
    if not files:
        raise FileNotFoundError(
            f"No CoNLL-U at '{path}'. Give a file, a folder with *.conllu files, or a "
            "pattern that matches some."
        )
    return files


def read_lines(stream: BinaryIO, source: str) -> Iterator[Line]:
    """The lines of a file that is open for reading bytes.

    Compression (gzip, bzip2, xz) and a byte order mark are found by the first bytes.
    source: how errors name the file.
    Raises InputError for compressed data that is damaged, and for known binary files.
    """
    number = 0
    try:
        for number, line in enumerate(_decompress(stream, source), 1):
            text = line.rstrip(b"\r\n")
            if number == 1:
                text = text.removeprefix(b"\xef\xbb\xbf")
            yield _decode(text, source, number)
    except _DAMAGE as error:
        raise Line(source, number + 1, "").error(
            f"the compressed file is damaged or cut short ({error})", "Fetch it again"
        ) from None


def read_file_lines(path: Path) -> Iterator[Line]:
    """The lines of a file, see `read_lines`. Raises OSError too."""
    with path.open("rb") as stream:
        yield from read_lines(stream, str(path))


def _decompress(stream: BinaryIO, source: str) -> Any:
    buffered: Any = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    start = buffered.peek(8)[:8]
    for signature, kind in _REFUSED.items():
        if start.startswith(signature):
            raise InputError(f"{source}: this is {kind}.")
    for signature, opener in _OPENERS.items():
        if start.startswith(signature):
            return opener(buffered)
    return buffered


def _decode(line: bytes, source: str, number: int) -> Line:
    try:
        return Line(source, number, line.decode("utf-8"))
    except UnicodeDecodeError:
        return Line(source, number, line.decode("utf-8", "backslashreplace"), False)
