"""The page of the pipelines, made of their records and of what others have published.

python -m release.pages writes anew what stands in docs/pipelines.md between
`<!-- pipelines: NAME -->` and `<!-- end of pipelines -->`; NAME is a function of PARTS.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import srsly

from replication.tables import as_markdown
from spacy_arceager.evaluation.shares import percent

from .languages import ROWS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "pipelines.md"
RECORDS = ROOT / "benchmarks" / "record" / "pipelines"
PUBLISHED = ROWS.with_name("published.yml")
MARKED = re.compile(r"(<!-- pipelines: (\w+) -->\n).*?(<!-- end of pipelines -->)", re.DOTALL)
# The scores of raw text that the table of all languages has.
SHOWN = ("Words", "Sentences", "UPOS", "UFeats", "Lemmas", "UAS", "LAS", "MLAS", "BLEX")
GOLD = {
    "UPOS": "pos_acc", "XPOS": "tag_acc", "UFeats": "morph_acc", "Lemmas": "lemma_acc",
    "UAS": "dep_uas_ud", "LAS": "dep_las_ud",
}
Record = dict[str, Any]


def read_records() -> list[Record]:
    """The records that there are, in the order of treebanks.yml, each with its language's code."""
    paths = [RECORDS / f"{code}.json" for code in srsly.read_yaml(ROWS)]
    return [{"code": path.stem, **srsly.read_json(path)} for path in paths if path.exists()]


def read_published() -> dict[str, Record]:
    """What others have published, by the names of their systems."""
    return srsly.read_yaml(PUBLISHED)["systems"]


def scores() -> str:
    """A table of all languages, with the scores on raw text."""
    rows = []
    for record in read_records():
        dev, name = record["scores"]["dev"], record["language"]
        rows.append([
            f"[{name}](#{name.lower()})", *(percent(dev["raw"][score], 1) for score in SHOWN),
            percent(dev["gold"]["dep_las_ud"], 1), f"{record['speed']:,}",
            f"{record['wheel'] / 1e6:.1f}",
        ])
    return as_markdown(["", *SHOWN, "LAS, gold tokens", "words/s", "wheel, MB"], rows) + "\n"


def published() -> str:
    """A table of LAS beside that of others."""
    systems = read_published()
    rows = []
    for record in read_records():
        dev = record["scores"]["dev"]
        ours = [100 * dev["raw"]["LAS"], 100 * dev["gold"]["dep_las_ud"]]
        others = [system["las"].get(record["code"]) for system in systems.values()]
        place = 1 + sum(las[0] > ours[0] for las in others if las)
        rows.append([
            record["language"], show_las(ours), record["release"], *map(show_las, others),
            f"{place} of {1 + sum(map(bool, others))}",
        ])
    header = [
        "LAS on raw text (gold tokens)", "ours, dev", "its treebank",
        *(f"{name}, {system['trained on']}, test" for name, system in systems.items()),
        "our place on raw text",
    ]
    return as_markdown(header, rows) + "\n"


def show_las(las: list[float] | None) -> str:
    """LAS on raw text, and on gold tokens if it is known; "-" for None."""
    return "-" if las is None else f"{las[0]:.1f}" + "".join(f" ({one:.1f})" for one in las[1:])


def sources() -> str:
    """A list of where the published figures stand."""
    return "".join(
        f"- {name}: [{Path(system['source']).name}]({system['source']})\n"
        for name, system in read_published().items()
    )


def treebanks() -> str:
    """A table of the packages, what they were trained on, and the faults of their trees."""
    header = [
        "package", "MB unpacked", "treebank", "release", "licence", "sentences",
        "errors that UD's validator finds",
    ]
    return as_markdown(header, [[
        f"`{record['package']}` {record['version']} ({record['date']})",
        f"{record['size'] / 1e6:.1f}", f"[{record['treebank']}]({record['url']})",
        record["release"], record["licence"], f"{record['training sentences']:,}",
        describe_errors(record["errors"]),
    ] for record in read_records()]) + "\n"


def languages() -> str:
    """A section for each language."""
    return "\n".join(map(section, read_records()))


def section(record: Record) -> str:
    """All scores of a pipeline, and a drawing."""
    dev = record["dev"]
    raw, gold = record["scores"]["dev"]["raw"], record["scores"]["dev"]["gold"]
    rows = [
        ["raw text, F1", *(percent(score, 1) for score in raw.values())],
        ["gold tokens", *(percent(gold.get(GOLD.get(name, "")), 1) for name in raw)],
    ]
    header = [f"{dev['words']:,} words, {dev['sentences']:,} sentences", *raw]
    return "\n".join([
        f"### {record['language']}",
        "",
        as_markdown(header, rows),
        "",
        "```",
        record["example"],
        "```",
        "",
    ])


def describe_errors(errors: Mapping[str, int]) -> str:
    """How many errors of each kind there are."""
    names = {"morpho": "morphology"}
    found = [f"{count:,} of {names.get(kind, kind)}" for kind, count in errors.items()]
    return ", ".join(found) or "none"


PARTS = {part.__name__: part for part in (scores, treebanks, published, sources, languages)}


def renew(page: str) -> str:
    """The page with all marked parts made anew."""
    return MARKED.sub(lambda mark: mark[1] + PARTS[mark[2]]() + mark[3], page)


if __name__ == "__main__":
    PAGE.write_text(renew(PAGE.read_text(encoding="utf8")), encoding="utf8")
