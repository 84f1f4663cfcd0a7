"""Derivations as JSON lines, beside the gold trees that were followed."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..built import built_heads
from ..rows import DerivationFormat, DrawingOptions

if TYPE_CHECKING:
    from ...pipe.derived import Derived


def write_json(
    sentences: "Iterable[tuple[int, Sequence[Derived]]]", _: DrawingOptions
) -> Iterator[str]:
    """A line of each derivation, as soon as it is there."""
    for number, derivations in sentences:
        for derived in derivations:
            yield to_line(number, derived)


def finite(value: float | None) -> float | None:
    """The value; None for infinities and NaN, which JSON does not have and broken weights give."""
    return value if value is not None and math.isfinite(value) else None


def to_line(number: int, derived: "Derived") -> str:
    """A derivation and its gold tree as a line of JSON."""
    derivation = derived.trace()
    assert derived.gold is not None
    heads = built_heads(derived.gold, derivation)
    record: dict[str, Any] = {
        "sentence": number,
        "system": derived.name,
        "words": derived.words,
        "derived": heads == derived.gold.heads,
        "heads": heads,
        "steps": [
            {**step._asdict(), **{key: [arc._asdict() for arc in arcs] for key, arcs in (
                ("arcs", step.arcs), ("lost", step.lost),
            )}}
            for step in derivation.steps
        ],
    }
    if derived.score is not None:
        record["score"] = finite(derived.score)
        for step, scored in zip(record["steps"][1:], derived.steps):
            step["probability"] = finite(scored.probability)
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


JSON = DerivationFormat(
    "json",
    ".jsonl",
    "A JSON object a derivation and line, with the gold tree. Words count from 0; the heads of a "
    "graph are a list a word.",
    write_json,
)
