"""The sentences of a Doc."""

from collections.abc import Iterable

from spacy.tokens import Doc, Span


def sentences_of(doc: Doc) -> Iterable[Span]:
    """Its sentences; a Doc without boundaries is one, and an empty one has none."""
    if doc.has_annotation("SENT_START"):
        return doc.sents
    return [doc[:]] if len(doc) else []
