"""Gold trees of every kind, and what a policy makes of them."""

import numpy
import pytest
import spacy
from spacy.attrs import HEAD, SENT_START
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold import POLICIES
from spacy_arceager.gold.trees import (
    GoldSentence,
    apply_policy,
    can_derive,
    gold_sentences,
    join,
    label_index,
    tree_arrays,
    without_tree,
)
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import arc_eager, arc_hybrid, custom_system
from tests.conftest import (
    PARSER,
    Trained,
)
from tests.gold.odd_trees import DEPS, ODD_TREES, WORDS, gold_example, heads_of

NLP = spacy.blank("xx")
VOCAB = NLP.vocab

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


@pytest.mark.parametrize("name", ODD_TREES)
def test_odd_gold_trees_are_read(name: str) -> None:
    heads, starts, expected = ODD_TREES[name]
    assert heads_of(gold_example(NLP, heads, DEPS, starts)) == expected


@pytest.mark.parametrize("name", ["crossing arcs and two roots", "a crossing cycle"])
def test_skip_leaves_out_what_is_not_projective(name: str) -> None:
    heads, starts, _ = ODD_TREES[name]
    for sentence in gold_sentences(gold_example(NLP, heads, DEPS, starts)):
        assert apply_policy(sentence, "skip") is None
        assert apply_policy(sentence, "approximate") is sentence
        assert apply_policy(sentence, "projectivize") is sentence


