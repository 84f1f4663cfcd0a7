"""The columns of parsed tables. Those that are here keep their names, types and meanings."""

from collections.abc import Iterable
from enum import Enum

import pyarrow as pa

TEXTS = pa.list_(pa.string())
NUMBERS = pa.list_(pa.int32())
SHARES = pa.list_(pa.float32())

# For each word, whitespace tokens among them. `offsets` are characters of the document from 0;
# `feats`, `upos`, `xpos`, `lemmas` and `labels` are empty where the pipeline gives none;
# confidences, from 0 to 1, are null where they are not asked for, and for white space.
WORDS = {
    "words": TEXTS, "offsets": NUMBERS, "lemmas": TEXTS, "upos": TEXTS, "xpos": TEXTS,
    "feats": TEXTS, "heads": NUMBERS, "labels": TEXTS, "head_confidences": SHARES,
    "label_confidences": SHARES,
}


class Rows(str, Enum):
    """What a row is, and its columns, beside those that are kept. All but `error` are null in
    the one row of a document that failed; `error` is null in all others.

    Attributes:
        document: `text`; `sentences`, the first word of each sentence; the columns of WORDS;
            `heads` count words of the document from 0, and -1 is a root.
        sentence: `sentence`, its number in the document from 0; `start` and `end`, its characters
            in the document; `text`; the columns of WORDS; `heads` count words of the sentence from
            0. A document without words has no row.
        conllu: `conllu`, the document as CoNLL-U, with kept columns as comments.
    """

    document = "document"
    sentence = "sentence"
    conllu = "conllu"


COLUMNS = {
    Rows.document: {"text": pa.string(), "sentences": NUMBERS, **WORDS, "error": pa.string()},
    Rows.sentence: {
        "sentence": pa.int32(), "start": pa.int32(), "end": pa.int32(), "text": pa.string(),
        **WORDS, "error": pa.string(),
    },
    Rows.conllu: {"conllu": pa.string(), "error": pa.string()},
}


def check_names(kept: Iterable[str], rows: Rows) -> None:
    """Raise ValueError where a kept column has the name of one that is made."""
    clashes = sorted(set(kept) & set(COLUMNS[rows]))
    if clashes:
        raise ValueError(
            f"The columns {', '.join(clashes)} of the table are made by the parser too; rename "
            "them, or name those to keep"
        )
