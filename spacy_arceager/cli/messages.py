"""Messages to the user, on stderr: stdout is for results."""

import unicodedata
from collections.abc import Iterable
from importlib.util import find_spec
from typing import NoReturn, TypeVar

import typer
from tqdm import tqdm
from wasabi import Printer

printer = Printer(no_print=True)
Item = TypeVar("Item")


def report_error(title: str, text: str = "") -> None:
    """Show an error message, above the progress bar if there is one.

    Args:
        title: what happened, in one line.
        text: why and where, in any number of lines. Paths belong here: long titles are wrapped,
            texts are not.
    """
    with tqdm.external_write_mode():
        typer.echo(printer.fail(title), err=True)
        if text:
            typer.echo(escape(text), err=True)


def report(title: str, text: str = "") -> None:
    """Say what is done, and in `text` what to do next."""
    typer.echo(printer.good(escape(title)), err=True)
    if text:
        typer.echo(escape(text), err=True)


def warn(title: str, text: str = "") -> None:
    """Say what may not be as the user thinks; the command goes on."""
    typer.echo(printer.warn(escape(title)), err=True)
    if text:
        typer.echo(escape(text), err=True)


def install_hint(extra: str) -> str:
    """The command that installs one of the package's extras."""
    return f'pip install "spacy-arceager[{extra}]"'


def need_package(package: str, extra: str, purpose: str) -> None:
    """End the command where a package is missing that one of the extras installs."""
    if find_spec(package) is None:
        fail(f"{purpose} needs {package}.", f"Run: {install_hint(extra)}")


def progress(items: Iterable[Item], total: int, unit: str) -> Iterable[Item]:
    """The items; on a terminal, a bar shows how many are done, and the time left."""
    # tqdm reads disable=None as: no progress bar unless stderr is a terminal.
    bar: Iterable[Item] = tqdm(items, total=total, unit=f" {unit}", disable=None, leave=False)
    return bar


def report_note(text: str) -> None:
    """Tell what is not an error and not a result, above the progress bar if there is one."""
    with tqdm.external_write_mode():
        typer.echo(escape(text), err=True)


def fail(title: str, text: str = "") -> NoReturn:
    """Show an error message and end the command with exit code 1."""
    report_error(title, text)
    raise typer.Exit(1)


def escape(text: str) -> str:
    """Escape what a terminal would obey: file names and files may have it in them."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
        else char.encode("unicode_escape", "backslashreplace").decode()
        for char in text
    )


