"""The page of the pipelines, made of their records and of what others have published.

python -m release.pages writes anew what stands in docs/pipelines.md between
`<!-- pipelines: NAME -->` and `<!-- end of pipelines -->`; NAME is a function of PARTS.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import srsly

from replication.tables import as_markdown
from spacy_arceager.evaluation.shares import percent

from .languages import ROWS
from .packages import ENCODER, KINDS, SMALL, Kind

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


def read_records(kind: Kind) -> list[Record]:
    """The records of a kind, in the order of treebanks.yml, each with its language's code."""
    paths = {code: RECORDS / f"{code}_{kind.name}.json" for code in srsly.read_yaml(ROWS)}
    return [
        {"code": code, **srsly.read_json(path)} for code, path in paths.items() if path.exists()
    ]


def read_published() -> dict[str, Record]:
    """What others have published, by the names of their systems."""
    return srsly.read_yaml(PUBLISHED)["systems"]


def scores() -> str:
    """A table of all small pipelines, with the scores on raw text."""
    return show_scores(SMALL)


def encoder_scores() -> str:
    """A table of all pipelines over a pretrained encoder, with the scores on raw text."""
    return show_scores(ENCODER)


def show_scores(kind: Kind) -> str:
    """A table of the pipelines of a kind, and their mean."""
    figures = {}
    for record in read_records(kind):
        dev, name = record["scores"]["dev"], record["language"]
        figures[f"[{name}](#{name.lower()})"] = [
            *(100 * dev["raw"][score] for score in SHOWN), 100 * dev["gold"]["dep_las_ud"],
            record["speed"], record["wheel"] / 1e6,
        ]
    figures["mean"] = [mean(column) for column in zip(*figures.values(), strict=True)]
    rows = [
        [name, *(f"{value:,.0f}" if value > 100 else f"{value:.1f}" for value in values)]
        for name, values in figures.items()
    ]
    return as_markdown(["", *SHOWN, "LAS, gold tokens", "words/s", "wheel, MB"], rows) + "\n"


def published() -> str:
    """A table of LAS beside that of others."""
    systems = read_published()
    over_encoder = {record["code"]: read_las(record) for record in read_records(ENCODER)}
    rows = []
    for record in read_records(SMALL):
        others = [system["las"].get(record["code"]) for system in systems.values()]
        ours = [read_las(record), over_encoder.get(record["code"])]
        rows.append([
            record["language"], *map(show_las, ours), record["release"], *map(show_las, others),
            ", ".join(show_place(las, others) for las in ours if las),
        ])
    header = [
        "LAS on raw text (gold tokens)", "ours, dev", "ours with the encoder, dev", "its treebank",
        *(f"{name}, {system['trained on']}, test" for name, system in systems.items()),
        "our places on raw text",
    ]
    return as_markdown(header, rows) + "\n"


def read_las(record: Record) -> list[float]:
    """LAS on raw text and on gold tokens."""
    dev = record["scores"]["dev"]
    return [100 * dev["raw"]["LAS"], 100 * dev["gold"]["dep_las_ud"]]


def show_place(ours: list[float], others: list[list[float] | None]) -> str:
    """The place of our LAS on raw text among others, of which some are not known."""
    known = [las[0] for las in others if las]
    return f"{1 + sum(las > ours[0] for las in known)} of {1 + len(known)}"


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
    ] for kind in KINDS.values() for record in read_records(kind)]) + "\n"


def languages() -> str:
    """A section for each language."""
    over_encoder = {record["code"]: record for record in read_records(ENCODER)}
    return "\n".join(
        section(record, over_encoder.get(record["code"])) for record in read_records(SMALL)
    )


def section(record: Record, over_encoder: Record | None) -> str:
    """All scores of the pipelines of a language, and a drawing."""
    dev = record["dev"]
    header = [
        f"{dev['words']:,} words, {dev['sentences']:,} sentences", *record["scores"]["dev"]["raw"]
    ]
    rows = [*score_rows(record), *(score_rows(over_encoder) if over_encoder else ())]
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


def score_rows(record: Record) -> list[list[str]]:
    """All scores of a pipeline, on raw text and on gold tokens."""
    raw, gold = record["scores"]["dev"]["raw"], record["scores"]["dev"]["gold"]
    kind = record["package"].rpartition("_")[2]
    return [
        [f"{kind}, raw text, F1", *(percent(score, 1) for score in raw.values())],
        [f"{kind}, gold tokens", *(percent(gold.get(GOLD.get(name, "")), 1) for name in raw)],
    ]


def describe_errors(errors: Mapping[str, int]) -> str:
    """How many errors of each kind there are."""
    names = {"morpho": "morphology"}
    found = [f"{count:,} of {names.get(kind, kind)}" for kind, count in errors.items()]
    return ", ".join(found) or "none"


PARTS = {
    part.__name__: part
    for part in (scores, encoder_scores, treebanks, published, sources, languages)
}


def renew(page: str) -> str:
    """The page with all marked parts made anew."""
    return MARKED.sub(lambda mark: mark[1] + PARTS[mark[2]]() + mark[3], page)


if __name__ == "__main__":
    PAGE.write_text(renew(PAGE.read_text(encoding="utf8")), encoding="utf8")
