"""The model card of a pipeline: what it is made of, how good, how fast and how large it is.

Its facts stand in the pipeline's meta.json, and in the record that the documentation is made of.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import spacy
import srsly

from replication.trainings import Treebank, describe_program
from spacy_arceager.visual import render_tree

from .packages import VERSION, Package
from .scoring import KINDS, SPLITS, count_errors, measure_speed
from .supplement import count_sentences

GOLD = (
    "dep_uas", "dep_las", "dep_uas_ud", "dep_las_ud", "dep_las_full", "dep_exact",
    "dep_multiple_roots", "tag_acc", "pos_acc", "morph_acc", "lemma_acc",
)
LIMITS = (
    "It has no entities and no word vectors of its own.",
    "Scores on the development file are a little too high: that file also chose the state of the "
    "training that was kept.",
    "Text unlike that of the treebank is parsed worse.",
)


def read_scores(folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    """The scores that `score` wrote: by split and kind, from 0 to 1."""
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for split in SPLITS:
        for kind in KINDS:
            path = folder / f"{split}-{kind}.json"
            if path.exists():
                found = srsly.read_json(path)
                scores.setdefault(split, {})[kind] = (
                    {name: row["f1"] for name, row in found["raw"].items()} if kind == "raw"
                    else {name: found[name] for name in GOLD if found.get(name) is not None}
                )
    return scores


def make_record(
    package: Package, treebank: Treebank, pipeline: Path, trained: str,
    sources: Sequence[Mapping[str, str]],
) -> dict[str, Any]:
    """All that is known of a pipeline, but for the size of its wheel.

    Args:
        pipeline: its folder, with the scores beside it.
        trained: the commit that trained it.
        sources: what it learns from beside the treebank.
    """
    row = package.language
    dev = srsly.read_json(pipeline.parent / "dev-raw.json")
    performance = srsly.read_json(pipeline / "meta.json")["performance"]
    return {
        "language": row.language,
        "package": package.name,
        "version": VERSION,
        "date": datetime.now(timezone.utc).date().isoformat(),
        "treebank": row.treebank,
        "release": row.release,
        "licence": row.licence,
        "url": row.url,
        "other sources": [*sources],
        "training sentences": count_sentences(treebank.train),
        "dev": {"sentences": dev["sentences"], "words": dev["words"]},
        "scores": read_scores(pipeline.parent),
        "calibration": performance["calibration"],
        "errors": count_errors(pipeline, treebank.dev),
        "speed": round(measure_speed(pipeline, treebank.dev)),
        "size": sum(path.stat().st_size for path in pipeline.rglob("*") if path.is_file()),
        "limits": [*LIMITS, *package.kind.limits],
        "commit": describe_program()["commit"],
        "trained by commit": trained,
        "example": render_tree(spacy.load(pipeline)(row.example)),
    }


def write_card(package: Package, pipeline: Path, record: Mapping[str, Any]) -> None:
    """Tell in a pipeline's meta.json what is in its record."""
    row, kind = package
    path = pipeline / "meta.json"
    meta = srsly.read_json(path)
    dev = record["scores"]["dev"]
    meta.update(
        name=kind.name,
        version=VERSION,
        spacy_version=">=3.8.0,<3.9.0",
        description=f"{row.language}: tokens, sentence boundaries, tags, features, lemmas, and one "
        f"tree of Universal Dependencies a sentence, {kind.about}.",
        author="the spacy_arceager authors",
        license=row.licence,
        sources=[{
            "name": f"{row.treebank}, {row.release}",
            "url": row.url,
            "license": row.licence,
            "author": row.authors or f"the authors of {row.treebank}",
        }, *record["other sources"]],
        requirements=[*kind.requirements],
        performance={
            "data": "the development file; raw_: F1 on raw text as in the CoNLL 2018 shared task; "
            "others: on gold tokens and sentences",
            **{f"raw_{name.lower()}": score for name, score in dev["raw"].items()},
            **dev["gold"],
            "calibration": record["calibration"],
            "speed": record["speed"],
        },
        size=record["size"],
        notes="### Limits\n\n" + "\n".join(f"- {limit}" for limit in record["limits"]),
    )
    srsly.write_json(path, meta)
