"""The words of texts from which a command learns."""

from pathlib import Path

from ..corpus.files import MAX_LINE
from .files import find_inputs
from .inputs import InputDocuments, InputFormatOption
from .messages import fail


def read_words(paths: list[Path], input_format: InputFormatOption) -> list[list[str]]:
    """The words of the sentences or lines of some texts."""
    import spacy

    from ..formats.document import make_doc

    nlp = spacy.blank("xx")
    nlp.max_length = MAX_LINE       # of a document, which nothing here parses
    files = [file for path in paths for file in find_inputs(path, input_format is not None)]
    documents = InputDocuments(files, input_format, as_one=True)
    sentences = [[token.text for token in make_doc(nlp, document)] for document in documents]
    if documents.unreadable or not any(sentences):
        fail("Cannot read the texts.", "Some texts cannot be read." if documents.unreadable
             else "The texts have no words.")
    return [words for words in sentences if words]
