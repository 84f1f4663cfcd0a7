"""The scorer of the parser: spaCy's scores, the official UD ones, statistics of trees."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spacy import registry
from spacy.pipeline.dep_parser import parser_score as spacy_parser_score
from spacy.training import Example

from .ud import AlignedParse, align_parses, score_ud


@registry.scorers("arceager.parser_scorer.v1")
def make_parser_scorer() -> Callable[..., dict[str, Any]]:
    """Create the scorer for a pipeline config."""
    return parser_score


def parser_score(examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
    """Score parsed Examples. Gold words without annotation are ignored.

    Of spaCy's own scorer, which leaves punctuation out (kwargs go there):
    dep_uas, dep_las, dep_las_per_type, sents_p, sents_r, sents_f.

    With punctuation, see `ud.score_ud`: dep_uas_ud, dep_las_ud, dep_las_full.

    Over the sentences of the gold standard:
    dep_exact: share (0 to 1) with every head and every full label right.
    dep_multiple_roots: number in which several words are roots of the predicted parse.
    dep_nonproj_recall: share (0 to 1) of the gold arcs that cross another gold arc which
        are predicted, labels aside; CUR in Bohnet et al. (2016).

    Scores that nothing is annotated for are None.
    """
    examples = list(examples)
    parses = [align_parses(example) for example in examples]
    return {
        **spacy_parser_score(examples, **kwargs),
        **score_ud(parses),
        "dep_exact": _exact_match(parses),
        "dep_multiple_roots": _count_multiple_roots(parses),
        "dep_nonproj_recall": _crossing_recall(parses),
    }


def _exact_match(parses: Iterable[AlignedParse]) -> float | None:
    return _share(
        all(parse.gold[i] == parse.predicted.get(i) for i in sentence)
        for parse in parses
        for sentence in parse.sentences
    )


def _count_multiple_roots(parses: Iterable[AlignedParse]) -> int:
    return sum(
        len([i for i in sentence if _is_root(parse, i)]) > 1
        for parse in parses
        for sentence in parse.sentences
    )


def _is_root(parse: AlignedParse, i: int) -> bool:
    return i in parse.predicted and parse.predicted[i].head == i


def _crossing_recall(parses: Iterable[AlignedParse]) -> float | None:
    return _share(
        i in parse.predicted and parse.predicted[i].head == parse.gold[i].head
        for parse in parses
        for sentence in parse.sentences
        for i in _crossing(parse, sentence)
    )


def _crossing(parse: AlignedParse, sentence: Sequence[int]) -> list[int]:
    """Return the words of a sentence whose gold arcs cross another one.

    A root has no arc here: its head is no word.
    """
    arcs = {i: _span(i, parse.gold[i].head) for i in sentence}
    return [i for i in sentence if any(_cross(arcs[i], arc) for arc in arcs.values())]


def _span(dependent: int, head: int) -> tuple[int, int]:
    return min(dependent, head), max(dependent, head)


def _cross(first: tuple[int, int], second: tuple[int, int]) -> bool:
    (start, end), (other_start, other_end) = first, second
    return start < other_start < end < other_end or other_start < start < other_end < end


def _share(outcomes: Iterable[bool]) -> float | None:
    outcomes = list(outcomes)
    return sum(outcomes) / len(outcomes) if outcomes else None
