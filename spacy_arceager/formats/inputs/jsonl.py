"""JSON lines as input. Each line is an object with a document under the key "text"."""

# srsly would round numbers, but they must come out as they came in.
import json
import math
from itertools import chain
from typing import Any

from ...corpus.errors import LONGEST_QUOTE, InputError
from ...corpus.files import Line
from ..document import Document
from ..rows import Input, InputFormat, Items

# Python's readers and writers of JSON have different limits of some hundred levels. This one is
# below all of them.
MAX_DEPTH = 100


def read_jsonl(source: Input) -> Items:
    """A document for each line that is not blank."""
    return (parse_line(line) for line in source.lines() if line.text.strip())


def parse_line(line: Line) -> Document | InputError:
    """The document of a line of JSON, or the error if there is none."""
    if line.fault:
        return line.error(*line.fault)
    try:
        record = json.loads(line.text, parse_constant=_refuse, parse_float=_to_float)
    except (ValueError, RecursionError) as error:
        return line.error(f"not JSON: {error}", "Write a JSON object a line")
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        return line.error("no JSON object with a text", 'Write {"text": "..."}')
    if line.text.count("[") + line.text.count("{") > MAX_DEPTH and depth_of(record) > MAX_DEPTH:
        return line.error(f"the object is more than {MAX_DEPTH} levels deep", "Make it flatter")
    return Document(record.pop("text"), record, line.place)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _to_float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:LONGEST_QUOTE]} is too large for a number of 64 bits")
    return value


def depth_of(value: Any) -> int:
    """How deep lists and objects are nested."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, list | dict)]:
        depth += 1
        values = (one if isinstance(one, list) else one.values() for one in level)
        level = list(chain.from_iterable(values))
    return depth


JSONL = InputFormat(
    "jsonl",
    (".jsonl",),
    'A JSON object on each line, with the document under the key "text". Its other values come '
    "out again: in json as they are, in conllu as comments.",
    read_jsonl,
)
