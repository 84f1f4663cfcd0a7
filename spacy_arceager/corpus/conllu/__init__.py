"""CoNLL-U is read into sentences, sentences become Docs, and Docs are written as CoNLL-U.

The format is described at https://universaldependencies.org/format.html. Columns become attributes
of Docs as in spaCy's own converter (`spacy convert --converter conllu`). A Doc has no place for
comments, multi-word tokens, empty nodes, an XPOS of `_`, DEPS and MISC. These are kept in
`doc.user_data[USER_DATA_KEY]`, from where `write` takes them back. DEPS also becomes the graph
`doc._.arceager_graph`, see `deps`.
"""

from ..errors import ConlluError
from .read import (
    read_columns,
    read_file,
    read_partial_trees,
    read_sentences,
    read_texts,
    read_tolerantly,
)
from .sentence import ConlluSentence, ConlluWord
from .to_doc import (
    USER_DATA_KEY,
    given_arcs,
    sentence_to_doc,
    sentences_to_doc,
    text_to_doc,
    without_annotation,
)
from .write import SurfaceText, doc_to_conllu, sentences_of_doc

__all__ = [
    "USER_DATA_KEY",
    "ConlluError",
    "ConlluSentence",
    "ConlluWord",
    "SurfaceText",
    "doc_to_conllu",
    "given_arcs",
    "read_columns",
    "read_file",
    "read_partial_trees",
    "read_sentences",
    "read_texts",
    "read_tolerantly",
    "sentence_to_doc",
    "sentences_of_doc",
    "sentences_to_doc",
    "text_to_doc",
    "without_annotation",
]
