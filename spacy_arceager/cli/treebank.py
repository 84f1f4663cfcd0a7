"""The treebanks of the commands that score, calibrate or compare parsers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .messages import fail, progress

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc
    from spacy.training import Example

    from ..corpus.conllu import ConlluSentence

SentencesPerDocOption = Annotated[
    int,
    typer.Option(min=1, help="How many sentences of CoNLL-U make up a document."),
]


@dataclass(frozen=True)
class TreebankDocuments:
    """A treebank as documents.

    Attributes:
        path: CoNLL-U, or a .spacy file, which has documents already.
        sentences_per_doc: how many sentences of CoNLL-U make up a document.
        gold_sentences: whether the pipeline gets the sentence boundaries of the treebank.
    """

    path: Path
    sentences_per_doc: int = 1
    gold_sentences: bool = False

    def read(self, nlp: "Language") -> list["Example"]:
        """Read all documents. If they cannot be read or have no heads, the command ends."""
        try:
            examples = list(self._read(nlp))
        except (ValueError, OSError) as error:
            fail("Cannot use the treebank.", str(error))
        if self.gold_sentences:
            from ..annotation.boundaries import write_boundaries
            from ..annotation.tokens import read_boundaries

            for example in examples:
                write_boundaries(example.predicted, read_boundaries(example.reference))
        return examples

    def read_sentences(self) -> list["ConlluSentence"]:
        """Read all sentences. If they cannot be read or have no heads, the command ends."""
        from ..corpus.spacy_files import read_strictly

        try:
            sentences = [item for path in self.files() for item in read_strictly(path)]
        except (ValueError, OSError) as error:
            fail("Cannot use the treebank.", str(error))
        if not sentences:
            fail("Cannot use the treebank.", f"{self.path} has no sentence.")
        if any(word.head is None for sentence in sentences for word in sentence.words):
            fail("Cannot use the treebank.", f"{self.path} has words without a head.")
        return sentences

    def files(self) -> list[Path]:
        """The files that the path stands for."""
        from ..corpus.files import find_files

        return find_files(self.path)

    def _read(self, nlp: "Language") -> Iterator["Example"]:
        from spacy.training import Example

        from ..corpus.conllu import without_annotation
        from ..corpus.corpus import ConlluCorpus
        from ..corpus.heads import require_heads
        from ..corpus.spacy_files import ENDING, read_docs

        if self.path.suffix != ENDING:
            corpus = ConlluCorpus(self.path, sentences_per_doc=self.sentences_per_doc)
            yield from corpus(nlp)
            return
        for doc in require_heads(read_docs(self.path, nlp.vocab), nlp, self.path):
            yield Example(without_annotation(doc), doc)


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
