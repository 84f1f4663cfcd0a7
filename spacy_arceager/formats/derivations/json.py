"""Derivations as JSON lines, with the gold trees that they follow."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..rows import DerivationFormat, DrawingOptions

if TYPE_CHECKING:
    from ...pipe.derived import Derived


def write_json(
    sentences: "Iterable[tuple[int, Sequence[Derived]]]", _: DrawingOptions
) -> Iterator[str]:
    """A line for each derivation, as soon as it has been found."""
    for number, derivations in sentences:
        for derived in derivations:
            yield to_line(number, derived)


def finite(value: float | None) -> float | None:
    """The value, or None for infinity and NaN: broken weights give them, and JSON has neither."""
    return value if value is not None and math.isfinite(value) else None


def to_line(number: int, derived: "Derived") -> str:
    """A derivation and its gold tree as a line of JSON."""
    derivation = derived.trace()
    assert derived.gold is not None
    heads = derived.heads(derivation)
    record: dict[str, Any] = {
        "sentence": number,
        "system": derived.name,
        "words": derived.words,
        "derived": heads == derived.gold.heads,
        "heads": heads,
        "gold_heads": derived.gold.heads,
        "gold_labels": derived.gold.labels,
        "steps": [
            {**step._asdict(), **{key: [arc._asdict() for arc in arcs] for key, arcs in (
                ("arcs", step.arcs), ("lost", step.lost),
            )}}
            for step in derivation.steps
        ],
    }
    if derived.score is not None:
        record["score"] = finite(derived.score)
        for step, scored, cost in zip(record["steps"][1:], derived.steps, derived.excess_costs()):
            step["probability"], step["cost"] = finite(scored.probability), cost
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


JSON = DerivationFormat(
    "json",
    ".jsonl",
    "A line with a JSON object for each derivation, with the gold tree; beside a model's, its arcs "
    "are lifted as in training. Words count from 0. A word of a graph has a list of heads.",
    write_json,
)
