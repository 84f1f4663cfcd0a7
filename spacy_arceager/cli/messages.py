"""Messages to the user, on stderr: stdout is for results."""

import unicodedata
from typing import NoReturn

import typer
from tqdm import tqdm
from wasabi import Printer

printer = Printer(no_print=True)


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


