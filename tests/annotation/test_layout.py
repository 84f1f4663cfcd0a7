"""Docs of every kind: without words, with white space, with boundaries, very long."""

from itertools import pairwise

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_arceager.annotation.layout import (
    Layout,
    find_layout,
    find_units,
    sentence_numbers,
    sentences_of,
    slices,
    split,
    word_rows,
)
from tests.conftest import (
    Trained,
    annotation,
    assert_one_tree,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_a_doc_without_words_stays_as_it_is(english: Trained) -> None:
    doc = english.nlp("")
    assert len(doc) == 0
    assert list(doc.sents) == []


def test_docs_without_words_do_not_disturb_their_batch(english: Trained) -> None:
    texts = ["", "The market opens.", "", " ", "It closes.", ""]
    alone = [annotation(english.nlp(text)) for text in texts]
    assert [annotation(doc) for doc in english.nlp.pipe(texts)] == alone
    assert alone[1] and alone[4]


def test_one_word_is_a_root(english: Trained) -> None:
    assert annotation(english.nlp("market")) == [(0, "ROOT", True)]


@pytest.mark.parametrize("text", [" ", "\n\n", "  \t \n "])
def test_white_space_alone_is_one_sentence(english: Trained, text: str) -> None:
    doc = english.nlp(text)
    assert_one_tree([token.head.i for token in doc])
    assert len(list(doc.sents)) == 1
    assert doc.has_annotation("DEP")
    assert [token.dep_ for token in doc] == ["ROOT"] + ["dep"] * (len(doc) - 1)


@pytest.mark.parametrize(
    "words, heads",
    [
        ([" ", "it", "opens"], {0: 1}),
        ([" ", "\n", "it", "opens"], {0: 2, 1: 2}),
        (["it", " ", "opens"], {1: 0}),
        (["it", "opens", "\n", " "], {2: 1, 3: 1}),
    ],
)
def test_white_space_hangs_on_the_word_before_it_or_else_the_next(
    english: Trained, words: list[str], heads: dict[int, int]
) -> None:
    doc = english.nlp(Doc(english.nlp.vocab, words=words))
    for token, head in heads.items():
        assert (doc[token].head.i, doc[token].dep_) == (head, "dep")
    assert_one_tree([token.head.i for token in doc])


tokens_and_boundaries = st.lists(
    st.tuples(
        st.sampled_from(["the", "market", "opens", " ", "\n", "  "]),
        st.sampled_from([True, False, None]),
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=60, deadline=None)
@given(tokens=tokens_and_boundaries)
def test_words_and_white_space_in_any_order_become_trees(
    english: Trained, tokens: list[tuple[str, bool | None]]
) -> None:
    words, starts = zip(*tokens)
    doc = english.nlp(Doc(english.nlp.vocab, words=words, sent_starts=starts))
    for sentence in doc.sents:
        assert_one_tree([token.head.i - sentence.start for token in sentence])
    spaces = [token for token in doc if token.is_space]
    assert all(not list(token.children) for token in spaces if token.dep_ != "ROOT")
    before = annotation(doc)
    assert annotation(english.nlp(doc)) == before


@settings(max_examples=60, deadline=None)
@given(tokens=tokens_and_boundaries)
def test_preset_boundaries_are_honoured_and_white_space_alone_is_no_sentence(
    english: Trained, tokens: list[tuple[str, bool | None]]
) -> None:
    words, starts = zip(*tokens)
    doc = english.nlp(Doc(english.nlp.vocab, words=words, sent_starts=starts))
    places = [token.i for token in doc if not token.is_space]
    between = [slice(first + 1, second + 1) for first, second in pairwise(places)]
    found = [token.is_sent_start for token in doc]
    assert [any(found[part]) for part in between] == [any(starts[part]) for part in between]
    assert len([*doc.sents]) == 1 + sum(any(found[part]) for part in between)


def test_ten_thousand_words_in_one_sentence(english: Trained) -> None:
    words = ["the", "market", "opens", "at", "seven"] * 2000
    doc = english.nlp(Doc(english.nlp.vocab, words=words))
    assert_one_tree([token.head.i for token in doc])
    assert [token.dep_ for token in doc].count("ROOT") == 1


def test_split_cuts_sentences() -> None:
    old = Layout(
        numpy.asarray([1, 2, 3, 5, 6], dtype="i"),
        numpy.asarray([3, 2], dtype="i"),
        numpy.asarray([0, 4], dtype="i"),
    )
    heads = numpy.asarray([0, 2, 2, 4, 4], dtype="i")
    begins = numpy.asarray([True, True, False, True, False])
    new, new_heads = split(old, heads, begins)
    assert new.words.tolist() == old.words.tolist()
    assert new.lengths.tolist() == [1, 2, 2]
    assert new.starts.tolist() == [0, 2, 4]
    assert new_heads.tolist() == [0, 1, 1, 1, 1]


def test_split_of_white_space_alone(english: Trained) -> None:
    layout = find_layout(Doc(english.nlp.vocab, words=[" ", "\n"], sent_starts=[True, True]))
    nothing = numpy.zeros(0, dtype="i")
    new, heads = split(layout, nothing, nothing.astype(bool))
    assert (new.lengths.tolist(), new.starts.tolist(), heads.size) == ([0], [0], 0)


@pytest.mark.parametrize(
    ("segment", "lengths", "starts"), [(True, [4], [0]), (False, [1, 3], [0, 1])]
)
def test_a_parser_that_finds_boundaries_gets_the_whole_doc(
    segment: bool, lengths: list[int], starts: list[int]
) -> None:
    doc = Doc(Vocab(), words=["a", "b", "c", "d"], sent_starts=[True, True, False, False])
    units = find_units(doc, segment)
    assert units.words.tolist() == [0, 1, 2, 3]
    assert (units.lengths.tolist(), units.starts.tolist()) == (lengths, starts)


def test_the_sentences_of_docs_with_and_without_boundaries() -> None:
    vocab = Vocab()
    assert list(sentences_of(Doc(vocab))) == []
    assert [span.text for span in sentences_of(Doc(vocab, ["a", "b"]))] == ["a b"]
    doc = Doc(vocab, ["a", "b", "c"], sent_starts=[True, False, True])
    assert [span.text for span in sentences_of(doc)] == ["a b", "c"]


def test_rows_of_words_and_slices_count_through_all_docs() -> None:
    vocab = Vocab()
    docs = [Doc(vocab, ["a", " ", "b"]), Doc(vocab), Doc(vocab, ["c", "d"])]
    words = [numpy.asarray(each, "i") for each in ([0, 2], [], [1])]
    assert word_rows(docs, words).tolist() == [0, 2, 4]
    assert word_rows([], []).tolist() == []
    assert [*slices([2, 0, 3])] == [slice(0, 2), slice(2, 2), slice(2, 5)]


def test_words_have_one_number_where_all_layouts_have_them_in_one_sentence() -> None:
    words = numpy.arange(4, dtype="i")
    halves, quarter, all_in_one = (
        Layout(words, numpy.asarray(sizes), numpy.cumsum([0, *sizes[:-1]]))
        for sizes in ([2, 2], [1, 3], [4])
    )
    assert sentence_numbers(halves).tolist() == [0, 0, 1, 1]
    assert sentence_numbers(halves, quarter).tolist() == [0, 1, 2, 2]
    assert len({*sentence_numbers(all_in_one, all_in_one).tolist()}) == 1
