"""CoNLL-U as output."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..document import NUMBER, Record
from ..rows import TreeFormat

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..k_best import RankedTree

# CoNLL-U gives these comments a meaning of its own.
RESERVED = ("text", "sent_id", "newdoc", "newpar")


def to_conllu(doc: "Doc", record: Record) -> str:
    """A Doc as CoNLL-U. Its record becomes comments."""
    from ...corpus.conllu import doc_to_conllu

    text = doc_to_conllu(doc, prefix_of(doc, record))
    return "".join(comments_of(doc, record)) + text if text else ""


def k_best_to_conllu(
    doc: "Doc", record: Record, sentences: "Iterable[Sequence[RankedTree]]"
) -> str:
    """Each tree as a sentence of its own, with its rank and scores as comments."""
    from ...corpus.conllu import doc_to_conllu
    from ...pipe.scored_tree import find_span

    def write(prefix: str, one: "RankedTree", space_before: str, goes_on: bool) -> str:
        text = doc_to_conllu(
            one.tree.to_doc(doc), prefix, one.rank, space_before=space_before, goes_on=goes_on
        )
        # An id that the sentence had before is that of all its trees.
        new = f"# sent_id = {prefix}{one.rank}\n"
        return text if new in text else with_rank(text, one.rank)

    text, end = "", 0
    for number, trees in enumerate(sentences, 1):
        words = trees[0].tree.words
        prefix = f"{prefix_of(doc, record)}{number}-"
        space = doc[end : words[0]].text if end else ""
        goes_on = find_span(doc, words).end < len(doc)
        end = words[-1] + 1
        for one in trees:
            text += f"# parse = {one.rank}/{len(trees)}\n{''.join(comments_from(one.scores))}"
            text += write(prefix, one, "" if one.rank > 1 else space, goes_on)
    return "".join(comments_of(doc, record)) + text if text else ""


def with_rank(text: str, rank: int) -> str:
    """A sentence of CoNLL-U with the rank of its tree behind its id."""
    from ...corpus.conllu.sentence import comment_key

    lines = text.split("\n")
    place = next(
        i for i, line in enumerate(lines) if line[:1] == "#" and comment_key(line) == "sent_id"
    )
    lines[place] = f"{lines[place].rstrip()}-{rank}"
    return "\n".join(lines)


def prefix_of(doc: "Doc", record: Record) -> str:
    """The start of the ids of a document's sentences: the document's id, or else its number.

    An id that is a number has a full stop behind it, for it may be the number of another document.
    In ids of sentences UD has no white space, and keeps the slash for itself.
    """
    name = record.get("id")
    is_text_or_number = isinstance(name, str | int) and not isinstance(name, bool)
    if name != "" and is_text_or_number and str(name).isprintable():
        return re.sub(r"[\s/]", "_", f"{name}{'.' if str(name).isdecimal() else '-'}")
    number = doc.user_data.get(NUMBER)
    return f"{number}-" if number else ""


def comments_of(doc: "Doc", record: Record) -> Iterator[str]:
    """The comments at the start of a document. One that comes from no CoNLL-U has `newdoc`."""
    from ...corpus.conllu.to_doc import USER_DATA_KEY

    if "id" not in record and USER_DATA_KEY not in doc.user_data:
        yield "# newdoc\n"
    yield from comments_from(record)


def comments_from(record: Record) -> Iterator[str]:
    """A record as the lines of comments in CoNLL-U."""
    for key, value in record.items():
        name = "newdoc id" if key == "id" else key
        if not key.isidentifier() or key in RESERVED:
            continue
        is_plain = isinstance(value, str) and value.isprintable()
        yield f"# {name} = {value if is_plain else json.dumps(value, default=str)}\n"


CONLLU = TreeFormat(
    "conllu",
    ".conllu",
    "CoNLL-U. A document of raw text begins with the comment `newdoc`, or `newdoc id` with the id "
    "of a JSON object. Its other values become comments `key = value` if their keys are names, but "
    "for text, sent_id, newdoc and newpar.",
    to_conllu,
    write_k_best=k_best_to_conllu,
    next_step="To compare it with other parses: arceager compare {path} other.conllu gold.conllu",
)
