"""Wrong arrays for the module that writes to spaCy's tokens: a reason, and nothing is written."""

from contextlib import nullcontext
from typing import Any

import numpy
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_arceager.annotation import tokens
from tests.conftest import annotation

VOCAB = spacy.blank("xx").vocab
WORDS = ["the", " ", "market", "opens", "\n", "it", "closes"]
N = len(WORDS)
RIGHT: dict[str, Any] = {
    "words": numpy.asarray([0, 2, 3, 5, 6], dtype="i"),
    "heads": numpy.asarray([1, 2, 2, 1, 1], dtype="i"),
    "labels": numpy.asarray([5, 6, 7, 8, 9], dtype="uint64"),
    "lengths": numpy.asarray([3, 2], dtype="i"),
    "starts": numpy.asarray([0, 5], dtype="i"),
}
DTYPES = {name: values.dtype for name, values in RIGHT.items()}
NUMBERS = st.one_of(st.integers(-2, N + 2), st.integers(-(2**31), 2**31 - 1))
ODD = st.one_of(
    st.none(), st.text(max_size=3), st.integers(), st.lists(NUMBERS, max_size=3),
    st.sampled_from([
        numpy.zeros((5,)), numpy.zeros((5, 2), dtype="i"), numpy.zeros((), dtype="i"),
        numpy.zeros((10,), dtype="i")[::2], numpy.zeros((5,), dtype=">i4"),
        numpy.zeros((5,), dtype="i8"), numpy.zeros((5,), dtype="O"),
    ]),
)


def new_doc() -> Doc:
    return Doc(VOCAB, words=WORDS)


def write(doc: Doc, arrays: dict[str, Any]) -> None:
    tokens.write_tree(doc, **arrays)


def arrays_of(dtype: str) -> st.SearchStrategy[numpy.ndarray]:
    wide = {"uint64": st.integers(0, 2**64 - 1), "int8": st.integers(-128, 127)}
    numbers = wide.get(dtype, NUMBERS)
    return st.lists(numbers, max_size=N + 2).map(lambda values: numpy.asarray(values, dtype))


@st.composite
def changed(draw: st.DrawFn) -> dict[str, Any]:
    """The right arrays with one number changed, or one or all of them replaced."""
    arrays = {name: values.copy() for name, values in RIGHT.items()}
    names = draw(st.lists(st.sampled_from(list(RIGHT)), min_size=1, max_size=5, unique=True))
    for name in names:
        kind = draw(st.sampled_from(["number", "array", "odd"]))
        if kind == "number" and DTYPES[name] != numpy.uint64:
            arrays[name][draw(st.integers(0, arrays[name].size - 1))] = draw(NUMBERS)
        elif kind == "array":
            arrays[name] = draw(arrays_of(str(DTYPES[name])))
        elif kind == "odd":
            arrays[name] = draw(ODD)
    return arrays


def is_sound(doc: Doc) -> bool:
    """Whether spaCy can walk all trees of a Doc."""
    for token in doc:
        n_steps = 0
        while token.head.i != token.i:
            token, n_steps = token.head, n_steps + 1
            if n_steps > len(doc):
                return False
    return all(0 <= t.left_edge.i <= t.i <= t.right_edge.i < len(doc) for t in doc)


@settings(max_examples=400, deadline=None)
@given(arrays=changed())
def test_wrong_trees_are_refused_and_nothing_is_written(arrays: dict[str, Any]) -> None:
    doc = new_doc()
    before = annotation(doc)
    try:
        write(doc, arrays)
    except (TypeError, ValueError) as error:
        assert str(error)
        assert annotation(doc) == before
    else:
        assert is_sound(doc)
        assert sum(len(list(sent)) for sent in doc.sents) == N


def test_the_right_tree_is_written() -> None:
    doc = new_doc()
    write(doc, RIGHT)
    assert [token.head.i for token in doc] == [2, 0, 3, 3, 3, 6, 6]
    assert [sentence.start for sentence in doc.sents] == [0, 5]


@pytest.mark.parametrize("heads", [[1, 0, 2, 1, 1], [1, 2, 0, 1, 1], [1, 2, 2, 1, 0]])
def test_cycles_are_refused(heads: list[int]) -> None:
    doc = new_doc()
    with pytest.raises(ValueError, match="cycle"):
        write(doc, {**RIGHT, "heads": numpy.asarray(heads, dtype="i")})
    assert [token.head.i for token in doc] == list(range(N))


def are_starts(values: Any) -> bool:
    """Whether sentences can start at these tokens."""
    if not isinstance(values, numpy.ndarray) or values.dtype != "i" or values.ndim != 1:
        return False
    numbers = values.tolist()
    return numbers[:1] == [0] and numbers == sorted(set(numbers)) and numbers[-1] < N


STARTS = st.sets(st.integers(0, N - 1)).map(lambda numbers: numpy.asarray(sorted(numbers), "i"))


@settings(max_examples=150, deadline=None)
@given(starts=st.one_of(ODD, arrays_of("int32"), STARTS))
def test_wrong_boundaries_are_refused(starts: Any) -> None:
    doc = new_doc()
    with nullcontext() if are_starts(starts) else pytest.raises((TypeError, ValueError)):
        tokens.close_sentences(doc, starts)
    assert is_sound(doc)


@settings(max_examples=150, deadline=None)
@given(boundaries=st.one_of(ODD, arrays_of("int8").filter(lambda values: values.size != N)))
def test_boundaries_of_other_tokens_are_refused(boundaries: Any) -> None:
    if boundaries is None:      # those of the Doc are taken
        assert tokens.sentence_words(new_doc(), None)[2].tolist() == [0]
        return
    with pytest.raises((TypeError, ValueError)):
        tokens.sentence_words(new_doc(), boundaries)


@pytest.mark.parametrize(
    "function", ["sentence_words", "has_boundaries", "read_boundaries", "read_tree"]
)
@pytest.mark.parametrize("doc", [None, "doc", 5, VOCAB])
def test_what_is_no_doc_is_refused(function: str, doc: Any) -> None:
    with pytest.raises(TypeError):
        getattr(tokens, function)(doc)
    with pytest.raises(TypeError):
        tokens.same_words(new_doc(), doc)
    with pytest.raises(TypeError):
        write(doc, RIGHT)
    with pytest.raises(TypeError):
        tokens.close_sentences(doc, RIGHT["starts"])
