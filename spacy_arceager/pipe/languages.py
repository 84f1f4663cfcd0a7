"""Languages that spaCy lacks and `release/treebanks.yml` has, with spaCy's rules for any language."""

from spacy.language import Language


class Maltese(Language):
    """Maltese."""

    lang = "mt"


class Welsh(Language):
    """Welsh."""

    lang = "cy"
