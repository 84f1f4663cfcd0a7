"""The command `convert-config`: the parser of an existing spaCy config replaced by ours."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import did_you_mean
from ..systems.catalogue import TREE_SYSTEMS
from .init_config import can_segment, make_config, write_config
from .messages import fail, report, warn

if TYPE_CHECKING:
    from thinc.api import Config

SPLITTERS = {"senter", "sentencizer"}


def convert_config(
    source: Annotated[Path, typer.Argument(metavar="CONFIG", help="Config for `spacy train`.")],
    output: Annotated[
        Path | None, typer.Argument(metavar="[OUT]", help="File to write; stdout by default.")
    ] = None,
    system: Annotated[
        str, typer.Option("--system", "-s", metavar="NAME", help="One that `arceager info` lists.")
    ] = "arc_eager_nm",
    force: Annotated[bool, typer.Option("--force", "-F", help="Overwrite a file.")] = False,
) -> None:
    """Replace spaCy's parser in a config; all other lines stay as they are.

    Its name, token vectors and sizes stay too. It finds sentence boundaries itself, as
    spaCy's does, unless a component before it does. What else there is to know goes to
    stderr. Exit codes: 0 done, 1 a file cannot be read or written, 2 wrong usage.

    Example: arceager convert-config spacy.cfg ours.cfg
    """
    from spacy.util import load_config

    try:
        before = source.read_text(encoding="utf8")
        config = load_config(source, interpolate=False)
    except (OSError, ValueError) as error:
        fail("Cannot read the config.", f"{source}: {error}")
    try:
        names, notes = replace_parsers(config, system)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    text = replace_sections(before, config, names)
    if text is None:
        text = config.to_str(interpolate=False) + "\n"
        notes.append("The config is written anew, so its comments are gone.")
    for note in notes:
        warn(note)
    if output is None or str(output) == "-":
        typer.echo(text, nl=False)
    else:
        write_config(output, text, force)
        report(f"Saved the config to {output}. To train:", f"spacy train {quote(str(output))}")


def replace_sections(text: str, config: "Config", names: Sequence[str]) -> str | None:
    """The text of a config with the sections of some components replaced, else as it was.

    Args:
        config: what the text is to say; it differs in these components alone.
        names: of the components.

    Returns:
        None where that cannot be said by other sections, as some settings stand inline.
    """
    from thinc.api import Config

    sections = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    lines: list[str] = []
    written: set[str] = set()
    for section in sections:
        header = re.match(r"\[([^\]\n]+)\]", section)
        path = header[1].split(".") if header else []
        name = path[1] if path[:1] == ["components"] and len(path) > 1 else ""
        if name in names and name not in written:
            block = Config({"components": {name: config["components"][name]}})
            lines.append(block.to_str(interpolate=False).removeprefix("[components]\n\n") + "\n\n")
            written.add(name)
        elif name not in names and not (
            path[:2] == ["initialize", "components"] and path[2:3] and path[2] in names
        ):
            lines.append(section)
    replaced = "".join(lines)
    is_same = Config().from_str(replaced, interpolate=False) == config
    return replaced if is_same else None


def replace_parsers(config: "Config", system: str) -> tuple[list[str], list[str]]:
    """Replace, in place, each component that spaCy's factory `parser` makes.

    Args:
        system: its name in the catalogue.

    Returns:
        The names of these components, and what a user should know.

    Raises:
        ValueError: Where there is no such component, or a system that builds no trees.
    """
    if system not in TREE_SYSTEMS:
        raise ValueError(
            f"System '{system}' cannot replace a parser; use one of {', '.join(TREE_SYSTEMS)}"
            + did_you_mean(system, TREE_SYSTEMS)
        )
    components = config.get("components", {})
    names = [name for name, block in components.items() if block.get("factory") == "parser"]
    if not names:
        raise ValueError(
            'No component of the config has factory = "parser"; one that has a `source` '
            "needs a factory and a model of its own first"
        )
    notes = []
    for name in names:
        segment = not _finds_sentences(config, name)
        if segment and not can_segment(system):
            segment = False
            notes.append(
                f"'{name}': system '{system}' does not find sentence boundaries, so each Doc is "
                "one sentence; put a 'senter' before it."
            )
        components[name] = parser_block(components[name].get("model", {}), system, segment)
        notes += _clean_up(config, name)
    return names, notes


def parser_block(old: dict[str, Any], system: str, segment: bool) -> dict[str, Any]:
    """The block of our parser with the token vectors and sizes of spaCy's model `old`."""
    from thinc.api import Config

    made = Config().from_str(make_config(system, segment=segment), interpolate=False)
    block = made["components"]["arceager_parser"]
    model = block["model"]
    model.update({key: old[key] for key in ("hidden_width", "maxout_pieces") if key in old})
    if "tok2vec" in old:
        model["tok2vec"] = old["tok2vec"]
        # A transformer's vectors are too wide for the layers on the CPU.
        is_wide = "transformer" in str(old["tok2vec"].get("@architectures", "")).lower()
        model["projection"] = model["projection"] if is_wide else None
    return block


def _finds_sentences(config: "Config", name: str) -> bool:
    # Whether a component before the parser does.
    nlp = config.get("nlp", {})
    pipeline: list[str] = nlp.get("pipeline", [])
    before: Iterable[str] = pipeline[: pipeline.index(name)] if name in pipeline else ()
    return any(
        config["components"].get(other, {}).get("factory") in SPLITTERS
        for other in before
        if other not in nlp.get("disabled", [])
    )


def _clean_up(config: "Config", name: str) -> list[str]:
    notes = []
    if config.get("initialize", {}).get("components", {}).pop(name, None):
        notes.append(
            f"'{name}': its block in [initialize.components] is left out: labels saved for spaCy's "
            "parser are others. `spacy init labels` makes new ones."
        )
    if name in config.get("training", {}).get("frozen_components", []):
        notes.append(f"'{name}' is frozen, so it would not be trained.")
    return notes
