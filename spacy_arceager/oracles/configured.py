"""The oracles that a config can name, and the oracles that serve if it names none."""

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..systems.catalogue import find_entry
from ..systems.parameters import SystemParameters
from .oracle import Oracle
from .registry import NAMES, advised_oracle, find_row, options_of, oracles_for


def factory(name: str) -> Callable[..., Oracle]:
    """The function behind arceager.NAME_oracle.v1, which has the options as its arguments."""

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


# The entry points of the package name these functions.
factories = SimpleNamespace(**{name: factory(name) for name in NAMES})


def default_oracle(parameters: SystemParameters) -> Oracle:
    """The oracle that trains a system if its config names none.

    It is the oracle of the catalogue, or the advised one for a system that is not there.
    """
    entry = find_entry(parameters)
    if entry is not None and entry.oracle in oracles_for(parameters):
        return Oracle(entry.oracle, **entry.oracle_settings)
    return Oracle(advised_oracle(parameters))


def constraint_oracle(parameters: SystemParameters) -> Oracle | None:
    """The oracle that tells which transitions make arcs that were fixed in advance impossible.

    It is the exact oracle of a system or, if it has none, the dynamic one. None if it has neither.
    """
    names = oracles_for(parameters)
    name = next((name for name in ("exact", "dynamic") if name in names), None)
    if name is None:
        return None
    preferences = {option.name: False for option in find_row(name, parameters).options}
    return Oracle(name, **preferences)
