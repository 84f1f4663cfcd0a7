"""Scores of arcs and of sentences as the official UD evaluation counts them.

The official evaluation is the script of the CoNLL 2018 shared task (Zeman et al. 2018), today in
the PyPI package udtools. Punctuation counts. Words are compared if they cover the same characters.
The score is the F1 of precision over predicted words and recall over gold words, so that a word
without a match lowers it on either side. Sentences are compared by their characters.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from spacy.scorer import PRFScore
from spacy.tokens import Doc, Token
from spacy.training import Example

from ..annotation.layout import sentences_of
from ..gold.alignment import one_to_one
from ..systems.ud_rules import universal


class Arc(NamedTuple):
    """The head of a word and the label between them.

    Attributes:
        head: index of a gold word: the word itself if it is a root, -1 if the predicted head
            matches no gold word.
    """

    head: int
    label: str


# What must be equal in a right arc, by the names of the measures.
MEASURES: dict[str, Callable[[Arc], Hashable]] = {
    "uas": lambda arc: arc.head,
    "las": lambda arc: (arc.head, universal(arc.label)),
    "las_full": lambda arc: arc,
}


@dataclass(frozen=True)
class AlignedParse:
    """The two parses of an Example, both as arcs between gold words.

    Attributes:
        gold: the arc of each annotated gold word, by the index of the word.
        predicted: the arc of each predicted word that covers the same characters as a gold word, by
            the index of that gold word. Words without a parse are left out.
        n_predicted: number of predicted words whose gold words are annotated.
        sentences: indices of the annotated words of each gold sentence that has any.
    """

    gold: dict[int, Arc]
    predicted: dict[int, Arc]
    n_predicted: int
    sentences: list[list[int]]


def align_parses(example: Example) -> AlignedParse:
    """The two parses of an Example as arcs between gold words; white space is no word."""
    gold = {
        token.i: Arc(token.head.i, _label(token))
        for token in example.reference
        if token.has_dep() and not token.is_space
    }
    words = [token for token in example.predicted if not token.is_space]
    gold_index = one_to_one(example, words)
    x2y = example.alignment.x2y
    return AlignedParse(
        gold=gold,
        predicted={
            gold_index[word.i]: Arc(gold_index.get(word.head.i, -1), _label(word))
            for word in words
            if word.i in gold_index and word.has_dep()
        },
        n_predicted=sum(any(int(i) in gold for i in x2y[word.i]) for word in words),
        sentences=_annotated_sentences(example.reference, gold),
    )


def _label(token: Token) -> str:
    return "root" if token.dep_ == "ROOT" else token.dep_    # UD writes the label in lower case


def _annotated_sentences(doc: Doc, gold: dict[int, Arc]) -> list[list[int]]:
    sentences = [[token.i for token in span if token.i in gold] for span in sentences_of(doc)]
    return [sentence for sentence in sentences if sentence]


def attachment_f1(parses: Iterable[AlignedParse], key: Callable[[Arc], Hashable]) -> float | None:
    """The F1 (0 to 1) of arcs that are right if they have the same key; None without gold words."""
    score = PRFScore()
    for parse in parses:
        correct = sum(
            i in parse.predicted and key(parse.predicted[i]) == key(arc)
            for i, arc in parse.gold.items()
        )
        n_predicted, n_gold = parse.n_predicted, len(parse.gold)
        score += PRFScore(tp=correct, fp=n_predicted - correct, fn=n_gold - correct)
    return score.fscore if len(score) else None


def score_ud(parses: Iterable[AlignedParse]) -> dict[str, Any]:
    """F1 scores (0 to 1, None without annotated words), punctuation included.

    dep_uas_ud: an arc is right if its head is right, as in the official evaluation.
    dep_las_ud: the label must be right up to the colon, too (`nsubj:pass` is `nsubj`), as in the
        official evaluation.
    dep_las_full: head and full label must be right.
    """
    parses = list(parses)
    return {
        "dep_uas_ud": attachment_f1(parses, MEASURES["uas"]),
        "dep_las_ud": attachment_f1(parses, MEASURES["las"]),
        "dep_las_full": attachment_f1(parses, MEASURES["las_full"]),
    }


def score_sentences(examples: Iterable[Example]) -> dict[str, float | None]:
    """Precision, recall and F1 (0 to 1) of sentences: sents_p, sents_r, sents_f.

    A sentence is right if it begins and ends at the same characters as a gold sentence, whatever
    its tokens are; white space does not count. Examples without gold boundaries are left out. The
    scores are None where no Example has any.
    """
    score = PRFScore()
    for example in examples:
        if example.reference.has_annotation("SENT_START"):
            score.score_set(_sentence_spans(example.predicted), _sentence_spans(example.reference))
    values = (score.precision, score.recall, score.fscore)
    names = ("sents_p", "sents_r", "sents_f")
    return {name: value if len(score) else None for name, value in zip(names, values)}


def _sentence_spans(doc: Doc) -> set[tuple[int, int]]:
    """Where each sentence begins and ends, counted in characters that are not white space."""
    if not doc.has_annotation("SENT_START"):
        return set()
    sizes = [len("".join(sentence.text.split())) for sentence in doc.sents]
    ends = list(accumulate(sizes))
    return {(end - size, end) for end, size in zip(ends, sizes) if size}
