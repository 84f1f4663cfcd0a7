"""JSON lines: a document an object, its text under the key "text"."""

# Not srsly: it cuts the decimals of numbers, which are to come out as they came in.
import json

from ...corpus.errors import InputError
from ...corpus.files import Line
from ..document import Document
from ..rows import Input, InputFormat, Items


def read_jsonl(source: Input) -> Items:
    """A document of each line that is not blank."""
    return (parse_line(line) for line in source.lines() if line.text.strip())


def parse_line(line: Line) -> Document | InputError:
    """The document of a line of JSON, or what is wrong with it."""
    if line.fault:
        return line.error(*line.fault)
    try:
        record = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        return line.error(f"not JSON: {error}", "Write a JSON object a line")
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        return line.error("no JSON object with a text", 'Write {"text": "..."}')
    return Document(record.pop("text"), record, line.place)


JSONL = InputFormat(
    "jsonl",
    (".jsonl",),
    'A JSON object a line, the document under the key "text". What else the object holds comes out '
    "again in json, and in conllu as comments.",
    read_jsonl,
)
