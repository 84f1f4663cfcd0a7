"""Messages to the user. They go to stderr, because stdout is for results."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import NoReturn, TypeVar

import typer
from tqdm import tqdm
from wasabi import Printer

printer = Printer(no_print=True)
Item = TypeVar("Item")


def report_error(title: str, text: str = "") -> None:
    """Show an error message.

    Args:
        title: what happened, in one line.
        text: why and where, in any number of lines. Paths belong here, because long titles are
            wrapped and texts are not.
    """
    _show(printer.fail(escape(title)), text)


def report(title: str, text: str = "") -> None:
    """Tell what the command has done and, in `text`, what the user can do next."""
    _show(printer.good(escape(title)), text)


def warn(title: str, text: str = "") -> None:
    """Tell what the user may not expect. The command goes on."""
    _show(printer.warn(escape(title)), text)


def _show(title: str, text: str) -> None:
    """Write a message to stderr, above the progress bar if there is one."""
    with tqdm.external_write_mode():
        typer.echo(title, err=True)
        if text:
            typer.echo(escape(text), err=True)


def counted(number: int, noun: str) -> str:
    """A number with its noun in the singular or plural: "1 word", "1,200 words"."""
    return f"{number:,} {noun}" + "s" * (number != 1)


def install_hint(extra: str) -> str:
    """The command that installs one of the package's extras."""
    return f'pip install "spacy-arceager[{extra}]"'


def need_package(package: str, extra: str, purpose: str) -> None:
    """End the command if a package is missing, and name the extra that installs it."""
    if find_spec(package) is None:
        fail(f"{purpose} needs {package}.", f"Run: {install_hint(extra)}")


def progress(items: Iterable[Item], total: int, unit: str) -> Iterable[Item]:
    """The items. On a terminal, a bar shows how many of them are done, and the time left."""
    # With disable=None, tqdm shows no bar unless stderr is a terminal.
    bar: Iterable[Item] = tqdm(items, total=total, unit=f" {unit}", disable=None, leave=False)
    return bar


def progress_in_bytes(
    items: Iterable[Item], total: int, unit: str, count_bytes: Callable[[], int]
) -> Iterator[Item]:
    """The items. On a terminal, a bar shows how much of the input is read, and the time left.

    There is no bar where `total` is 0, because the size of the input is not known.

    Args:
        total: the size of the input in bytes.
        count_bytes: returns how many bytes have been read so far.
    """
    disable = None if total else True
    with tqdm(total=total, unit="B", unit_scale=True, disable=disable, leave=False) as bar:
        for number, item in enumerate(items, 1):
            yield item
            bar.set_postfix_str(f"{number:,} {unit}", refresh=False)
            bar.update(count_bytes() - bar.n)


def fail(title: str, text: str = "") -> NoReturn:
    """Show an error message and end the command with exit code 1."""
    report_error(title, text)
    raise typer.Exit(1)


def escape(text: str) -> str:
    """Escape control characters, which a file or its name may have, and which a terminal obeys."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
        else char.encode("unicode_escape", "backslashreplace").decode()
        for char in text
    )
