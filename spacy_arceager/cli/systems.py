"""The system that a command uses: one of the catalogue, one of a config, or a new one."""

import configparser
import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ..errors import unknown_name
from ..systems.catalogue import CATALOGUE, find_system
from ..systems.named import custom_system
from ..systems.parameters import ArcParameters, SystemParameters
from .messages import fail
from .pipeline import explain

if TYPE_CHECKING:
    from ..oracles.oracle import Oracle

SwapOrder = Literal["arcs_first", "eager", "lazy"]

SystemOption = Annotated[
    str | None,
    typer.Option(
        "--system", "-s", metavar="NAME",
        help="One of " + ", ".join(CATALOGUE) + ". By default arc_eager.",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="Config whose arceager_parser has the system to use."),
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="PARAMETER=VALUE",
        help="Change a control parameter of the system, e.g. distance=3, root=left, "
        "left.periphery=any.",
    ),
]
SwapOrderOption = Annotated[
    SwapOrder | None,
    typer.Option(
        "--swap-order",
        help="When the static oracle chooses SWAP, if there is one: arcs_first, eager or lazy.",
    ),
]


def refuse_two_systems(config: Path | None, named: object) -> None:
    """Raise typer.BadParameter if a system is named beside a config, which has one."""
    if config is not None and named:
        raise typer.BadParameter("--config names a system, so it does not go with --system.")


def choose_system(
    name: str, config: Path | None = None, settings: Sequence[str] = ()
) -> tuple[str, SystemParameters, dict[str, Any] | None]:
    """The system that a command line asks for.

    Args:
        config: a config whose system is used instead.
        settings: changes of parameters, such as "distance=3".

    Returns:
        Its name, its parameters, and the block of the oracle that the config names, or None.

    Raises:
        typer.BadParameter: If there is no such system, or a setting is invalid.
    """
    try:
        changes = dict(map(_parse_setting, settings))
        if config is not None:
            if changes:
                raise ValueError("--config and --set contradict each other")
            return _read_config(config)
        parameters = _change(name, changes) if changes else find_system(name)
    except ValueError as error:
        raise typer.BadParameter(explain(str(error))) from None
    return " ".join([name, *settings]), parameters, None


def make_oracle(kind: str, swap_order: SwapOrder | None) -> "Oracle":
    """An oracle by its name, or by the name under which a file of --code registers it.

    Raises:
        ValueError: If there is no such oracle.
        TypeError: If what is registered is no oracle.
    """
    from spacy import registry

    from ..oracles.oracle import Oracle
    from ..oracles.registry import NAMES

    options: dict[str, str] = {"swap_order": swap_order} if swap_order else {}
    if kind not in NAMES and registry.has("misc", kind):
        return resolve_oracle({"@misc": kind, **options})
    return Oracle(kind, **options)


def _parse_setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"'{text}' should be PARAMETER=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value      # a string needs no quotes


def _change(name: str, settings: dict[str, Any]) -> SystemParameters:
    # The arguments of the function that makes the system come first, because it derives control
    # parameters from them. Then single control parameters, or parts of two, are replaced.
    find_system(name)
    make = CATALOGUE[name].make
    arguments = {key: settings.pop(key) for key in signature(make).parameters if key in settings}
    parameters = asdict(make(**arguments))
    parts = [f"{side}.{part.name}" for side in ("left", "right") for part in fields(ArcParameters)]
    known = [*parameters, *parts]
    unknown = sorted(set(settings) - set(known))
    if unknown:
        names = dict.fromkeys([*signature(make).parameters, *known])
        raise ValueError(unknown_name(f"Parameter '{unknown[0]}'", unknown[0], names))
    for key, value in settings.items():
        side, _, part = key.partition(".")
        if part and side in settings:
            raise ValueError(f"--set {side} and --set {key} contradict each other")
        parameters[side] = {**parameters[side], part: value} if part else value
    return custom_system(**parameters)


def resolve_oracle(block: dict[str, Any]) -> "Oracle":
    """The oracle of a block of a config. Raises ValueError or TypeError if it is none."""
    from spacy import registry

    from ..oracles.python_oracle import as_oracle

    return as_oracle(registry.resolve({"oracle": block})["oracle"])


def _read_config(path: Path) -> tuple[str, SystemParameters, dict[str, Any] | None]:
    from spacy import registry

    parser = _parser_of_config(path)
    system = parser["system"]
    if isinstance(system, str):
        parameters = find_system(system)
    else:
        parameters = registry.resolve({"system": system})["system"]
    if not isinstance(parameters, SystemParameters):
        raise ValueError(f"{path}: the parser's system is no transition system")
    return str(path), parameters, parser.get("oracle")


def _parser_of_config(path: Path) -> dict[str, Any]:
    """The block of the parser in a config."""
    from thinc.api import Config

    try:
        config = Config().from_disk(path)
    except (OSError, ValueError, configparser.Error) as error:
        fail("Cannot read the config.", f"{path}: {error}")
    blocks: list[dict[str, Any]] = [
        block for block in config.get("components", {}).values()
        if block.get("factory") == "arceager_parser" and "system" in block
    ]
    if len(blocks) != 1:
        raise ValueError(f"{path} has {len(blocks)} blocks `system` of an arceager_parser, not one")
    return blocks[0]
