"""The columns of parsed tables. New versions keep their names, types and meanings."""

from enum import Enum

import pyarrow as pa

TEXTS = pa.list_(pa.string())
NUMBERS = pa.list_(pa.int32())
SHARES = pa.list_(pa.float32())

# Each list has a value for each token, including tokens of white space. An offset is the index of a
# token's first character in the document. `feats`, `upos`, `xpos`, `lemmas` and `labels` are empty
# strings if the pipeline does not set them. Confidences are from 0 to 1. They are null for white
# space, and if they are not asked for.
WORDS = {
    "words": TEXTS, "offsets": NUMBERS, "lemmas": TEXTS, "upos": TEXTS, "xpos": TEXTS,
    "feats": TEXTS, "heads": NUMBERS, "labels": TEXTS, "head_confidences": SHARES,
    "label_confidences": SHARES,
}


class Rows(str, Enum):
    """What a row describes, and which columns it has besides the copied ones.

    A document that failed has one row, in which all these columns but `error` are null. In all
    other rows `error` is null. In `heads`, -1 stands for a root.

    Attributes:
        document: The columns are `text`, `sentences` (the index of the first word of each
            sentence), and those of WORDS. `heads` are indices of words in the document.
        sentence: The columns are `sentence` (its index in the document), `start` and `end` (its
            characters in the document), `text`, and those of WORDS. `heads` are indices of words in
            the sentence. A document without words has no row.
        conllu: The column `conllu` has the document as CoNLL-U, with copied columns as comments.
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
