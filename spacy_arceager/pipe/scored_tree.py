"""One of several trees of a sentence, with its score."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy
from spacy.tokens import Doc, Span

from ..annotation.confidence import forget_confidences
from ..annotation.label_strings import ROOT_LABEL, SPACE_LABEL, LabelStrings
from ..annotation.multi_word import copy_multi_word_tokens
from ..annotation.tokens import write_tree
from ..corpus.conllu.to_doc import stored_of_part


class ScoredTree(NamedTuple):
    """A tree of a sentence (or of a Doc parsed as one) and its score.

    Attributes:
        score: the natural logarithm of the tree's probability. If the model was trained with a
            beam, it is the sum of the scores of the transitions.
        words: the token indices of the words.
        heads: the token index of each word's head. A root is its own head.
    """

    score: float
    words: list[int]
    heads: list[int]
    labels: list[str]

    @property
    def score_per_word(self) -> float:
        """The score divided by the number of words, to compare sentences of different lengths."""
        return self.score / len(self.words)

    def to_doc(self, doc: Doc) -> Doc:
        """A new Doc of this sentence alone, with this tree.

        Args:
            doc: the Doc with the sentence. It does not change. Its other annotation, such as
                lemmas and tags, is copied.
        """
        span = find_span(doc, self.words)
        is_whole = len(span) == len(doc)
        sentence = span.as_doc(copy_user_data=is_whole)
        if not is_whole:
            sentence.user_data |= stored_of_part(doc, span.start, span.end)
            copy_multi_word_tokens(span, sentence)
        forget_confidences(sentence)
        words = numpy.asarray(self.words, "i") - span.start
        heads = numpy.searchsorted(self.words, self.heads)
        LabelStrings([ROOT_LABEL, SPACE_LABEL, *self.labels]).add_to(doc.vocab)
        write_tree(
            sentence, words, heads.astype("i"),
            numpy.asarray([doc.vocab.strings[label] for label in self.labels], "uint64"),
            numpy.asarray([words.size], "i"), numpy.zeros((1,), "i"),
        )
        return sentence


def distinct(trees: Iterable[ScoredTree]) -> list[ScoredTree]:
    """The trees without those that have the heads and labels of an earlier one."""
    found: dict[tuple, ScoredTree] = {}
    for tree in trees:
        found.setdefault((*tree.heads, *tree.labels), tree)
    return list(found.values())


def find_span(doc: Doc, words: list[int]) -> Span:
    """The words with the white space after them and, at the start of the Doc, before them."""
    start, end = words[0], words[-1] + 1
    while end < len(doc) and doc[end].is_space:
        end += 1
    if all(token.is_space for token in doc[:start]):
        start = 0
    return doc[start:end]
