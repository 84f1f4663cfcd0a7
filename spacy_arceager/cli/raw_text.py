"""Parses of the raw text of a treebank, for the commands that score or compare them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .messages import progress

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc

    from ..corpus.conllu import ConlluSentence


def parse_raw(nlp: "Language", sentences: Sequence["ConlluSentence"]) -> list["Doc"]:
    """Parse the raw text of gold sentences, one Doc for each paragraph or document."""
    from ..evaluation.raw_alignment import paragraphs

    texts = list(paragraphs(sentences))
    nlp.max_length = max(nlp.max_length, 1 + max(map(len, texts), default=0))
    return list(progress(nlp.pipe(texts), len(texts), "paragraphs"))


def written_sentences(docs: Iterable["Doc"]) -> "Iterator[ConlluSentence]":
    """The sentences of parsed Docs as CoNLL-U has them."""
    from ..corpus.conllu import doc_to_conllu, read_sentences

    for doc in docs:
        yield from read_sentences(doc_to_conllu(doc).split("\n"))
