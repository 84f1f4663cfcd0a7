"""The keys in `doc.user_data` of the values of extensions, which spaCy does not document.

The key of a Doc's value has no characters, that of a token's the one at which it starts, and that
of a span's those at which it starts and ends. `Doc.from_docs`, `Span.as_doc` and the retokenizer
keep such values with their words, and `to_bytes` saves them.
"""

from typing import Any

from spacy.tokens import Doc


def key_of(name: str, start: int | None = None, end: int | None = None) -> Any:
    """The key of an extension; start and end are characters of the text."""
    return ("._.", name, start, end)


def extension_of(key: object) -> object:
    """The name of the extension whose value stands at a key; None for others."""
    return key[1] if isinstance(key, tuple) and key[:1] == ("._.",) else None


def is_set(doc: Doc, name: str) -> bool:
    """Whether a Doc has a value of an extension, which is quicker to find out than the value."""
    return key_of(name) in doc.user_data
