"""Parsed sentences to choose from, with the confidence of the parser in each."""

from dataclasses import dataclass
from enum import Enum
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from .document import Record, Writer

if TYPE_CHECKING:
    from spacy import Language
    from spacy.tokens import Doc


class Statistic(str, Enum):
    """How the confidence of a sentence follows from the confidences of its heads."""

    mean = "mean"
    minimum = "minimum"


class Candidate(NamedTuple):
    """A sentence that can be chosen.

    Attributes:
        words: the forms of its words.
        confidence: how sure the parser is of its heads, from 0 to 1.
        conllu: its parse in CoNLL-U, with the confidence of each word in MISC.
    """

    words: tuple[str, ...]
    confidence: float
    conllu: str


@dataclass(frozen=True)
class CandidateWriting:
    """How documents are turned into candidates.

    Attributes:
        statistic: how the confidence of a sentence follows from those of its heads.
        min_words: shorter sentences are left out.
        max_words: longer sentences are left out; None for no limit.
    """

    statistic: Statistic
    min_words: int = 1
    max_words: int | None = None

    def __call__(self, nlp: "Language") -> Writer[list[Candidate]]:
        """The function that finds the candidates in a document of a pipeline.

        Raises:
            ValueError: If the pipeline has no arceager_parser, or its parser builds graphs.
        """
        from ..pipe.component import find_parser

        parser, _ = find_parser(nlp)
        parser.confidence = True
        return self.find

    def find(self, doc: "Doc", record: Record) -> list[Candidate]:
        """The sentences of a parsed Doc that are neither too long nor too short."""
        from ..corpus.conllu import sentences_of_doc
        from .trees.conllu import prefix_of

        candidates = []
        for words, conllu in sentences_of_doc(doc, prefix_of(doc, record)):
            if self.min_words <= len(words) <= (self.max_words or len(words)):
                conllu.encode()
                sure = [doc[word]._.arceager_confidence for word in words]
                value = min(sure) if self.statistic is Statistic.minimum else fmean(sure)
                candidates.append(Candidate(tuple(doc[word].text for word in words), value, conllu))
        return candidates
