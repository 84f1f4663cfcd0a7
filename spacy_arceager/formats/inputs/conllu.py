"""CoNLL-U as input. Each sentence is a document, whose words are kept and parsed again."""

from ...corpus.errors import InputError
from ..document import Document
from ..rows import Input, InputFormat, Items


def read_words(source: Input) -> Items:
    """The words of each sentence, without its annotation, which may even be faulty."""
    from ...corpus.conllu import read_texts

    for item in read_texts(source.lines()):
        yield item if isinstance(item, InputError) else Document(item, {}, item.place)


def read_partial_trees(source: Input) -> Items:
    """The words of each sentence with the heads and labels that the file gives."""
    from ...corpus.conllu import given_arcs
    from ...corpus.conllu import read_partial_trees as read

    for item in read(source.lines()):
        yield item if isinstance(item, InputError) else Document(
            item, {}, item.place, arcs=given_arcs(item)
        )


CONLLU = InputFormat(
    "conllu",
    (".conllu",),
    "CoNLL-U, in which each sentence is a document. Words and sentence boundaries are kept; the "
    "annotation is replaced.",
    read_words,
    read_partial_trees,
)
