"""JSON lines as output, as spaCy's `Doc.to_json` makes them."""

# Not srsly: it cuts the decimals of numbers, which are to come out as they came in.
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..document import Record
from ..rows import TreeFormat

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..k_best import RankedTree


def to_json(doc: "Doc", record: Record) -> str:
    """A Doc as a line of JSON, with its record."""
    return to_line(parse_of(doc), record)


def k_best_to_json(doc: "Doc", record: Record, sentences: "Iterable[Sequence[RankedTree]]") -> str:
    """The parse, and under `k_best` a list of trees for each sentence."""
    k_best = [[describe(one) for one in trees] for trees in sentences]
    return to_line({**parse_of(doc), "k_best": k_best}, record)


def parse_of(doc: "Doc") -> dict[str, Any]:
    """A Doc as spaCy's JSON, with confidences where the parser gave them."""
    from ...annotation.confidence import HEAD, LABEL, values_of

    parsed: dict[str, Any] = doc.to_json()
    for key, name in (("head_confidence", HEAD), ("label_confidence", LABEL)):
        for token, value in zip(parsed["tokens"], values_of(doc, name) or ()):
            token[key] = value
    return parsed


def describe(one: "RankedTree") -> dict[str, Any]:
    """A tree for JSON; tokens are numbered as in the document."""
    tree = one.tree
    return {**one.scores, "tokens": tree.words, "heads": tree.heads, "deps": tree.labels}


def to_line(parsed: dict[str, Any], record: Record) -> str:
    """A parse and its record as one object. What both have stays the parse's."""
    hidden = {key: value for key, value in record.items() if key in parsed or key == "input"}
    shown = {key: value for key, value in record.items() if key not in hidden}
    combined = {**shown, **({"input": hidden} if hidden else {}), **parsed}
    return json.dumps(combined, ensure_ascii=False, allow_nan=False) + "\n"


JSON = TreeFormat(
    "json",
    ".jsonl",
    "A JSON object a line, as spaCy's `Doc.to_json` makes it. What else a JSON object of the input "
    'held is in it too, under the key "input" where spaCy has the same key.',
    to_json,
    write_k_best=k_best_to_json,
)
