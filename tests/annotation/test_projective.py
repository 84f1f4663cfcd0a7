"""Trees with crossing arcs become projective ones, and are found again by their labels."""

import numpy
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_arceager.annotation.projective import (
    deprojectivized,
    is_decorated,
    is_label,
    projectivize,
    undecorated,
)
from spacy_arceager.trees.algorithms import is_tree, non_projective_arcs

VOCAB = spacy.blank("xx").vocab
CROSSING = numpy.asarray([2, 3, 2, 2], "i")     # 0 <- 2 and 1 <- 3


def test_a_lifted_arc_is_marked_with_the_label_of_its_old_head() -> None:
    heads, labels = projectivize(CROSSING, ["a", "b", "ROOT", "d"])
    assert (heads.tolist(), labels) == ([2, 2, 2, 2], ["a", "b||d", "ROOT", "d"])


@pytest.mark.parametrize("labels", [["a", "", "ROOT", "d"], ["a", "b", "ROOT", ""]])
def test_there_is_no_mark_where_one_of_the_two_labels_is_missing(labels: list[str]) -> None:
    heads, marked = projectivize(CROSSING, labels)
    assert (heads.tolist(), marked) == ([2, 2, 2, 2], labels)


def test_projective_trees_stay() -> None:
    heads, labels = projectivize(numpy.asarray([1, 1, 1], "i"), ["a", "ROOT", "b"])
    assert (heads.tolist(), labels) == ([1, 1, 1], ["a", "ROOT", "b"])


def test_marks() -> None:
    assert [is_decorated(label) for label in ("a", "a||b")] == [False, True]
    assert [undecorated(label) for label in ("a", "a||b")] == ["a", "a"]
    assert [is_label(label) for label in ("a", "a|b", "a||b")] == [True] * 3
    for label in ("a||b||c", "||b", "a||", "a|", "|a", "a|||b", "a||||b", "|", ""):
        assert not is_label(label), label


@given(st.integers(2, 6).flatmap(
    lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)
))
def test_what_is_lifted_is_projective_and_comes_back(
    heads: list[int]
) -> None:
    array = numpy.asarray(heads, "i")
    if not is_tree(array):
        return
    labels = ["ROOT" if head == i else f"of{i}" for i, head in enumerate(heads)]
    lifted, marked = projectivize(array, labels)
    assert is_tree(lifted) and not non_projective_arcs(lifted)
    found, plain = deprojectivized(VOCAB, lifted, marked)
    assert plain == labels
    # Each label is unique, so that a mark leads to the one head that it can mean, unless the arc of
    # that head was lifted itself.
    if sum(map(is_decorated, marked)) == 1:
        assert found.tolist() == heads
