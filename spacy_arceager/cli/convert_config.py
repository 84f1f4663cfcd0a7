"""The command `convert-config`: replace the parser in a spaCy config by the one of this package."""

import configparser
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import did_you_mean
from ..systems.catalogue import TREE_SYSTEMS
from .configs import (
    PROJECTION,
    ConfigArgument,
    ForceOption,
    SystemOption,
    can_segment,
    make_config,
    write_config,
)
from .messages import fail, warn

if TYPE_CHECKING:
    from thinc.api import Config

SPLITTERS = {"senter", "sentencizer"}


def convert_config(
    source: Annotated[Path, typer.Argument(metavar="CONFIG", help="Config for `spacy train`.")],
    output: ConfigArgument = None,
    system: SystemOption = "arc_eager_nm",
    force: ForceOption = False,
) -> None:
    """Replace spaCy's parser in a config; all other lines stay as they are.

    The parser of this package takes over the name, the token vectors and the layer sizes of
    spaCy's parser. Like spaCy's, it finds sentence boundaries, unless a component before it does.
    Warnings go to stderr.

    Exit codes: 0 done, 1 a file cannot be read or written, 2 wrong usage.

    Example: arceager convert-config spacy.cfg ours.cfg
    """
    from spacy.util import load_config

    try:
        before = source.read_text(encoding="utf8")
        config = load_config(source, interpolate=False)
    except (OSError, ValueError, configparser.Error) as error:
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
    command = f"spacy train {quote(str(output))}"
    if config.get("paths", {}).get("train", "") is None:
        command += " --paths.train train.spacy --paths.dev dev.spacy"
    write_config(output, text, force, command)


def replace_sections(text: str, config: "Config", names: Sequence[str]) -> str | None:
    """The text of a config with the sections of some components replaced.

    All other lines keep their order and comments. A comment belongs to the section below it.

    Args:
        config: the new config. It differs from the old one in these components alone.

    Returns:
        None where the new text would not read as `config`. This happens where the old text sets a
        component's values outside the component's own sections.
    """
    from thinc.api import Config

    lines: list[str] = []
    written: set[str] = set()
    for section in split_sections(text):
        header = re.search(r"^\[([^\]\n]+)\]", section, flags=re.MULTILINE)
        path = header[1].split(".") if header else []
        name = path[1] if path[:1] == ["components"] and len(path) > 1 else ""
        if name in names and name not in written:
            block = Config({"components": {name: config["components"][name]}})
            lines.append(section[: header.start()] if header else "")
            lines.append(block.to_str(interpolate=False).removeprefix("[components]\n\n") + "\n\n")
            written.add(name)
        elif name not in names and not (
            path[:2] == ["initialize", "components"] and path[2:3] and path[2] in names
        ):
            lines.append(section)
    replaced = "".join(lines)
    is_same = Config().from_str(replaced, interpolate=False) == config
    return replaced if is_same else None


def split_sections(text: str) -> list[str]:
    """The sections of a config, each with the comments right above it."""
    starts = [match.start() for match in re.finditer(r"(?:^[#;].*\n)*^\[", text, re.MULTILINE)]
    return [text[start:end] for start, end in pairwise([0, *starts, len(text)])]


def replace_parsers(config: "Config", system: str) -> tuple[list[str], list[str]]:
    """Replace, in place, each component that spaCy's factory `parser` makes.

    Returns:
        The names of these components, and the warnings for the user.

    Raises:
        ValueError: If the config has no such component, or the system is not one that builds trees.
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
            'No component of the config has factory = "parser". One with factory = "beam_parser" '
            "needs that factory first, and one with a `source` a factory and a model of its own"
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
        block = parser_block(components[name].get("model", {}), system, segment)
        components[name] = block
        if block["model"]["projection"] is not None:
            notes.append(
                f"'{name}': its layers need a higher learning rate than the transformer below. Let "
                "training.optimizer be arceager.Adam.v1, with a rate of 0.001 and "
                "pytorch_rate = 0.05."
            )
        notes += _clean_up(config, name)
    return names, notes


def parser_block(old: dict[str, Any], system: str, segment: bool) -> dict[str, Any]:
    """The block of the new parser, with the token vectors and sizes of spaCy's model `old`."""
    from thinc.api import Config

    made = Config().from_str(make_config(system, segment=segment), interpolate=False)
    block = made["components"]["arceager_parser"]
    model = block["model"]
    model.update({key: old[key] for key in ("hidden_width", "maxout_pieces") if key in old})
    if "tok2vec" in old:
        model["tok2vec"] = old["tok2vec"]
        # A transformer's vectors are too wide for the layers on the CPU.
        if "transformer" in str(old["tok2vec"].get("@architectures", "")).lower():
            model["projection"] = PROJECTION
    else:
        del model["tok2vec"]    # `spacy init fill-config` gives it that of the factory
    return block


def _finds_sentences(config: "Config", name: str) -> bool:
    """Whether a component before the parser finds sentence boundaries."""
    nlp = config.get("nlp", {})
    pipeline: list[str] = nlp.get("pipeline", [])
    before: Iterable[str] = pipeline[: pipeline.index(name)] if name in pipeline else ()
    return any(
        config["components"].get(other, {}).get("factory") in SPLITTERS
        for other in before
        if other not in nlp.get("disabled", [])
    )


def _clean_up(config: "Config", name: str) -> list[str]:
    """Remove what does not fit the new parser, and return the warnings for the user."""
    notes = []
    if config.get("initialize", {}).get("components", {}).pop(name, None):
        notes.append(
            f"'{name}': the block in [initialize.components] is left out, because labels saved for "
            "spaCy's parser do not fit. `spacy init labels` makes new ones."
        )
    if name in config.get("training", {}).get("frozen_components", []):
        notes.append(f"'{name}' is frozen, so it would not be trained.")
    return notes
