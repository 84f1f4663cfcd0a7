"""CoNLL-U as output."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..document import NUMBER, Record
from ..rows import TreeFormat

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..k_best import RankedTree

# Comments that CoNLL-U gives a meaning of its own.
RESERVED = ("text", "sent_id", "newdoc", "newpar")


def to_conllu(doc: "Doc", record: Record) -> str:
    """A Doc as CoNLL-U, with its record as comments."""
    from ...corpus.conllu import doc_to_conllu

    text = doc_to_conllu(doc, prefix_of(doc, record))
    return "".join(comments_of(record)) + text if text else ""


def k_best_to_conllu(
    doc: "Doc", record: Record, sentences: "Iterable[Sequence[RankedTree]]"
) -> str:
    """Each tree as a sentence of its own, with its rank and scores as comments."""
    from ...corpus.conllu import doc_to_conllu

    text = "".join(
        f"# parse = {one.rank}/{len(trees)}\n{''.join(comments_of(one.scores))}"
        f"{doc_to_conllu(one.tree.to_doc(doc), f'{prefix_of(doc, record)}{number}-', one.rank)}"
        for number, trees in enumerate(sentences, 1) for one in trees
    )
    return "".join(comments_of(record)) + text if text else ""


def prefix_of(doc: "Doc", record: Record) -> str:
    """What the ids of a document's sentences begin with: its id or its number, if it has one."""
    name = record.get("id")
    if not isinstance(name, str | int) or not str(name).isprintable():
        name = doc.user_data.get(NUMBER)
    return f"{name}-" if name else ""


def comments_of(record: Record) -> Iterator[str]:
    """A record as comments of CoNLL-U, with their line feeds."""
    for key, value in record.items():
        name = "newdoc id" if key == "id" else key
        if not key.isidentifier() or key in RESERVED:
            continue
        is_plain = isinstance(value, str) and value.isprintable()
        yield f"# {name} = {value if is_plain else json.dumps(value)}\n"


CONLLU = TreeFormat(
    "conllu",
    ".conllu",
    "CoNLL-U. The id of a JSON object becomes the comment `newdoc id`; what else the object holds "
    "becomes comments `key = value`, where the key is a name.",
    to_conllu,
    write_k_best=k_best_to_conllu,
)
