"""Extension attributes of Docs."""

from typing import Any

from spacy.tokens import Doc


def is_set(doc: Doc, name: str) -> bool:
    """Whether a Doc has a value of its own for an extension; quicker than to get the value."""
    key: Any = ("._.", name, None, None)
    return key in doc.user_data
