"""Binary files of spaCy's Docs as input. Their words and sentences are kept."""

from ..document import Document, Tokens
from ..rows import Input, InputFormat, Items


def read_docs(source: Input) -> Items:
    """The words and sentence boundaries of each Doc, without its annotation."""
    from spacy.vocab import Vocab

    from ...corpus import spacy_files

    assert source.path is not None
    for number, doc in enumerate(spacy_files.read_docs(source.path, Vocab()), 1):
        yield Document(Tokens.of(doc), {}, f"{source}, document {number}")


SPACY = InputFormat(
    "spacy",
    (".spacy",),
    "A binary file of spaCy's Docs, as `spacy convert` writes it, not compressed, not from stdin. "
    "Words and sentence boundaries are kept, and the annotation is replaced.",
    read_docs,
    needs_file=True,
)
