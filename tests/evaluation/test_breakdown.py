"""Scores by length, distance and label, by hand and against the scores of all words."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.evaluation.breakdown import (
    DISTANCES,
    LENGTHS,
    Group,
    by_distance,
    by_label,
    by_length,
    name_range,
    ranges,
)
from spacy_arceager.evaluation.ud import AlignedParse, align_parses, score_ud

VOCAB = spacy.blank("xx").vocab


def parsed(gold: list[tuple[int, str]], predicted: list[tuple[int, str]]) -> AlignedParse:
    """Heads and labels of one sentence."""
    docs = [
        Doc(VOCAB, [f"w{i}" for i in range(len(arcs))], heads=[head for head, _ in arcs],
            deps=[label for _, label in arcs], sent_starts=[True, *[False] * (len(arcs) - 1)])
        for arcs in (predicted, gold)
    ]
    return align_parses(Example(*docs))


PARSE = parsed(
    [(1, "nsubj:pass"), (1, "ROOT"), (1, "obj"), (1, "obl"), (5, "det"), (3, "nmod")],
    [(1, "nsubj"), (1, "ROOT"), (3, "obj"), (1, "obj"), (5, "case"), (1, "nmod")],
)


def test_by_label() -> None:
    rows = {row.name: row for row in by_label([PARSE])}
    assert rows["nsubj"] == Group("nsubj", 1, 1, 1.0, 1.0, 1.0)
    assert rows["obj"] == Group("obj", 1, 2, 0.0, 0.0, 0.0)
    assert rows["obl"] == Group("obl", 1, 0, 1.0, 0.0, None)
    assert rows["case"] == Group("case", 0, 1, None, None, 0.0)
    assert [row.name for row in by_label([PARSE])][:1] == ["obj"]


def test_by_distance() -> None:
    assert by_distance([PARSE]) == [
        Group("root", 1, 1, 1.0, 1.0, 1.0),
        Group("1", 3, 3, 2 / 3, 1 / 3, 1 / 3),
        Group("2", 2, 1, 1 / 2, 0.0, 0.0),
        Group("4-6", 0, 1, None, None, 0.0),
    ]


def test_lengths_are_in_tens_up_to_fifty() -> None:
    assert ranges(LENGTHS) == ["1-10", "11-20", "21-30", "31-40", "41-50", "51+"]


def test_by_length() -> None:
    twelve = [(0, "ROOT")] * 12
    long = parsed(twelve, [(0, "ROOT"), (1, "ROOT"), *twelve[2:]])
    assert [row[:4] for row in by_length([PARSE, long])] == [
        ("1-10", 6, 6, 4 / 6), ("11-20", 12, 12, 11 / 12),
    ]


def test_a_head_that_is_no_gold_word_has_no_distance() -> None:
    gold = Doc(VOCAB, ["ab", "c"], heads=[0, 0], deps=["ROOT", "obj"], spaces=[True, False])
    split = Doc(VOCAB, ["a", "b", "c"], heads=[0, 0, 0], deps=["ROOT", "dep", "obj"],
                spaces=[False, True, False])
    rows = by_distance([align_parses(Example(split, gold))])
    assert rows == [Group("root", 1, 0, 0.0, 0.0, None), Group("1", 1, 0, 0.0, 0.0, None)]


@pytest.mark.parametrize(("n", "name"), [
    (1, "1"), (2, "2"), (3, "3"), (4, "4-6"), (6, "4-6"), (7, "7-10"), (10, "7-10"), (11, "11+"),
    (999, "11+"),
])
def test_ranges(n: int, name: str) -> None:
    assert name_range(n, DISTANCES) == name
    assert ranges(DISTANCES) == ["1", "2", "3", "4-6", "7-10", "11+"]


ARCS = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["a", "a:x", "b"])), min_size=6,
                max_size=6)


@given(gold=ARCS, predicted=ARCS)
def test_the_groups_together_are_the_scores(
    gold: list[tuple[int, str]], predicted: list[tuple[int, str]]
) -> None:
    parse = parsed(gold, predicted)
    scores = score_ud([parse])
    for rows in (by_length([parse]), by_distance([parse]), by_label([parse])):
        assert sum(row.gold for row in rows) == sum(row.predicted for row in rows) == 6
        right = sum(row.gold * row.recall for row in rows if row.gold)
        assert right / 6 == pytest.approx(scores["dep_las_ud"])
        assert sum(row.gold * (row.uas or 0) for row in rows) / 6 == pytest.approx(
            scores["dep_uas_ud"]
        )
        # A right word is of the same kind by its gold arc and by its predicted arc.
        assert right == pytest.approx(
            sum(row.predicted * row.precision for row in rows if row.predicted)
        )
