"""The lines of text files, compressed or not, and the files that a path stands for."""

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from glob import glob
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, Any, BinaryIO, NamedTuple

from .errors import ConlluError, InputError

MAX_LINE = 2**26    # bytes; a longer line is no document that a pipeline takes


def import_zstd() -> ModuleType:
    """The module that reads and writes Zstandard. Python has it from 3.14 on."""
    try:
        return import_module(
            "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
        )
    except ImportError:
        raise InputError(
            'Zstandard is not installed. Run: pip install "spacy-arceager[zstd]"'
        ) from None


def _open_gzip(stream: Any, mode: Any = "rb") -> Any:
    # gzip.open would write the name of the stream, a draft's, and the time.
    return gzip.GzipFile(filename="", mode=mode, fileobj=stream, mtime=0)


def _open_zstd(stream: Any, mode: Any = "rb") -> Any:
    return import_zstd().open(stream, mode)


# How files are decompressed, by their first bytes.
_OPENERS: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": _open_gzip,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x28\xb5\x2f\xfd": _open_zstd,
}
_ENDINGS: dict[str, Callable[..., Any]] = {
    ".gz": _open_gzip, ".bz2": bz2.open, ".xz": lzma.open, ".zst": _open_zstd
}
COMPRESSED = tuple(_ENDINGS)
_REFUSED = {
    b"x\x9c": "a binary file of spaCy's Docs (.spacy). Train on it with the reader "
    "spacy.Corpus.v1; the commands take it by the ending .spacy",
    b"PK\x03\x04": "a zip archive. Unpack it",
}
_DAMAGE = (EOFError, zlib.error, lzma.LZMAError)
_NOT_UTF8 = "the text is not UTF-8", "Convert the file to UTF-8"
_TOO_LONG = f"the line is longer than {MAX_LINE >> 20} MiB", "Cut it into several documents"


class Line(NamedTuple):
    """A line of a file, without its end.

    Attributes:
        source: how errors name the file.
        number: the number of the line, from 1.
        text: the line, in which bytes that are not UTF-8 are escaped; a line too long is cut.
        fault: what is wrong with the line, and the remedy; None if nothing is wrong.
    """

    source: str
    number: int
    text: str
    fault: tuple[str, str] | None = None

    def check(self) -> None:
        """Raise ConlluError if the line has a fault."""
        if self.fault:
            raise self.error(*self.fault)

    def error(self, fault: str, remedy: str) -> ConlluError:
        """An error that says that the line has this fault."""
        return self.locate(f"{fault}. {remedy}.")

    def locate(self, message: object) -> ConlluError:
        """An error with this message behind the place of the line."""
        return ConlluError(f"{self.place}: {message}")

    @property
    def place(self) -> str:
        """The file and the number of the line."""
        return f"{self.source}, line {self.number}"


def find_files(path: Path) -> list[Path]:
    """The CoNLL-U files, sorted, that a path stands for: a file, a folder, or a pattern.

    In a folder these are the files that end in .conllu, or in .conllu and an ending of
    `COMPRESSED`, but for hidden ones and for compressed ones that are there unpacked, too.

    Raises:
        FileNotFoundError: If there is no such file.
    """
    if path.is_dir():
        endings = ["", *COMPRESSED]
        found = {file for ending in endings for file in path.rglob(f"*.conllu{ending}")}
        paths: Iterable[Path] = [
            file for file in found
            if not any(part.startswith(".") for part in file.relative_to(path).parts)
            and (file.suffix == ".conllu" or file.with_suffix("") not in found)
        ]
    elif path.exists():
        return [path]
    else:
        paths = find_matches(path)
    files = sorted(file for file in paths if file.is_file())
    if not files:
        raise FileNotFoundError(
            f"No CoNLL-U at '{path}'. Give a file, a folder with *.conllu files, or a "
            "pattern that matches some."
        )
    return files


def find_matches(pattern: Path) -> list[Path]:
    """The files that match a pattern, sorted. `**` stands for any folders."""
    found = glob(str(pattern), recursive=True)  # noqa: PTH207 (Path.glob takes no absolute pattern)
    return sorted(file for file in map(Path, found) if file.is_file())


def read_lines(stream: BinaryIO, source: str) -> Iterator[Line]:
    """The lines of a file that is open for reading bytes.

    Compression (gzip, bzip2, xz, Zstandard) and a byte order mark are found by the first bytes.

    Args:
        source: how errors name the file.

    Raises:
        InputError: For compressed data that is damaged, and for known binary files.
    """
    number = 0
    try:
        for number, line in enumerate(_split(_decompress(stream, source)), 1):
            text = line.rstrip(b"\r\n")
            if number == 1:
                text = text.removeprefix(b"\xef\xbb\xbf")
            yield _decode(text, source, number)
    except Exception as error:
        if not _is_damage(error):
            raise
        raise Line(source, number + 1, "").error(
            f"the compressed file is damaged or cut short ({error})", "Fetch it again"
        ) from None


def read_file_lines(path: Path) -> Iterator[Line]:
    """The lines of a file, see `read_lines`. Also raises OSError."""
    with path.open("rb") as stream:
        yield from read_lines(stream, str(path))


def compress(stream: IO[bytes], path: Path) -> Any:
    """A stream into an open file that compresses as the ending of the file's path says.

    The caller must close the result before the stream, unless the two are the same.

    Raises:
        InputError: If Zstandard is wanted and not installed.
    """
    opener = _ENDINGS.get(path.suffix.lower())
    return opener(stream, "wb") if opener else stream


def _decompress(stream: BinaryIO, source: str) -> Any:
    buffered: Any = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    start = buffered.peek(8)[:8]
    for signature, kind in _REFUSED.items():
        if start.startswith(signature):
            raise InputError(f"{source}: this is {kind}.")
    for signature, opener in _OPENERS.items():
        if start.startswith(signature):
            try:
                return opener(buffered)
            except InputError as error:
                raise InputError(f"{source}: {error}") from None
    return buffered


def _is_damage(error: Exception) -> bool:
    # ZstdError is compared by its name because it cannot be imported without Zstandard. The errors
    # of gzip and bzip2 are OSErrors, but without the number that those of the system have.
    return (
        isinstance(error, _DAMAGE) or type(error).__name__ == "ZstdError"
        or (isinstance(error, OSError) and error.errno is None)
    )


def _split(stream: Any) -> Iterator[bytes]:
    # Yields only the start of a line that is too long, so that no input can fill the memory.
    while line := stream.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)


def _decode(line: bytes, source: str, number: int) -> Line:
    if len(line) > MAX_LINE:
        start = line[:100].decode("utf-8", "backslashreplace")
        return Line(source, number, start, _TOO_LONG)
    try:
        return Line(source, number, line.decode("utf-8"))
    except UnicodeDecodeError:
        return Line(source, number, line.decode("utf-8", "backslashreplace"), _NOT_UTF8)