def test_a_doc_without_annotation_has_no_heads() -> None:
    example = Example(Doc(VOCAB, words=WORDS), Doc(VOCAB, words=WORDS))
    assert heads_of(example) == [[-1] * len(WORDS)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words, heads, expected",
    [
        # The gold Doc joins two words: both get its head, and its dependents have none.
        (["themarket", "opens", "at", "seven"], [1, 1, 3, 1], [2, 2, 2, 4, 2]),
        (["the", "market", "opensat", "seven"], [1, 2, 2, 2], [1, -1, -1, -1, -1]),
        # The gold Doc splits a word: the word has no head, but other words can hang on it.
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


def test_gold_docs_without_boundaries_take_those_of_the_predicted_doc() -> None:
    starts = [True, False, True, False, False]
    predicted = Doc(VOCAB, words=WORDS, sent_starts=starts)
    example = Example(predicted, Doc(VOCAB, words=WORDS))
    assert heads_of(example) == [[-1, -1], [-1, -1, -1]]


@pytest.mark.parametrize("head", [0, 4])
def test_white_space_of_the_gold_tokens_alone_may_begin_or_end_a_sentence(head: int) -> None:
    words = ["Hi", "there", ".", " ", "Go", "on"]
    gold = Doc(
        VOCAB, words, heads=[0, 0, 0, head, 4, 4],
        deps=["ROOT", "dep", "punct", "dep", "ROOT", "dep"],
    )
    predicted = Doc(VOCAB, ["Hi", "there", ".", "Go", "on"])
    assert heads_of(Example(predicted, gold)) == [[0, 0, 0], [0, 0]]


def test_white_space_in_the_predicted_tokens_alone_is_left_out() -> None:
    nlp = NLP
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


def sentence_of(heads: list[int], labels: list[str]) -> GoldSentence:
    n = len(heads)
    return GoldSentence(
        numpy.arange(n, dtype="i"), numpy.asarray(heads, "i"), labels, numpy.arange(n) == 0
    )


def test_policies_for_a_tree_whose_arcs_cross() -> None:
    crossing = sentence_of([2, 3, 2, 2], ["a", "b", "ROOT", "d"])
    assert not crossing.is_projective
    lifted = apply_policy(crossing, "projectivize")
    assert lifted.heads.tolist() == [2, 2, 2, 2]
    assert lifted.labels == ["a", "b||d", "ROOT", "d"]
    assert lifted.words is crossing.words
    assert apply_policy(crossing, "skip") is None
    assert apply_policy(crossing, "approximate") is crossing
    swap = TransitionSystem(arc_hybrid(swap=True))
    for policy in POLICIES:
        assert apply_policy(crossing, policy, swap) is crossing
        assert apply_policy(sentence_of([1, 1], ["a", "ROOT"]), policy).heads.tolist() == [1, 1]


def test_what_is_no_tree_can_be_derived_where_no_arcs_cross() -> None:
    few = TransitionSystem(custom_system(3, right={"periphery": "left"}))
    swap = TransitionSystem(arc_hybrid(swap=True))
    no_tree = sentence_of([-1, 1, -1], ["", "x", ""])
    crossing = sentence_of([2, 3, -1, 3], ["x"] * 4)
    for system in (None, few, swap, TransitionSystem(arc_eager())):
        assert can_derive(system, no_tree)
        assert not can_derive(system, crossing)


def test_a_head_in_an_earlier_sentence_is_missing() -> None:
    gold = Doc(VOCAB, ["a", "b", "c", "d", "e"], heads=[0, 0, 0, 0, 0], deps=["x"] * 5)
    heads = numpy.asarray([[0, 1], [-1, -1], [0, 1], [-1, -1], [-3, -1]])
    gold.from_array([HEAD, SENT_START], heads.astype("int64").view("uint64"))
    sentences = list(gold_sentences(Example(Doc(VOCAB, ["a", "b", "c", "d", "e"]), gold)))
    assert [sentence.heads.tolist() for sentence in sentences] == [[0, 0], [0, 0, -1]]
    assert [sentence.words.tolist() for sentence in sentences] == [[0, 1], [2, 3, 4]]
    assert [sentence.starts.tolist() for sentence in sentences] == [
        [True, False], [True, False, False],
    ]


def test_sentences_are_joined_with_their_boundaries() -> None:
    first, second = sentence_of([1, 1], ["a", "ROOT"]), sentence_of([0, -1, 1], ["ROOT", "", "c"])
    second.words += 2
    one = join([first, second])
    assert one.words.tolist() == [0, 1, 2, 3, 4]
    assert one.heads.tolist() == [1, 1, 2, -1, 3]
    assert one.labels == ["a", "ROOT", "ROOT", "", "c"]
    assert one.starts.tolist() == [True, False, True, False, False]


def test_without_its_tree_a_sentence_keeps_its_boundaries() -> None:
    bare = without_tree(sentence_of([1, 1], ["a", "ROOT"]))
    assert bare.heads.tolist() == [-1, -1]
    assert bare.labels == ["", ""]
    assert bare.starts.tolist() == [True, False]


def test_an_unknown_mark_counts_as_its_plain_label() -> None:
    indices = {"a": 0, "b": 1, "a||b": 2}
    assert [label_index(label, indices) for label in ("a||b", "b||a", "b", "c", "c||a", "")] == [
        2, 1, 1, -1, -1, -1,
    ]


def test_arrays_of_several_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = sentence_of([1, 1], ["a", "ROOT"]), sentence_of([0, -1, 0], ["ROOT", "", "z"])
    for has_root in (False, True):
        gold = tree_arrays([first, second], {"a": 0, "ROOT": 1}, has_root)
        assert (gold.n_trees, gold.n_words, gold.longest, gold.root_node) == (2, 5, 3, has_root)
        none = tree_arrays([], {}, has_root)
        assert (none.n_trees, none.n_words, none.root_node) == (0, 0, has_root)
    monkeypatch.setattr("spacy_arceager.gold.trees.GoldTrees", lambda *arrays: arrays)
    lengths, heads, labels, _, starts = tree_arrays([first, second], {"a": 0, "ROOT": 1}, False)
    assert lengths == [2, 3]
    assert heads.tolist() == [1, 1, 0, -1, 0]
    assert labels == [0, 1, 1, -1, -1]
    assert starts.tolist() == [True, False, True, False, False]


def test_crossing_arcs_stay_between_other_tokens() -> None:
    gold = Doc(VOCAB, [*"abcd", "ef"], [False] * 5, heads=[2, 3, 4, 4, 4],
               deps=["x"] * 4 + ["ROOT"])
    predicted = Doc(VOCAB, list("abcdef"), [False] * 6)
    [sentence] = gold_sentences(Example(predicted, gold))
    assert sentence.heads.tolist()[:4] == [2, 3, -1, -1]
    assert not sentence.is_projective


def test_between_other_tokens_a_root_is_its_own_head_and_others_may_have_none() -> None:
    gold = Doc(VOCAB, ["a", "b", "c", "de"], [False] * 4, heads=[1, 1, 2, 1],
               deps=["x", "ROOT", "", "y"])
    [sentence] = gold_sentences(Example(Doc(VOCAB, [*"abcde"], [False] * 5), gold))
    assert sentence.heads.tolist()[:3] == [1, 1, -1]
    assert sentence.labels[:3] == ["x", "ROOT", ""]
