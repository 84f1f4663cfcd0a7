"""The command `info`: show what is installed, and which systems exist."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from ..systems.catalogue import CATALOGUE
from .messages import printer
from .outputs import show

PACKAGE = "spacy_arceager"
NAME_PART = "arceager"    # a part of every name that this package registers
SYSTEM_COLUMNS = ("System", "Derives", "At most", "Oracles", "Default", "Source")


def _show_version(wanted: bool) -> None:
    if wanted:
        show(f"{PACKAGE} {_find_version(PACKAGE)}")
        raise typer.Exit


def version_option(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Transition-based dependency parsing for spaCy."""


def info() -> None:
    """Show versions, which instructions compute, systems, and the names registered with spaCy.

    Example: arceager info
    """
    from ..kernels.versions import chosen_versions

    versions = [(name, _find_version(name)) for name in (PACKAGE, "spacy")]
    show(printer.table(versions, header=("Package", "Version"), divider=True))
    chosen = chosen_versions().items()
    show(printer.table(chosen, header=("Arithmetic", "On this processor"), divider=True))
    show(
        printer.table(
            list(describe_systems()),
            header=SYSTEM_COLUMNS,
            divider=True,
            max_col=80,
            footer=("", "", "", "* exact", "", ""),
        )
    )
    show(
        printer.table(
            _find_registered_names(),
            header=("Registry", "Name"),
            divider=True,
            max_col=80,
        )
    )


def describe_systems() -> Iterator[tuple[str, ...]]:
    """A row for each system of the catalogue, with the columns SYSTEM_COLUMNS.

    A * marks an oracle that gives exact costs for every projective gold tree and, if the system has
    SWAP, for every gold tree.
    """
    from ..oracles.registry import exact_oracles, oracles_for

    for entry in CATALOGUE.values():
        parameters = entry.parameters()
        exact = exact_oracles(parameters)
        oracles = (f"{name}*" if name in exact else name for name in oracles_for(parameters))
        yield (
            entry.name, entry.trees, entry.transitions, ", ".join(oracles), entry.oracle,
            entry.source,
        )


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _find_registered_names() -> list[tuple[str, str]]:
    """The names of this package in spaCy's registries: (registry, name)."""
    from spacy import registry

    return [
        (registry_name, name)
        for registry_name in registry.get_registry_names()
        for name in sorted(getattr(registry, registry_name).get_all())
        if NAME_PART in name
    ]
