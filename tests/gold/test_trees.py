"""Gold trees of every kind, and what a policy makes of them."""

import numpy
import pytest
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold.trees import apply_policy, gold_sentences
from tests.conftest import (
    PARSER,
    Trained,
    get_parser,
)
from tests.gold.odd_trees import DEPS, ODD_TREES, WORDS, gold_example, heads_of

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


@pytest.mark.parametrize("name", ODD_TREES)
def test_odd_gold_trees_are_read(english: Trained, name: str) -> None:
    heads, starts, expected = ODD_TREES[name]
    assert heads_of(gold_example(english.nlp, heads, DEPS, starts)) == expected


@pytest.mark.parametrize("name", ["crossing arcs and two roots", "a crossing cycle"])
def test_skip_leaves_out_what_is_not_projective(english: Trained, name: str) -> None:
    heads, starts, _ = ODD_TREES[name]
    for sentence in gold_sentences(gold_example(english.nlp, heads, DEPS, starts)):
        assert apply_policy(sentence, "skip") is None
        assert apply_policy(sentence, "approximate") is sentence
        assert apply_policy(sentence, "projectivize") is sentence


def test_a_missing_head_teaches_nothing(english: Trained) -> None:
    example = Example(
        Doc(english.nlp.vocab, words=WORDS), Doc(english.nlp.vocab, words=WORDS)
    )
    assert heads_of(example) == [[-1] * len(WORDS)]
    assert get_parser(english.nlp).update([example])[PARSER] == pytest.approx(0, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words, heads, expected",
    [
        # The gold joins two words: both have its head, and what hangs on it has none.
        (["themarket", "opens", "at", "seven"], [1, 1, 3, 1], [2, 2, 2, 4, 2]),
        (["the", "market", "opensat", "seven"], [1, 2, 2, 2], [1, -1, -1, -1, -1]),
        # The gold splits a word: it has no head, but can be one.
        (["the", "mar", "ket", "opens", "at", "seven"], [2, 2, 3, 3, 5, 3], [1, -1, 2, 4, 2]),
    ],
)
def test_a_gold_tokenisation_of_its_own(
    english: Trained, words: list[str], heads: list[int], expected: list[int]
) -> None:
    nlp = english.copy()
    gold = Doc(
        nlp.vocab,
        words=words,
        spaces=[False] * len(words),
        heads=heads,
        deps=["ROOT" if head == word else "dep" for word, head in enumerate(heads)],
    )
    predicted = Doc(nlp.vocab, words=WORDS, spaces=[False] * len(WORDS))
    example = Example(predicted, gold)
    assert heads_of(example) == [expected]
    losses = nlp.update([example], sgd=nlp.resume_training())
    assert 0 < losses[PARSER] < numpy.inf


def test_gold_docs_without_boundaries_take_those_of_the_predicted_doc(
    english: Trained,
) -> None:
    starts = [True, False, True, False, False]
    predicted = Doc(english.nlp.vocab, words=WORDS, sent_starts=starts)
    example = Example(predicted, Doc(english.nlp.vocab, words=WORDS))
    assert heads_of(example) == [[-1, -1], [-1, -1, -1]]


def test_white_space_in_the_predicted_tokens_alone_is_left_out(english: Trained) -> None:
    nlp = english.nlp
    predicted = Doc(
        nlp.vocab, words=["it", " ", "opens", "\n"], spaces=[True, False, False, False]
    )
    gold = Doc(
        nlp.vocab,
        words=["it", "opens"],
        spaces=[True, False],
        heads=[1, 1],
        deps=["nsubj", "ROOT"],
    )
    sentences = list(gold_sentences(Example(predicted, gold)))
    assert [sentence.words.tolist() for sentence in sentences] == [[0, 2]]
    assert [sentence.heads.tolist() for sentence in sentences] == [[1, 1]]
    assert sentences[0].labels == ["nsubj", "ROOT"]
