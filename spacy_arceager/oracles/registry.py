"""All oracles, and the one that a name stands for in a system."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ..errors import unknown_name
from ..systems.parameters import SystemParameters
from . import cost_functions
from .rows import OracleOption, Row


def find_rows() -> Iterator[Row]:
    """Yield the rows of all modules in `cost_functions/`."""
    for module_info in iter_modules(cost_functions.__path__):
        module = import_module(f"{cost_functions.__name__}.{module_info.name}")
        yield from (value for value in vars(module).values() if isinstance(value, Row))


ROWS = tuple(sorted(find_rows(), key=lambda row: row.name))
NAMES = tuple(dict.fromkeys(row.name for row in ROWS))


def rows_of(name: str) -> list[Row]:
    """All rows that have a name. Raises ValueError if there is none."""
    rows = [row for row in ROWS if row.name == name]
    if not rows:
        raise ValueError(unknown_name(f"Oracle '{name}'", name, NAMES))
    return rows


def options_of(name: str) -> dict[str, OracleOption]:
    """The options of all oracles that have a name, by the name of the option."""
    return {option.name: option for row in rows_of(name) for option in row.options}


@cache
def find_row(name: str, parameters: SystemParameters) -> Row:
    """The row of the oracle that has a name and suits a system.

    Raises:
        ValueError: If no oracle of that name suits the system. The message says what it needs and
            which oracles suit the system.
    """
    rows = rows_of(name)
    for row in rows:
        if row.suits(parameters):
            return row
    needs = "; or ".join(dict.fromkeys(str(row.lacks(parameters)) for row in rows))
    others = ", ".join(oracles_for(parameters))
    raise ValueError(
        f"The {name.replace('_', '-')} oracle is not made for system '{parameters.name}': it "
        f"needs {needs}. {f'Use one of {others}' if others else 'No other oracle is, either'}"
    )


@cache
def oracles_for(parameters: SystemParameters) -> tuple[str, ...]:
    """The names of all oracles that suit a system."""
    return tuple(
        name for name in NAMES if any(row.suits(parameters) for row in rows_of(name))
    )


def exact_oracles(parameters: SystemParameters) -> tuple[str, ...]:
    """The names of the oracles that are exact for a system; see `Row.is_exact`."""
    return tuple(
        name for name in oracles_for(parameters)
        if find_row(name, parameters).is_exact(parameters)
    )


def advised_oracle(parameters: SystemParameters) -> str:
    """The name of the oracle that is advised for a system, or "static" if none is advised.

    A dynamic oracle that is not advised is better for some systems and misleading for others.
    """
    advised = (row.name for row in ROWS if row.suits(parameters) and row.is_advised(parameters))
    return next(advised, "static")
