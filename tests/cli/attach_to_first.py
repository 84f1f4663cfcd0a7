"""A component in a file of its own, which workers are given as --code."""

from spacy.language import Language
from spacy.tokens import Doc


@Language.component("attach_to_first")
def attach_to_first(doc: Doc) -> Doc:
    """The first token becomes the head of all others."""
    if "FAIL" in doc.text:
        raise RuntimeError("this text cannot be parsed")
    for token in doc:
        token.head = doc[0]
        token.dep_ = "dep" if token.i else "ROOT"
    return doc
