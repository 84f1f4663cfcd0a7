"""Options whose values are names, and how `--help` names the values of all parameters."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import signature
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import ParameterInfo

from ..errors import did_you_mean

# Where typer would write a Python type, such as <list[Path]>. A switch has no value.
NAMES = {bool: "", int: "N", float: "X", str: "TEXT", Path: "PATH"}


class Plain:
    """A command whose help has no Python types at its arguments and at --help either."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters of the command, with --help."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if param.name == "help":
                param.metavar = ""
            elif param.param_type_name == "argument":
                param.display_type_rich = lambda **_: ""
        return params


class PlainCommand(Plain, TyperCommand):
    """One of the commands."""


class PlainGroup(Plain, TyperGroup):
    """The program, with all its commands."""


def find_value(values: Mapping[str, Any]) -> Callable[[Any], Any]:
    """The function that finds the value of a name, and suggests the most similar name."""
    def find(name: Any) -> Any:
        if name in values.values():    # the default
            return name
        lower = str(name).lower()
        if lower not in values:
            raise typer.BadParameter(
                f"{name!r} is not one of {', '.join(values)}{did_you_mean(lower, values)}"
            )
        return values[lower]

    return find


def one_of(names: Iterable[str]) -> Callable[[Any], Any]:
    """The function that takes one of some names, and suggests the most similar one."""
    return find_value({name: name for name in names})


def format_option(*names: str, rows: Mapping[str, Any], note: str = "") -> Any:
    """An option that takes the name of a format and passes the row of the format.

    Args:
        names: the names of the option, such as "--format" and "-f".
        rows: the rows of the formats by their names. The help text is made of their help texts.
        note: the last sentence of the help text.
    """
    texts = [f"{name}: {row.help}" for name, row in rows.items()]
    return typer.Option(
        *names, parser=find_value(rows), metavar="FORMAT", help=" ".join([*texts, note]).strip()
    )


def name_values(command: Callable[..., None]) -> None:
    """Name the values of a command's parameters, and let choices suggest the most similar name.

    What a parameter says itself, by `metavar` or `parser`, stays.
    """
    for info, kind in find_parameters(command):
        is_choice = get_origin(kind) is Literal
        if is_choice:
            info.parser = one_of(get_args(kind))
        if info.metavar is None:
            info.metavar = "NAME" if is_choice else NAMES[kind]


def find_parameters(command: Callable[..., None]) -> Iterator[tuple[ParameterInfo, Any]]:
    """What typer is told of each parameter of a command, and the type of one of its values."""
    # Python 3.10's get_type_hints would put an Optional around a parameter whose default is None.
    for parameter in signature(command).parameters.values():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(info, ParameterInfo):
                yield info, kind_of(get_args(parameter.annotation)[0])


def kind_of(hint: Any) -> Any:
    """The type of one value, without the list or the None around it."""
    if get_origin(hint) in (Union, UnionType, list):
        return next(kind_of(part) for part in get_args(hint) if part is not type(None))
    return hint
