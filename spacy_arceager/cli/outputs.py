"""The files that commands write. A file replaces an older one only when it is complete."""

import errno
import os
import re
import secrets
import shutil
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from ..corpus.errors import InputError
from ..corpus.files import compress, find_files
from ..formats.rows import DerivationFormat, DrawingOptions, OutputFormat
from .messages import fail

try:
    import fcntl
except ImportError:     # Windows
    fcntl = None    # type: ignore[assignment]

if TYPE_CHECKING:
    from ..pipe.derived import Derived


def stdout_by_dash(path: Path | None) -> Path | None:
    """The value of an option that names a file: none for "-", which stands for stdout."""
    return None if is_dash(path) else path


def is_dash(path: Path | None) -> bool:
    """Whether a path is "-", which stands for stdout."""
    return str(path) == "-"


OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="File to write instead of stdout.", callback=stdout_by_dash
    ),
]
JsonOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="JSON file for all results, or - for stdout alone."),
]
StepOption = Annotated[
    int | None,
    typer.Option(
        "--step", min=0,
        help="The step to draw with --format svg, where 0 is the start. By default the last one.",
    ),
]


DRAFT_BYTES = 8     # of the random part of the name of a draft
DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2}


class Output:
    """A file that replaces an older one only when it is complete.

    Until then it is a hidden file in the same folder. Its ending says whether it is compressed:
    .gz, .bz2, .xz or .zst. Devices, pipes and stdout are written at once, and so are files that are
    open already, under a name such as /dev/stdout. An error in writing ends the command with a
    message.

    Args:
        path: None stands for stdout.
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
            if sys.stdout is None:      # the caller has closed it
                raise OSError(errno.EBADF, os.strerror(errno.EBADF), "stdout")
            return typer.get_binary_stream("stdout")
        descriptor = find_descriptor(self.path)
        if descriptor is not None:      # what the file has, and its position, are the caller's
            return os.fdopen(os.dup(descriptor), "wb")
        if self.path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if self.path.exists() and not self.path.is_file():
            return self.path.open("wb")
        target = self._target = Path(os.path.realpath(self.path))
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "There is no folder", str(target.parent))
        end_with_cleanup()
        draft = target.with_name(f".{secrets.token_hex(DRAFT_BYTES)}.part")
        # The draft is removed even if a signal comes as it is opened, or before __exit__ begins.
        self._discard = weakref.finalize(self, draft.unlink, missing_ok=True)
        stream = draft.open("xb")
        _lock(stream)       # says that it is being written, until this process ends
        self._draft = draft
        if target.exists():
            shutil.copymode(target, draft)
        return stream

    def write(self, text: str) -> None:
        """Write text. Raises ValueError for text that UTF-8 cannot write."""
        data = text.encode()
        with self._reporting():
            self._stream.write(data)

    def write_derivations(
        self,
        form: DerivationFormat,
        sentences: "Iterable[tuple[int, Sequence[Derived]]]",
        options: DrawingOptions,
    ) -> None:
        """Write the derivations of sentences. If they cannot be drawn, the command ends."""
        try:
            for part in form.write(sentences, options):
                self.write(part)
        except ValueError as error:
            fail("Cannot draw the derivations.", str(error))

    def cancel(self) -> None:
        """Keep the older file, although no error ends the writing."""
        self._is_cancelled = True

    def __enter__(self) -> "Output":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            # If another error ends the command, it has been shown already.
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
                    raise  # the reader has closed the pipe; typer ends the command
                _close_stdout()
            fail("Cannot write the output.", f"{self.path or 'stdout'}: {error}")


def show(text: str) -> None:
    """Write a result to stdout, as a line or several. An error ends the command with a message."""
    with Output(None) as output:
        # Names of files may have bytes that UTF-8 cannot write.
        output.write(text.encode(errors="backslashreplace").decode() + "\n")


@contextmanager
def opened_for_json(path: Path | None) -> Iterator[Callable[[Any], None]]:
    """A function that writes a value to a file, which is opened before the value is found.

    Without a path it writes nothing, and for "-" to stdout.
    """
    if path is None:
        yield lambda _: None
        return
    import srsly

    with Output(stdout_by_dash(path)) as output:
        yield lambda value: output.write(srsly.json_dumps(value, indent=2) + "\n")


def find_descriptor(path: Path) -> int | None:
    """The descriptor of this process that a path names, such as /dev/fd/3; None for others."""
    own = rf"/(?:dev|proc/(?:self|thread-self|{os.getpid()}))/fd/([0-9]{{1,9}})"
    match = re.fullmatch(own, str(path))
    return int(match[1]) if match else DESCRIPTORS.get(str(path))


def end_with_cleanup() -> None:
    """Let signals that end the process raise SystemExit, so that drafts are removed.

    Clusters and closed terminals send such signals. A signal that has a handler or is ignored, as
    under nohup, keeps its effect.
    """
    if threading.current_thread() is not threading.main_thread():
        return      # only the main thread may set handlers
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
    """Make a folder for outputs if it does not exist. If that fails, the command ends."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail("Cannot write the output.", f"{path}: {error}")


def refuse_step(step: int | None, output_format: OutputFormat) -> None:
    """Raise typer.BadParameter if --step is given with a format that does not draw one step."""
    if step is not None and not getattr(output_format, "draws_step", False):
        raise typer.BadParameter("--step needs --format svg.")


def refuse_same_file(first: Path | None, second: Path | None, message: str) -> None:
    """Raise typer.BadParameter if both are the same file, even under different names."""
    if first is None or second is None:
        return
    # Path.resolve would fail for links that go in a circle.
    is_same = os.path.realpath(first) == os.path.realpath(second)
    with suppress(OSError):     # where one is not there, or may not be read
        is_same = is_same or first.samefile(second)
    if is_same:
        raise typer.BadParameter(message)


def refuse_treebank(treebank: Path, output: Path | None, message: str) -> None:
    """Raise typer.BadParameter if a file is one of those that a treebank's path stands for."""
    if output is None:
        return
    files = [treebank]
    with suppress(OSError):     # where there are none, or they cannot be read
        files += find_files(treebank)
    for file in files:
        refuse_same_file(file, output, message)


def _close_stdout() -> None:
    """Redirect stdout, so that Python does not fail again when it writes the rest at its end."""
    with suppress(OSError):
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
