"""How data becomes Docs that are not parsed yet."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy
from spacy.language import Language
from spacy.tokens import Doc

from ...annotation.boundaries import write_boundaries
from ...corpus.conllu import ConlluSentence, read_columns
from ...corpus.conllu.read import number_lines, without_columns
from ...corpus.errors import InputError
from ...formats.document import Document, make_doc
from ..errors import ServeError


class Part(NamedTuple):
    """A part of the data that is parsed as one Doc.

    Attributes:
        comments: the comments before its first sentence.
        source: the sentence of CoNLL-U that it comes from, whose columns stay where nothing is to
            replace them; None for other inputs.
    """

    doc: Doc
    comments: list[str]
    source: ConlluSentence | None = None


def read_text(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each paragraph of raw text. Empty lines stand between paragraphs."""
    paragraphs = re.split(r"\n[^\S\n]*\n\s*", data)
    for number, text in enumerate(filter(str.strip, paragraphs)):
        yield Part(nlp.make_doc(text), [*first_comments(number), "# newpar"])


def read_lines(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each line of raw text, which is a sentence."""
    lines = [line for line in data.split("\n") if line.strip()]
    for number, line in enumerate(lines):
        yield Part(as_one_sentence(nlp.make_doc(line)), first_comments(number))


def first_comments(number: int) -> list[str]:
    """The comment that opens the first sentence of a document."""
    return [] if number else ["# newdoc"]


def as_one_sentence(doc: Doc) -> Doc:
    """The Doc, in which no second sentence may begin."""
    write_boundaries(doc, numpy.where(numpy.arange(len(doc)) == 0, 1, -1))
    return doc


def read_conllu(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each sentence of CoNLL-U. Its words stay, and so do columns that it may keep."""
    lines = data.split("\n") if data.strip() else []
    for sentence in read_columns(number_lines(lines, "data")):
        if isinstance(sentence, InputError):
            raise ServeError(400, f"The CoNLL-U cannot be read: {sentence}")
        doc = make_doc(nlp, Document(without_columns(sentence), {}))
        yield Part(doc, [], sentence)


def read_horizontal(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each line, whose words have spaces or tabs between them.

    A no-break space stands for a space in a word, as in UDPipe.
    """
    for line in data.split("\n"):
        words = [word.replace("\xa0", " ") for word in re.split("[ \t]+", line) if word.strip()]
        if words:
            yield of_words(nlp, words)


def read_vertical(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each block of lines. A word is all of its line before the first tab."""
    for block in re.split(r"\n\s*\n", data):
        words = [line.partition("\t")[0].strip() for line in block.split("\n")]
        if any(words):
            yield of_words(nlp, [word for word in words if word])


def of_words(nlp: Language, words: Sequence[str]) -> Part:
    """A sentence of given words."""
    return Part(as_one_sentence(Doc(nlp.vocab, words=list(words))), [])


READERS: dict[str, Callable[[Language, str], Iterator[Part]]] = {
    "conllu": read_conllu, "horizontal": read_horizontal, "vertical": read_vertical
}
