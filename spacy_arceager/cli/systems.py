"""Which system a command works with: one of the catalogue, one of a config, or one's own."""

from collections.abc import Sequence
from dataclasses import fields, replace
from enum import Enum
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import srsly
import typer

from ..systems.catalogue import CATALOGUE, find_system
from ..systems.parameters import SystemParameters
from .messages import fail

if TYPE_CHECKING:
    from ..oracles.oracle import Oracle


class SwapOrder(str, Enum):
    """When an oracle takes a SWAP; see docs/oracles.md."""

    arcs_first = "arcs_first"
    eager = "eager"
    lazy = "lazy"


SystemOption = Annotated[
    str,
    typer.Option("--system", "-s", metavar="NAME", help="One of " + ", ".join(CATALOGUE) + "."),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="A config with the system in its block `system`."),
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="PARAMETER=VALUE",
        help="Change a control parameter of the system, e.g. distance=3, capacity=5, root=left.",
    ),
]
SwapOrderOption = Annotated[
    SwapOrder | None,
    typer.Option("--swap-order", help="With SWAP: when the static oracle takes it."),
]


def choose_system(
    name: str, config: Path | None = None, settings: Sequence[str] = ()
) -> tuple[str, SystemParameters]:
    """The system of a command line and what to call it; what is no system ends the command.

    Args:
        name: of the catalogue.
        config: a file whose system stands in its place.
        settings: "distance=3" and the like.
    """
    try:
        given = dict(map(_parse_setting, settings))
        if config is not None:
            if given:
                raise ValueError("--config and --set contradict each other")
            return _system_of_config(config)
        parameters = _change(name, given) if given else find_system(name)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return " ".join([name, *settings]), parameters


def make_oracle(kind: str, swap_order: SwapOrder | None) -> "Oracle":
    """An oracle by its name. Raises ValueError where there is none."""
    from ..oracles.oracle import Oracle

    return Oracle(kind, swap_order=swap_order.value) if swap_order else Oracle(kind)


def _parse_setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"'{text}' should be PARAMETER=VALUE")
    try:
        return name, srsly.json_loads(value)
    except ValueError:
        return name, value      # a string needs no quotes


def _change(name: str, settings: dict[str, Any]) -> SystemParameters:
    # Arguments of the function that makes the system, so that others follow from them; then
    # control parameters.
    find_system(name)
    make = CATALOGUE[name].make
    arguments = {key: settings.pop(key) for key in signature(make).parameters if key in settings}
    known = [field.name for field in fields(SystemParameters)]
    unknown = sorted(set(settings) - set(known))
    if unknown:
        raise ValueError(
            f"Parameter '{unknown[0]}' is unknown; use one of "
            + ", ".join(dict.fromkeys([*signature(make).parameters, *known]))
        )
    return replace(make(**arguments), **settings)


def _system_of_config(path: Path) -> tuple[str, SystemParameters]:
    from spacy import registry
    from thinc.api import Config

    try:
        config = Config().from_disk(path)
    except (OSError, ValueError) as error:
        fail("Cannot read the config.", f"{path}: {error}")
    blocks = [
        block["system"]
        for block in config.get("components", {}).values()
        if block.get("factory") == "arceager_parser" and "system" in block
    ]
    if len(blocks) != 1:
        raise ValueError(f"{path} has {len(blocks)} blocks `system` of an arceager_parser, not one")
    (system,) = blocks
    if isinstance(system, str):
        return str(path), find_system(system)
    return str(path), registry.resolve({"system": system})["system"]
