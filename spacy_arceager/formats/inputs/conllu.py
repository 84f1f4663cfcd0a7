"""CoNLL-U as input: a document a sentence, whose words are kept and whose trees are found anew."""

from ...corpus.errors import InputError
from ..document import Document
from ..rows import Input, InputFormat, Items


def read_words(source: Input) -> Items:
    """The words of each sentence; its annotation is left out, right or wrong."""
    from ...corpus.conllu import read_texts

    for item in read_texts(source.lines()):
        yield item if isinstance(item, InputError) else Document(item, {})


def read_partial_trees(source: Input) -> Items:
    """The words of each sentence with the heads and labels that are given."""
    from ...corpus.conllu import given_arcs
    from ...corpus.conllu import read_partial_trees as read

    for item in read(source.lines()):
        yield item if isinstance(item, InputError) else Document(item, {}, arcs=given_arcs(item))


CONLLU = InputFormat(
    "conllu",
    (".conllu",),
    "CoNLL-U, a document a sentence. Tokens and sentence boundaries are those of the file; its "
    "annotation is replaced.",
    read_words,
    read_partial_trees,
)
