"""The scores of the CoNLL 2018 shared task for a parse of raw text (Zeman et al. 2018, section 4).

Each score is the F1 of precision over the words of the parse and recall over the gold words.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy

from ..corpus.conllu import ConlluSentence, ConlluWord
from ..systems.ud_rules import universal
from .outcomes import Outcomes
from .raw_alignment import NO_HEAD, Span, Text, align, read_text
from .shares import share
from .ud import MEASURES, AlignedParse, Arc

# Relations whose words carry content, and relations of function words. Both leave out `punct`.
CONTENT = {
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated",
    "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed",
    "flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep",
}
FUNCTION = {"aux", "cop", "mark", "det", "clf", "case", "cc"}

# Features that all languages share. Other features are not scored.
FEATURES = {
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number",
    "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident",
    "Polarity", "Person", "Polite",
}

OUTSIDE = -2    # stands for a head that has no gold word


class F1(NamedTuple):
    """A score and the counts that it comes from.

    Attributes:
        correct: how many words are right.
        gold: how many words the treebank has.
        predicted: how many words the parse has.
        aligned: how many words are aligned; None where no words are scored.
    """

    correct: int
    gold: int
    predicted: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """Right words as a share (0 to 1) of the predicted words."""
        return share(self.correct, self.predicted) or 0.0

    @property
    def recall(self) -> float:
        """Right words as a share (0 to 1) of the gold words."""
        return share(self.correct, self.gold) or 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean (0 to 1) of precision and recall."""
        return share(2 * self.correct, self.gold + self.predicted) or 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """Right words as a share (0 to 1) of the aligned words."""
        return None if self.aligned is None else share(self.correct, self.aligned)


@dataclass(frozen=True)
class Side:
    """The words of a text as the scores see them.

    Attributes:
        text: where the words lie.
        gold_word: the gold word that each word stands for; OUTSIDE where it stands for none.
        labels: the relation of each word, without its subtype.
        feats: the features of each word that all languages share.
        lemmas: the lemma of each word, `_` where the treebank has none, as any is right there.
        function_words: the function words that hang on each word.
    """

    text: Text
    gold_word: Sequence[int]
    labels: Sequence[str]
    feats: Sequence[str]
    lemmas: Sequence[str]
    function_words: Sequence[Sequence[int]]

    def head(self, i: int) -> int:
        """The gold word that the head of word i stands for; that of word i for a root."""
        head = self.text.heads[i]
        return NO_HEAD if head < 0 else self.gold_word[head]

    def is_root(self, i: int) -> bool:
        """Whether word i is the root of its sentence."""
        return self.text.heads[i] == i


def make_side(text: Text, gold_word: Sequence[int], gold: Text) -> Side:
    """Cut labels and features to what is scored, and find the function words of each word."""
    labels = [universal(word.deprel) for word in text.words]
    function_words: list[list[int]] = [[] for _ in text.words]
    for i, head in enumerate(text.heads):
        if labels[i] in FUNCTION and head not in (i, NO_HEAD):
            function_words[head].append(i)
    feats = [universal_features(word) for word in text.words]
    lemmas = [
        "_" if one != OUTSIDE and gold.words[one].lemma == "_" else word.lemma
        for word, one in zip(text.words, gold_word)
    ]
    return Side(text, gold_word, labels, feats, lemmas, function_words)


def universal_features(word: ConlluWord) -> str:
    """The features of a word that all languages share, sorted."""
    pairs = word.feats.split("|")
    return "|".join(sorted(pair for pair in pairs if pair.partition("=")[0] in FEATURES))


# What must be equal in an aligned word of both sides.
Key = Callable[[Side, int], Hashable]


def attachment(side: Side, i: int) -> Hashable:
    """The head, or that the word is a root."""
    return "root" if side.is_root(i) else side.head(i)


def labelled(side: Side, i: int) -> Hashable:
    """Head and label."""
    return attachment(side, i), side.labels[i]


def fully_labelled(side: Side, i: int) -> Hashable:
    """Head and label, with its subtype."""
    return attachment(side, i), side.text.words[i].deprel


def morphology(side: Side, i: int) -> Hashable:
    """Head, label, tag, features, and the same of the function words that hang on the word."""
    return (labelled(side, i), side.text.words[i].upos, side.feats[i], tuple(
        (side.gold_word[child], side.labels[child], side.text.words[child].upos, side.feats[child])
        for child in side.function_words[i]
    ))


def lemma(side: Side, i: int) -> Hashable:
    """The lemma, see `Side`."""
    return side.lemmas[i]


