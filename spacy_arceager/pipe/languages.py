"""Languages that spaCy lacks; their tokenizers have spaCy's rules for any language."""

from spacy.language import Language


class Maltese(Language):
    """Maltese."""

    lang = "mt"


class Welsh(Language):
    """Welsh."""

    lang = "cy"
