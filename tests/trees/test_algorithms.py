"""The algorithms on heads and arcs against slow functions that follow the definitions."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.pipeline._parser_internals import nonproj

from spacy_arceager.trees import algorithms as trees
from tests.brute_force import all_trees, is_tree

HUGE = 100_000


def array(heads: Sequence[int]) -> numpy.ndarray:
    return numpy.asarray(heads, dtype="i")


def ancestors(heads: Sequence[int], word: int) -> set[int]:
    met: set[int] = {word}
    while (word := heads[word]) >= 0 and word not in met:
        met.add(word)
    return met


def in_gap(heads: Sequence[int], dependent: int) -> list[int]:
    """The words between the ends of an arc that do not descend from its head."""
    head = heads[dependent]
    between = range(min(head, dependent) + 1, max(head, dependent))
    return [word for word in between if head not in ancestors(heads, word)]


def slow_non_projective_arcs(heads: Sequence[int]) -> list[int]:
    return [
        word for word, head in enumerate(heads)
        if head >= 0 and head != word and in_gap(heads, word)
    ]


def slow_crossing_arcs(ends: Sequence[tuple[int, int]]) -> list[bool]:
    spans = [(min(pair), max(pair)) for pair in ends]
    return [
        any(a < c < b < d or c < a < d < b for c, d in spans) for a, b in spans
    ]


def slow_blocks(heads: Sequence[int]) -> list[int]:
    words = range(len(heads))
    below = [[w for w in words if word in ancestors(heads, w)] for word in words]
    return [1 + sum(b > a + 1 for a, b in pairwise(subtree)) for subtree in below]


def slow_is_well_nested(heads: Sequence[int]) -> bool:
    words = range(len(heads))
    below = [{w for w in words if word in ancestors(heads, w)} for word in words]
    for first, second in combinations(below, 2):
        owners = [word in first for word in sorted(first | second)]
        if not first & second and sum(a != b for a, b in pairwise(owners)) >= 3:
            return False
    return True


@st.composite
def tree_heads(draw: st.DrawFn, most: int = 30) -> list[int]:
    order = draw(st.permutations(range(draw(st.integers(1, most)))))
    heads = [order[0]] * len(order)
    for i, word in enumerate(order[1:], 1):
        # Few candidates make deep trees, many make flat ones.
        heads[word] = order[draw(st.integers(max(0, i - draw(st.sampled_from([1, 3, 30]))), i - 1))]
    return heads


def head_sequences(most: int = 12) -> st.SearchStrategy[list[int]]:
    """Any heads; there may be several roots, cycles and missing heads."""
    return st.integers(1, most).flatmap(
        lambda n: st.lists(st.integers(-1, n - 1), min_size=n, max_size=n)
    )


def huge(shape: str) -> numpy.ndarray:
    words = numpy.arange(HUGE)
    if shape == "right chain":      # each head is the next word
        return array(numpy.minimum(words + 1, HUGE - 1))
    if shape == "left chain":
        return array(numpy.maximum(words - 1, 0))
    if shape == "flat":
        return array(numpy.zeros(HUGE))
    if shape == "half chain":       # the other half of the words depend on the chain's first word
        return array(numpy.where(words < HUGE // 2, numpy.maximum(words - 1, 0), 0))
    if shape == "cycle":
        return array((words + 1) % HUGE)
    generator = numpy.random.default_rng(0)
    order = generator.permutation(HUGE)
    heads = numpy.empty(HUGE)
    heads[order[0]] = order[0]
    above = generator.integers(0, numpy.arange(1, HUGE)) if shape == "random" else words[:-1]
    heads[order[1:]] = order[above]
    return array(heads)


SHAPES = [
    "right chain", "left chain", "flat", "half chain", "cycle", "random", "random chain"
]


def returns(heads: list[int], word: int) -> bool:
    """Whether the way up from a word leads back to it; a root's own head is no way."""
    above = heads[word]
    for _ in heads:
        if above < 0 or above == heads[above]:
            return False
        if above == word:
            return True
        above = heads[above]
    return False


