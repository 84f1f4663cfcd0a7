"""The oracles that a config can name, and those that are taken where none is named."""

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..systems.catalogue import find_entry
from ..systems.parameters import SystemParameters
from .oracle import Oracle
from .registry import NAMES, advised_oracle, find_row, options_of, oracles_for


def factory(name: str) -> Callable[..., Oracle]:
    """What arceager.NAME_oracle.v1 calls: a function of the options of an oracle."""

    def make(**options: Any) -> Oracle:
        return Oracle(name, **options)

    parameters = [
        inspect.Parameter(
            option.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=type(option.default),
        )
        for option in options_of(name).values()
    ]
    make.__name__ = f"{name}_oracle"
    make.__signature__ = inspect.Signature(parameters, return_annotation=Oracle)  # type: ignore[attr-defined]
    return make


# One for each name, for the entry points of the package.
factories = SimpleNamespace(**{name: factory(name) for name in NAMES})


def default_oracle(parameters: SystemParameters) -> Oracle:
    """The oracle of a system where the config names none: that of the catalogue, if any."""
    entry = find_entry(parameters)
    if entry is not None and entry.oracle in oracles_for(parameters):
        return Oracle(entry.oracle, **entry.oracle_settings)
    return Oracle(advised_oracle(parameters))


def constraint_oracle(parameters: SystemParameters) -> Oracle | None:
    """The oracle that says whether arcs fixed in advance can still be had.

    An exact one; where there is none, that which comes closest; None where a system has
    neither.
    """
    names = oracles_for(parameters)
    name = next((name for name in ("exact", "dynamic") if name in names), None)
    if name is None:
        return None
    preferences = {option.name: False for option in find_row(name, parameters).options}
    return Oracle(name, **preferences)
