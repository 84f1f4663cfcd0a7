"""JSON lines as output, as spaCy's `Doc.to_json` makes them."""

# srsly would round numbers, but they must come out as they came in.
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..document import Record
from ..rows import TreeFormat

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..k_best import RankedTree


def to_json(doc: "Doc", record: Record) -> str:
    """A Doc and its record as a line of JSON."""
    return to_line(parse_of(doc), record)


def k_best_to_json(doc: "Doc", record: Record, sentences: "Iterable[Sequence[RankedTree]]") -> str:
    """A line with the parse and, under `k_best`, a list of trees for each sentence."""
    k_best = [[describe(one) for one in trees] for trees in sentences]
    return to_line({**parse_of(doc), "k_best": k_best}, record)


def parse_of(doc: "Doc") -> dict[str, Any]:
    """A Doc as spaCy's JSON, with confidences if the parser has found them."""
    from ...annotation.confidence import HEAD, LABEL, values_of

    parsed: dict[str, Any] = doc.to_json()
    for key, name in (("head_confidence", HEAD), ("label_confidence", LABEL)):
        for token, value in zip(parsed["tokens"], values_of(doc, name) or ()):
            token[key] = value
    return parsed


def describe(one: "RankedTree") -> dict[str, Any]:
    """A tree as an object for JSON. Tokens are numbered as in the document."""
    tree = one.tree
    return {**one.scores, "tokens": tree.words, "heads": tree.heads, "deps": tree.labels}


def to_line(parsed: dict[str, Any], record: Record) -> str:
    """A parse and its record as one object. A key that both have keeps the value of the parse."""
    hidden = {key: value for key, value in record.items() if key in parsed or key == "input"}
    shown = {key: value for key, value in record.items() if key not in hidden}
    combined = {**shown, **({"input": hidden} if hidden else {}), **parsed}
    line = json.dumps(combined, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        line.encode()
    except UnicodeEncodeError:  # half a character, which JSON can write as an escape alone
        return json.dumps(combined, allow_nan=False) + "\n"
    return line


JSON = TreeFormat(
    "json",
    ".jsonl",
    "A line with a JSON object for each document, as spaCy's `Doc.to_json` makes it. The other "
    'values of a JSON object in the input are copied; under "input" if spaCy uses the same key.',
    to_json,
    write_k_best=k_best_to_json,
)
