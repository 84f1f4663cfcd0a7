"""Extension attributes of Docs."""

from spacy.tokens import Doc


def is_set(doc: Doc, name: str) -> bool:
    """Whether a Doc has a value of its own for an extension; quicker than to get the value."""
    return ("._.", name, None, None) in doc.user_data
