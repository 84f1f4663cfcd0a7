"""CoNLL-U: text -> sentences -> Docs -> text.

The format is described at https://universaldependencies.org/format.html. Columns map
to Doc attributes as in spaCy's own converter (`spacy convert --converter conllu`).
What a Doc has no place for (comments, multi-word tokens, empty nodes, the columns XPOS
where it is `_`, DEPS and MISC) is kept in `doc.user_data[USER_DATA_KEY]`, from where
`write` writes it back. DEPS also becomes a graph, `doc._.arceager_graph`, see
`corpus.conllu.deps`.
"""

from ..errors import ConlluError
from .read import (
    read_file,
    read_partial_trees,
    read_sentences,
    read_texts,
    read_tolerantly,
)
from .sentence import ConlluSentence, ConlluWord, MultiWordToken
from .to_doc import (
    USER_DATA_KEY,
    given_arcs,
    sentence_to_doc,
    sentences_to_doc,
    without_annotation,
)
from .write import doc_to_conllu, sentences_of_doc

__all__ = [
    "USER_DATA_KEY",
    "ConlluError",
    "ConlluSentence",
    "ConlluWord",
    "MultiWordToken",
    "doc_to_conllu",
    "given_arcs",
    "read_file",
    "read_partial_trees",
    "read_sentences",
    "read_texts",
    "read_tolerantly",
    "sentence_to_doc",
    "sentences_of_doc",
    "sentences_to_doc",
    "without_annotation",
]
