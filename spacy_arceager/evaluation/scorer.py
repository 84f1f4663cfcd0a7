"""The scorer of the parser: spaCy's scores, the official UD ones, statistics of trees."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray
from spacy import Language
from spacy.pipeline.dep_parser import parser_score as spacy_parser_score
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example

from ..annotation.layout import sentences_of
from ..trees.algorithms import crossing_arcs, non_projective_arcs
from .outcomes import is_right
from .shares import share
from .ud import AlignedParse, align_parses, score_sentences, score_ud


def make_parser_scorer() -> Callable[..., dict[str, Any]]:
    """Create the scorer for a pipeline config."""
    return parser_score


def parser_score(examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
    """Score parsed Examples. Gold words without annotation are ignored.

    spaCy's own scorer, which gets the kwargs, leaves punctuation out of dep_uas, dep_las and
    dep_las_per_type. With punctuation there are dep_uas_ud, dep_las_ud and dep_las_full, see
    `ud.score_ud`. For sents_p, sents_r and sents_f see `ud.score_sentences`. The others are:

    dep_exact: share (0 to 1) of the gold sentences in which every head and full label is right.
    dep_exact_heads: share of the gold sentences in which every head is right.
    dep_nonproj_recall: share of the non-projective gold arcs (Havelka 2007) that are predicted,
        with any label. Some word between the ends of such an arc does not descend from its head.
    dep_crossing_recall: share of the gold arcs that cross another gold arc and are predicted, with
        any label. It is CUR in Bohnet et al. (2016), but for arcs that cross only the arc from
        the artificial root, which are not counted here.
    dep_multiple_roots: number of predicted sentences with several roots.

    A score is None where nothing is annotated for it.
    """
    examples = list(examples)
    parses = [align_parses(example) for example in examples]
    return {
        **spacy_parser_score(examples, **kwargs),
        **score_ud(parses),
        **score_sentences(examples),
        "dep_exact": _exact_match(parses, "las_full"),
        "dep_exact_heads": _exact_match(parses, "uas"),
        "dep_multiple_roots": sum(_several_roots(eg.predicted) for eg in examples),
        "dep_nonproj_recall": _recall(parses, non_projective_arcs),
        "dep_crossing_recall": _recall(parses, _crossing),
    }


def score_pipeline(nlp: Language, examples: Sequence[Example]) -> dict[str, Any]:
    """The scores of all components and, if a predicted Doc has a tree, those of `parser_score`.

    They are the same whatever component parses, spaCy's own parser included.

    Args:
        examples: their predicted Docs are parsed.
    """
    scores = Scorer(nlp=nlp).score(examples)
    if "dep_exact" not in scores and any(
        example.predicted.has_annotation("DEP") for example in examples
    ):
        scores.update(parser_score(examples))
    return scores


def _exact_match(parses: Iterable[AlignedParse], measure: str) -> float | None:
    return _share(
        all(is_right(parse, i, measure) for i in sentence)
        for parse in parses
        for sentence in parse.sentences
    )


def _several_roots(doc: Doc) -> int:
    roots = [
        sum(word.head.i == word.i and word.has_dep() and not word.is_space for word in span)
        for span in sentences_of(doc)
    ]
    return sum(n > 1 for n in roots)


def _recall(
    parses: Iterable[AlignedParse], select: Callable[[NDArray[numpy.int32]], Iterable[int]]
) -> float | None:
    """The share of right heads among the words that `select` picks by the gold heads."""
    return _share(
        is_right(parse, i, "uas")
        for parse in parses
        for sentence in parse.sentences
        for i in _pick(parse, sentence, select)
    )


def _pick(
    parse: AlignedParse, sentence: Sequence[int],
    select: Callable[[NDArray[numpy.int32]], Iterable[int]],
) -> Iterator[int]:
    """The words of a sentence that `select` picks; it gets the heads counted from 0."""
    heads = {word: parse.gold[word].head for word in sentence}
    words = sorted({*heads, *heads.values()})
    place = {word: i for i, word in enumerate(words)}
    places = [place[heads[word]] if word in heads else -1 for word in words]
    return (words[i] for i in select(numpy.asarray(places, dtype="i")))


def _crossing(heads: NDArray[numpy.int32]) -> Iterable[int]:
    words = numpy.flatnonzero((heads >= 0) & (heads != numpy.arange(len(heads))))
    return words[crossing_arcs(numpy.stack([words, heads[words]], axis=1))]


def _share(outcomes: Iterable[bool]) -> float | None:
    outcomes = list(outcomes)
    return share(sum(outcomes), len(outcomes))