class Metric(NamedTuple):
    """A score of words.

    Attributes:
        name: as the shared task calls it.
        key: what must be right.
        content_only: whether only words with a relation of CONTENT count.
    """

    name: str
    key: Key
    content_only: bool = False


METRICS = (
    Metric("Words", lambda side, i: side.gold_word[i]),
    Metric("UPOS", lambda side, i: side.text.words[i].upos),
    Metric("XPOS", lambda side, i: side.text.words[i].xpos),
    Metric("UFeats", lambda side, i: side.feats[i]),
    Metric("AllTags", lambda side, i: (
        side.text.words[i].upos, side.text.words[i].xpos, side.feats[i]
    )),
    Metric("Lemmas", lemma),
    Metric("UAS", attachment),
    Metric("LAS", labelled),
    Metric("CLAS", labelled, content_only=True),
    Metric("MLAS", morphology, content_only=True),
    Metric("BLEX", lambda side, i: (labelled(side, i), lemma(side, i)), content_only=True),
)


# The measures of a test of significance.
KEYS: dict[str, Key] = dict(zip(MEASURES, (attachment, labelled, fully_labelled), strict=True))


class RawParse:
    """A parse of the raw text of a treebank, aligned with the treebank.

    Args:
        gold: the sentences of the treebank.
        parse: the sentences of the parse, which may have other tokens and boundaries.

    Raises:
        DifferentWordsError: If the two have other characters.
    """

    def __init__(self, gold: Iterable[ConlluSentence], parse: Iterable[ConlluSentence]) -> None:
        first, second = read_text(gold), read_text(parse)
        pairs = align(first, second)
        gold_word = [pairs.get(i, OUTSIDE) for i in range(len(second.words))]
        self.gold = make_side(first, range(len(first.words)), first)
        self.system = make_side(second, gold_word, first)
        self.pairs = [(gold_word, word) for word, gold_word in sorted(pairs.items())]

    def scores(self) -> dict[str, F1]:
        """The scores of tokens, sentences and words, by their names."""
        gold, system = self.gold.text, self.system.text
        return {
            "Tokens": score_spans(gold.tokens, system.tokens),
            "Sentences": score_spans(gold.sentences, system.sentences),
            **{metric.name: self.score(metric) for metric in METRICS},
        }

    def score(self, metric: Metric) -> F1:
        """One score of words."""
        def is_scored(side: Side, i: int) -> bool:
            return not metric.content_only or side.labels[i] in CONTENT

        pairs = [pair for pair in self.pairs if is_scored(self.gold, pair[0])]
        n_gold, n_predicted = (
            sum(is_scored(side, i) for i in range(len(side.labels)))
            for side in (self.gold, self.system)
        )
        correct = sum(self.is_right(metric.key, *pair) for pair in pairs)
        return F1(correct, n_gold, n_predicted, len(pairs))

    def is_right(self, key: Key, gold_word: int, word: int) -> bool:
        """Whether a system word is right by some key."""
        return key(self.gold, gold_word) == key(self.system, word)

    def outcomes(self, measure: str = "las") -> Outcomes:
        """Which gold words are right, for a test of significance; a word without a match is wrong.

        Args:
            measure: as for `outcomes.find_outcomes`.
        """
        key = KEYS[measure]
        right = numpy.zeros(len(self.gold.labels), dtype=bool)
        for pair in self.pairs:
            right[pair[0]] = self.is_right(key, *pair)
        starts = self.gold.text.starts
        sizes = numpy.diff([*starts, len(right)])
        return Outcomes(right, numpy.repeat(numpy.arange(len(starts)), sizes))

    def arcs(self) -> AlignedParse:
        """The two parses as arcs between gold words, for scores by kinds of words."""
        words, heads = self.gold.text.words, self.gold.text.heads
        gold = {i: Arc(head, words[i].deprel) for i, head in enumerate(heads) if head != NO_HEAD}
        predicted = {
            gold_word: Arc(
                gold_word if self.system.is_root(word) else max(-1, self.system.head(word)),
                self.system.text.words[word].deprel,
            )
            for gold_word, word in self.pairs
            if gold_word in gold and self.system.text.heads[word] != NO_HEAD
        }
        n_predicted = len(self.system.labels) - sum(
            gold_word not in gold for gold_word, _ in self.pairs
        )
        starts = [*self.gold.text.starts, len(words)]
        sentences = ([i for i in range(*ends) if i in gold] for ends in pairwise(starts))
        return AlignedParse(gold, predicted, n_predicted, [*filter(None, sentences)])


def score_spans(gold: Collection[Span], system: Collection[Span]) -> F1:
    """The score of spans, which are right if they begin and end at the same characters."""
    return F1(len(set(gold) & set(system)), len(gold), len(system))
