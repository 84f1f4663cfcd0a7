"""The scorer of the parser: spaCy's scores, the official UD ones, statistics of trees."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray
from spacy import registry
from spacy.pipeline.dep_parser import parser_score as spacy_parser_score
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example

from ..annotation.sentences import sentences_of
from ..trees.algorithms import crossing_arcs, non_projective_arcs
from .shares import share
from .ud import AlignedParse, Arc, align_parses, score_sentences, score_ud


@registry.scorers("arceager.parser_scorer.v1")
def make_parser_scorer() -> Callable[..., dict[str, Any]]:
    """Create the scorer for a pipeline config."""
    return parser_score


def parser_score(examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
    """Score parsed Examples. Gold words without annotation are ignored.

    Of spaCy's own scorer, which leaves punctuation out (kwargs go there):
    dep_uas, dep_las, dep_las_per_type.

    With punctuation, see `ud.score_ud`: dep_uas_ud, dep_las_ud, dep_las_full.
    By characters, see `ud.score_sentences`: sents_p, sents_r, sents_f.

    Over the sentences of the gold standard, shares (0 to 1):
    dep_exact, dep_exact_heads: of the sentences with every head right, and every full label
        right, or labels aside.
    dep_nonproj_recall: of the non-projective gold arcs (Havelka 2007) that are predicted,
        labels aside. A word between their ends does not descend from their head.
    dep_crossing_recall: of the gold arcs that cross another gold arc, likewise; CUR in Bohnet
        et al. (2016), but that the root has no arc here, so that what crosses only an arc
        from an artificial root is left out.

    Over the predicted sentences:
    dep_multiple_roots: number of those with several roots.

    Scores that nothing is annotated for are None.
    """
    examples = list(examples)
    parses = [align_parses(example) for example in examples]
    return {
        **spacy_parser_score(examples, **kwargs),
        **score_ud(parses),
        **score_sentences(examples),
        "dep_exact": _exact_match(parses, lambda arc: arc),
        "dep_exact_heads": _exact_match(parses, lambda arc: arc and arc.head),
        "dep_multiple_roots": sum(_several_roots(eg.predicted) for eg in examples),
        "dep_nonproj_recall": _recall(parses, _non_projective),
        "dep_crossing_recall": _recall(parses, _crossing),
    }


class PipelineScorer(Scorer):
    """Scores any pipeline that parses, spaCy's own too, as `parser_score` does.

    What other components are scored for comes too. To be given to `Language.evaluate`.

    Attributes:
        predicted: the parsed Docs, once it has scored.
    """

    predicted: Sequence[Doc] = ()

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Score parsed Examples; trees only if a Doc has one."""
        examples = list(examples)
        self.predicted = [example.predicted for example in examples]
        scores = super().score(examples, **kwargs)
        if any(doc.has_annotation("DEP") for doc in self.predicted):
            scores.update(parser_score(examples))
        return scores


def _exact_match(
    parses: Iterable[AlignedParse], key: Callable[[Arc | None], Any]
) -> float | None:
    return _share(
        all(key(parse.gold[i]) == key(parse.predicted.get(i)) for i in sentence)
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
    parses: Iterable[AlignedParse],
    select: Callable[[NDArray[numpy.int32]], Iterable[int]],
) -> float | None:
    """select: takes the gold heads of a sentence, which words it is about."""
    return _share(
        i in parse.predicted and parse.predicted[i].head == parse.gold[i].head
        for parse in parses
        for sentence in parse.sentences
        for i in _pick(parse, sentence, select)
    )


def _pick(
    parse: AlignedParse,
    sentence: Sequence[int],
    select: Callable[[NDArray[numpy.int32]], Iterable[int]],
) -> Iterator[int]:
    """The words of a sentence that are selected by its heads, which are counted from 0."""
    heads = {word: parse.gold[word].head for word in sentence}
    words = sorted({*heads, *heads.values()})
    place = {word: i for i, word in enumerate(words)}
    places = [place[heads[word]] if word in heads else -1 for word in words]
    return (words[i] for i in select(numpy.asarray(places, dtype="i")))


def _non_projective(heads: NDArray[numpy.int32]) -> Iterable[int]:
    return non_projective_arcs(heads)


def _crossing(heads: NDArray[numpy.int32]) -> Iterable[int]:
    words = numpy.flatnonzero((heads >= 0) & (heads != numpy.arange(len(heads))))
    return words[crossing_arcs(numpy.stack([words, heads[words]], axis=1))]


def _share(outcomes: Iterable[bool]) -> float | None:
    outcomes = list(outcomes)
    return share(sum(outcomes), len(outcomes))