@given(head_sequences())
def test_what_is_a_tree(heads: list[int]) -> None:
    assert trees.has_cycle(array(heads)) == any(returns(heads, word) for word in range(len(heads)))
    assert trees.is_tree(array(heads)) == (min(heads) >= 0 and is_tree(heads))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_small_tree(n: int) -> None:
    for heads in all_trees(n):
        assert trees.non_projective_arcs(array(heads)) == slow_non_projective_arcs(heads)
        assert trees.count_blocks(array(heads)).tolist() == slow_blocks(heads)
        assert trees.is_well_nested(array(heads)) == slow_is_well_nested(heads)
        assert trees.lift(array(heads)).tolist() == nonproj.projectivize(*heads_of(heads))[0]


def heads_of(heads: Sequence[int]) -> tuple[list[int], list[str]]:
    return list(heads), [""] * len(heads)


@pytest.mark.slow
@given(st.one_of(head_sequences(), tree_heads()))
@settings(deadline=None, max_examples=300)
def test_non_projective_arcs_are_those_of_the_definition(heads: list[int]) -> None:
    assert trees.non_projective_arcs(array(heads)) == slow_non_projective_arcs(heads)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20))
@settings(max_examples=300)
def test_crossing_arcs_are_those_of_the_definition(ends: list[tuple[int, int]]) -> None:
    assert trees.crossing_arcs(ends).tolist() == slow_crossing_arcs(ends)


@pytest.mark.slow
@given(tree_heads())
@settings(deadline=None, max_examples=300)
def test_gaps_and_nesting_are_those_of_the_definitions(heads: list[int]) -> None:
    assert trees.count_blocks(array(heads)).tolist() == slow_blocks(heads)
    assert trees.is_well_nested(array(heads)) == slow_is_well_nested(heads)


@pytest.mark.slow
@given(tree_heads())
@settings(deadline=None, max_examples=500)
def test_lifting_gives_the_trees_of_spacy(heads: list[int]) -> None:
    assert trees.lift(array(heads)).tolist() == nonproj.projectivize(*heads_of(heads))[0]


def test_crossing_and_non_projective_arcs_are_two_measures() -> None:
    # The arc over the root crosses no other arc, but the root does not descend from its head.
    heads = [2, 1, 1]
    assert trees.non_projective_arcs(array(heads)) == [0]
    assert not trees.crossing_arcs([(0, 2), (2, 1)]).any()


@pytest.mark.parametrize("shape", SHAPES)
def test_huge_sentences(shape: str) -> None:
    heads = huge(shape)
    is_one_tree = trees.is_tree(heads)
    n_arcs = len(trees.non_projective_arcs(heads))
    ends = numpy.stack([heads, numpy.arange(HUGE)], axis=1)
    n_crossing = trees.crossing_arcs(ends).sum()
    if is_one_tree:
        assert trees.count_blocks(heads).min() >= 1
    assert is_one_tree == (shape != "cycle")
    if shape in ("right chain", "left chain", "flat", "cycle"):
        assert (n_arcs, n_crossing) == (0, 0)
    elif shape != "half chain":
        assert n_arcs > HUGE / 2 and n_crossing > HUGE / 2


@pytest.mark.slow
def test_lifting_gives_up_in_time() -> None:
    heads = huge("random chain")
    with pytest.raises(OverflowError, match="cross too often"):
        trees.lift(heads, max_steps=10_000_000)
    lifted = trees.lift(huge("random"))
    assert trees.is_tree(lifted) and not trees.non_projective_arcs(lifted)


@pytest.mark.parametrize("function", [trees.is_tree, trees.non_projective_arcs])
def test_a_head_outside_the_sentence_is_refused(function) -> None:
    with pytest.raises(ValueError, match="head of word 1 is 2, but there are 2 words"):
        function(array([0, 2]))
    with pytest.raises(ValueError, match="dtype|type"):
        function(numpy.zeros((2,)))


@pytest.mark.parametrize("function", [trees.count_blocks, trees.is_well_nested, trees.lift])
@pytest.mark.parametrize("heads", [[0, 1], [1, 0], [0, -1], [0, 9]])
def test_what_is_no_tree_is_refused(function, heads: list[int]) -> None:
    with pytest.raises(ValueError):
        function(array(heads))


@pytest.mark.parametrize("ends", [[(0, 1, 2)], [0, 1], [[]]])
def test_arcs_of_another_shape_are_refused(ends) -> None:
    with pytest.raises(ValueError):
        trees.crossing_arcs(ends)


def test_nothing() -> None:
    nothing = array([])
    assert not trees.is_tree(nothing)
    assert trees.non_projective_arcs(nothing) == []
    assert trees.crossing_arcs([]).tolist() == []
