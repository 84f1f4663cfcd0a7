"""How `--help` names the values of options, and what is said of a misspelt choice."""

from collections.abc import Callable, Iterator
from enum import Enum
from inspect import signature
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import ParameterInfo

from ..errors import did_you_mean

Choice = TypeVar("Choice", bound=Enum)

# Whether this typer makes members of what a parser returns, as it does of values without a parser.
FINDS_MEMBERS = hasattr(typer.main, "generate_enum_convertor")
# Where typer would write a Python type, such as <list[Path]>. A switch has no value.
NAMES = {bool: "", int: "N", float: "X", str: "TEXT", Path: "PATH", Enum: "NAME"}


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


def name_values(command: Callable[..., None]) -> None:
    """Name the values of a command's parameters, and let choices suggest the most similar name.

    What a parameter says itself, by `metavar` or `parser`, stays.
    """
    for info, kind in find_parameters(command):
        _name_value(info, kind)


def find_parameters(command: Callable[..., None]) -> Iterator[tuple[ParameterInfo, type]]:
    """What typer is told of each parameter of a command, and the type of one of its values."""
    # Python 3.10's get_type_hints would put an Optional around a parameter whose default is None.
    for parameter in signature(command).parameters.values():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            if isinstance(info, ParameterInfo):
                yield info, kind_of(get_args(parameter.annotation)[0])


def _name_value(info: ParameterInfo, kind: type) -> None:
    is_choice = issubclass(kind, Enum)
    if is_choice and info.parser is None:
        info.parser = _choose(kind)
    if info.metavar is None:
        info.metavar = NAMES[Enum if is_choice else kind]


def kind_of(hint: Any) -> type:
    """The type of one value, without the list or the None around it."""
    if get_origin(hint) in (Union, UnionType, list):
        return next(kind_of(part) for part in get_args(hint) if part is not type(None))
    return hint


def _choose(kind: type[Choice]) -> Callable[[Any], Choice | str]:
    """The function that finds a member of a class of choices by its name."""
    def find(name: Any) -> Choice | str:
        names = [member.value for member in kind]
        value = name.value if isinstance(name, kind) else str(name).lower()     # or the default
        if value not in names:
            raise typer.BadParameter(
                f"{name!r} is not one of {', '.join(names)}{did_you_mean(value, names)}"
            )
        return value if FINDS_MEMBERS else kind(value)

    return find
