"""The command `info`: what is installed, and which systems there are."""

from importlib.metadata import PackageNotFoundError, version

import typer

from ..systems.catalogue import CATALOGUE
from .messages import printer

OWN_NAME = "arceager"


def info() -> None:
    """Show the installed versions, the systems and the names registered with spaCy."""
    versions = [(name, _find_version(name)) for name in ("spacy_arceager", "spacy")]
    typer.echo(printer.table(versions, header=("Package", "Version"), divider=True))
    typer.echo(
        printer.table(
            [
                (name, entry.trees, entry.transitions, ", ".join(entry.oracles), entry.source)
                for name, entry in CATALOGUE.items()
            ],
            header=("System", "Derives", "At most", "Oracles", "Source"),
            divider=True,
            max_col=80,
        )
    )
    typer.echo(
        printer.table(
            _find_registered_names(),
            header=("Registry", "Name"),
            divider=True,
            max_col=80,
        )
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
        if OWN_NAME in name
    ]
