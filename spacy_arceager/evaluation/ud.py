"""Scores of arcs and of sentences as the official UD evaluation counts them.

That is the script of the CoNLL 2018 shared task (Zeman et al. 2018), today in the PyPI
package udtools: punctuation counts; words are compared if they cover the same
characters; the score is the F1 of precision over the predicted and recall over the gold
words, so that a word that matches none costs in both. Sentences are compared by their characters.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from spacy.scorer import PRFScore
from spacy.tokens import Doc, Token
from spacy.training import Example

from ..annotation.sentences import sentences_of
from ..gold.alignment import one_to_one


class Arc(NamedTuple):
    """The head of a word and the label between them.

    Attributes:
        head: index of a gold word; the word itself if it is a root; -1 if the predicted head
            matches no gold word.
    """

    head: int
    label: str


@dataclass(frozen=True)
class AlignedParse:
    """The two parses of an Example, both as arcs between gold words.

    Attributes:
        gold: arc of each annotated gold word, by its index.
        predicted: arc of each predicted word that covers the same characters as a gold word, by the
            index of that gold word; words without a parse are left out.
        n_predicted: number of predicted words, except those that stand for gold words without
            annotation.
        sentences: indices of the annotated words of each gold sentence that has any.
    """

    gold: dict[int, Arc]
    predicted: dict[int, Arc]
    n_predicted: int
    sentences: list[list[int]]


def align_parses(example: Example) -> AlignedParse:
    """Return the parses of an Example over the gold words; whitespace is no word."""
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
    # spaCy's name for UD's root.
    return "root" if token.dep_ == "ROOT" else token.dep_


def _annotated_sentences(doc: Doc, gold: dict[int, Arc]) -> list[list[int]]:
    sentences = [[token.i for token in span if token.i in gold] for span in sentences_of(doc)]
    return [sentence for sentence in sentences if sentence]


def attachment_f1(
    parses: Iterable[AlignedParse], key: Callable[[Arc], Hashable]
) -> float | None:
    """Return the F1 (0 to 1) of arcs, which are right if they agree in the key.

    None if there is no annotated word.
    """
    score = PRFScore()
    for parse in parses:
        correct = sum(
            i in parse.predicted and key(parse.predicted[i]) == key(arc)
            for i, arc in parse.gold.items()
        )
        score += PRFScore(
            tp=correct,
            fp=parse.n_predicted - correct,
            fn=len(parse.gold) - correct,
        )
    return score.fscore if len(score) else None


def score_ud(parses: Iterable[AlignedParse]) -> dict[str, Any]:
    """Return F1 scores (0 to 1, None without annotated words), punctuation included.

    dep_uas_ud: heads, as the official evaluation counts them.
    dep_las_ud: heads and labels up to the colon (`nsubj:pass` is `nsubj`), likewise.
    dep_las_full: heads and full labels.
    """
    parses = list(parses)
    return {
        "dep_uas_ud": attachment_f1(parses, lambda arc: arc.head),
        "dep_las_ud": attachment_f1(parses, _universal),
        "dep_las_full": attachment_f1(parses, lambda arc: arc),
    }


def score_sentences(examples: Iterable[Example]) -> dict[str, float | None]:
    """Return precision, recall and F1 (0 to 1) of sentences: sents_p, sents_r, sents_f.

    A sentence is right if it begins and ends at the same characters as a gold sentence, white space
    aside, whatever its tokens are. Examples without gold boundaries are left out; without any
    others, the scores are None.
    """
    score = PRFScore()
    for example in examples:
        if example.reference.has_annotation("SENT_START"):
            score.score_set(_sentence_spans(example.predicted), _sentence_spans(example.reference))
    values = (score.precision, score.recall, score.fscore)
    names = ("sents_p", "sents_r", "sents_f")
    return {name: value if len(score) else None for name, value in zip(names, values)}


def _sentence_spans(doc: Doc) -> set[tuple[int, int]]:
    """Where sentences begin and end, in characters that are not white space."""
    if not doc.has_annotation("SENT_START"):
        return set()
    sizes = [len("".join(sentence.text.split())) for sentence in doc.sents]
    ends = list(accumulate(sizes))
    return {(end - size, end) for end, size in zip(ends, sizes) if size}


def universal(label: str) -> str:
    """A label up to the colon: `nsubj` for `nsubj:pass`."""
    return label.split(":")[0]


def _universal(arc: Arc) -> Arc:
    return Arc(arc.head, universal(arc.label))
