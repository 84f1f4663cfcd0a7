"""The documents that a command reads from one input or several."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ..corpus.errors import InputError
from ..formats.document import Document
from ..formats.registry import DEFAULT_INPUT, INPUTS, find_input_format
from ..formats.rows import Input, InputFormat, Items
from .files import is_file
from .messages import report_error, warn
from .values import format_option

CONLLU_STARTS = ("# newdoc", "# newpar", "# sent_id = ", "# text = ", "# global.columns", "1\t")

STDIN = "-"


def leave_out_stdin(paths: list[Path]) -> list[Path]:
    """No path at all if stdin is the only input that is named, since it is read without one."""
    if paths == [Path(STDIN)]:
        return []
    if Path(STDIN) in paths:
        raise typer.BadParameter("- stands for stdin, which does not go with other inputs.")
    return paths


InputOption = Annotated[
    list[Path],
    typer.Option(
        "--input",
        "-i",
        help="File in UTF-8, which may be compressed (.gz, .bz2, .xz, .zst), a folder of files, or "
        "a pattern. Can be given several times. Without it, or for -, stdin is read.",
        callback=leave_out_stdin,
    ),
]
InputFormatOption = Annotated[
    InputFormat | None,
    format_option(
        "--input-format", rows=INPUTS,
        note="By default, the ending of the file decides. Files with other endings are text.",
    ),
]


def detect_format(path: Path | None) -> InputFormat:
    """The format that a file's ending stands for, or text if no format has that ending."""
    return find_input_format(path) or DEFAULT_INPUT


class InputDocuments:
    """The documents of some inputs, one by one.

    A line or sentence that cannot be used is reported and left out. If an input cannot be read to
    its end, its documents up to the fault are used.

    Args:
        paths: files in UTF-8; None stands for stdin.
        input_format: the format of all inputs; None chooses it by the ending of each file.
        partial: whether documents keep the heads and labels that the input gives.
        as_one: number the documents of all inputs together.

    Attributes:
        count: how many documents were read so far, including those that cannot be used.
        unreadable: the indices in `paths` of inputs that could not be read to their end.
    """

    def __init__(
        self,
        paths: Sequence[Path | None],
        input_format: InputFormat | None,
        partial: bool = False,
        as_one: bool = False,
    ) -> None:
        self.paths = paths
        self.input_format = input_format
        self.partial = partial
        self.as_one = as_one
        self.count = 0
        self.unreadable: set[int] = set()
        self._sizes = [path.stat().st_size if path and is_file(path) else 0 for path in paths]
        self._bytes_before = 0
        self._source = Input()

    @property
    def n_bytes(self) -> int:
        """The size of all files."""
        return sum(self._sizes)

    @property
    def n_bytes_read(self) -> int:
        """How many bytes of the files have been read."""
        return self._bytes_before + self._source.position

    def __iter__(self) -> Iterator[Document]:
        for file, path in enumerate(self.paths):
            self._bytes_before = sum(self._sizes[:file])
            before = 0 if self.as_one else self.count
            for item in self._read(file, path):
                self.count += 1
                if isinstance(item, InputError):
                    report_error("Cannot read a document.", str(item))
                else:
                    yield replace(item, file=file, number=self.count - before)
        self._bytes_before, self._source = self.n_bytes, Input()

    def _read(self, file: int, path: Path | None) -> Items:
        form = self.input_format or detect_format(path)
        read = form.read_partial if self.partial else form.read
        assert read is not None     # the command has checked that
        self._source = Input(path)
        try:
            for number, item in enumerate(read(self._source)):
                if number == 0 and self.input_format is None and isinstance(item, Document):
                    _warn_of_conllu(item, self._source)
                yield item
        except OSError as error:
            self._give_up(file, f"{Input(path)}: {error}")
        except InputError as error:
            self._give_up(file, str(error))

    def _give_up(self, file: int, reason: str) -> None:
        self.unreadable.add(file)
        report_error("Cannot read the whole input.", reason)


def _warn_of_conllu(first: Document, source: Input) -> None:
    """Warn if the first document of an input is a line of CoNLL-U."""
    if isinstance(first.text, str) and first.text.startswith(CONLLU_STARTS):
        warn(
            "This looks like CoNLL-U, but is parsed as plain text.",
            f"{source}: to parse its words, give --input-format conllu.",
        )
