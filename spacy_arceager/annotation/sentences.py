"""The sentences of a Doc."""

from collections.abc import Iterable

from spacy.tokens import Doc, Span


def sentences_of(doc: Doc) -> Iterable[Span]:
    """The sentences of a Doc; one without boundaries is one sentence, an empty one has none."""
    if doc.has_annotation("SENT_START"):
        return doc.sents
    return [doc[:]] if len(doc) else []
