"""Rows of floret vectors are those that spaCy finds."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.strings import StringStore
from spacy.vectors import Vectors

from spacy_arceager.token_vectors.floret import floret_rows
from spacy_arceager.token_vectors.types import sum_rows_at

WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=8)
TABLE = numpy.random.default_rng(0).normal(size=(997, 6)).astype("f")


@given(
    WORDS, st.integers(0, 3), st.integers(0, 4), st.integers(1, 4), st.integers(0, 2**32 - 1),
    st.sampled_from([("<", ">"), ("", ""), ("«é", "🙂")]),
)
def test_means_of_rows_are_the_vectors_of_spacy(
    words: list[str], min_n: int, more: int, n_hashes: int, seed: int, marks: tuple[str, str]
) -> None:
    vectors = Vectors(
        strings=StringStore(words), data=TABLE, mode="floret", minn=min_n, maxn=min_n + more,
        hash_count=n_hashes, hash_seed=seed, bow=marks[0], eow=marks[1],
    )
    rows, starts = floret_rows(words, vectors)
    found = numpy.full((len(words), 6), numpy.nan, dtype="f")
    sum_rows_at(TABLE, rows, starts, found, mean=True)
    expected = vectors.get_batch(words) if words else found
    assert found == pytest.approx(expected, abs=1e-5)


def test_an_empty_word_has_no_rows() -> None:
    vectors = Vectors(data=TABLE, mode="floret", minn=2, maxn=5)
    assert floret_rows(["", "a", ""], vectors)[1].tolist() == [0, 0, 1 + 2 + 1, 4]
