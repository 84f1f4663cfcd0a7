"""Files that commands write, which take their places when all is written."""

import errno
import os
import secrets
import shutil
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from ..corpus.errors import InputError
from ..corpus.files import compress
from ..formats.rows import DerivationFormat, DrawingOptions, OutputFormat
from .messages import fail

try:
    import fcntl
except ImportError:     # Windows
    fcntl = None    # type: ignore[assignment]

if TYPE_CHECKING:
    from ..pipe.derived import Derived

OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="File to write, not stdout.")
]
StepOption = Annotated[
    int | None,
    typer.Option(
        "--step", min=0, help="With svg: the step to draw, from 0, the start; else the last one."
    ),
]


DRAFT_BYTES = 8     # of the random part of the name of a draft


class Output:
    """A file that takes its place when all is written, and else leaves what was there.

    Until then it is a hidden file in the same folder. It is compressed as its ending says: .gz,
    .bz2, .xz or .zst. Devices and pipes are written at once, and
    so is stdout, where path is None. What cannot be written ends the command, with a message.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._draft: Path | None = None
        self._discard: Callable[[], object] = lambda: None
        self._is_cancelled = False
        with self._reporting():
            self._file = self._open()
            self._stream = compress(self._file, path) if path else self._file

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
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "There is no folder", str(target.parent))
        end_with_cleanup()
        draft = target.with_name(f".{secrets.token_hex(DRAFT_BYTES)}.part")
        stream = draft.open("xb")
        _lock(stream)       # says that it is being written, until this process ends
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

    def write_derivations(
        self,
        form: DerivationFormat,
        sentences: "Iterable[tuple[int, Sequence[Derived]]]",
        options: DrawingOptions,
    ) -> None:
        """Write the derivations of sentences; end the command where they cannot be drawn."""
        try:
            for part in form.write(sentences, options):
                self.write(part)
        except ValueError as error:
            fail("Cannot draw the derivations.", str(error))

    def cancel(self) -> None:
        """Leave what was there also where no error ends the writing."""
        self._is_cancelled = True

    def __enter__(self) -> "Output":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            # Where the command ends already, its reason has been told.
            with self._reporting() if kind is None else suppress(OSError, InputError):
                self._close()
                if self._draft and kind is None and not self._is_cancelled:
                    self._draft.replace(self._target)
        finally:
            self._discard()

    def _close(self) -> None:
        self._stream.flush()
        if self.path is not None:
            self._stream.close()
            self._file.close()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except (OSError, InputError) as error:
            if self.path is None and isinstance(error, OSError):
                if error.errno == errno.EPIPE:
                    raise  # whoever read has enough; typer ends the command
                _close_stdout()
            fail("Cannot write the output.", f"{self.path or 'stdout'}: {error}")


def end_with_cleanup() -> None:
    """Let signals that end the process raise SystemExit, so that drafts do not stay behind.

    Clusters and closed terminals send them. Handlers of the caller and ignored signals, as under
    nohup, stay as they are.
    """
    if threading.current_thread() is not threading.main_thread():
        return      # Python takes handlers from no other
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)    # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda number, _: sys.exit(128 + number))


def clear_drafts(folder: Path) -> None:
    """Delete what commands that were killed left half written in a folder.

    A draft that another command is still writing is locked, and stays. Without locks, as on
    Windows, all of them stay.
    """
    for path in folder.glob(f".{'[0-9a-f]' * 2 * DRAFT_BYTES}.part"):
        with suppress(OSError), path.open("ab") as draft:
            if _lock(draft):
                path.unlink()


def _lock(file: IO[bytes]) -> bool:
    """Lock a file for this process; returns whether that was possible. Never waits."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:     # another process has it, or the file system knows no locks
        return False
    return True


def make_folder(path: Path) -> None:
    """Make a folder for outputs if it is not there; end the command where that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail("Cannot write the output.", f"{path}: {error}")


def refuse_step(step: int | None, output_format: OutputFormat) -> None:
    """Raise typer.BadParameter for a --step with a format that does not draw one step."""
    if step is not None and not getattr(output_format, "draws_step", False):
        raise typer.BadParameter("--step goes with --format svg.")


def refuse_same_file(first: Path | None, second: Path | None, message: str) -> None:
    """Raise typer.BadParameter where both are one file, by whatever names."""
    if first is None or second is None:
        return
    # Path.resolve fails where links go in a circle.
    if os.path.realpath(first) == os.path.realpath(second) or (
        first.exists() and second.exists() and first.samefile(second)
    ):
        raise typer.BadParameter(message)


def _close_stdout() -> None:
    # Python writes what is left when it ends, and would fail once more.
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
