"""Words of the two Docs that are compared, and scores of sentence boundaries."""

import io
from collections.abc import Sequence
from itertools import accumulate

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example
from udtools import udeval

from spacy_arceager.corpus.conllu import doc_to_conllu
from spacy_arceager.evaluation.scorer import parser_score
from spacy_arceager.evaluation.ud import Arc, align_parses, attachment_f1
from spacy_arceager.systems.ud_rules import universal

VOCAB = spacy.blank("xx").vocab


def doc_of(
    words: Sequence[str], heads: Sequence[int], deps: Sequence[str], spaces: bool = False
) -> Doc:
    starts = [True, *[False] * (len(words) - 1)]
    return Doc(VOCAB, words, spaces=[spaces] * len(words), heads=heads, deps=deps,
               sent_starts=starts)


def test_a_word_over_words_with_and_without_annotation_is_counted() -> None:
    gold = doc_of(["a", "b", "c"], [0, 1, 0], ["ROOT", "", "obj"])
    parse = align_parses(Example(doc_of(["ab", "c"], [0, 0], ["ROOT", "obj"]), gold))
    assert parse.n_predicted == 2
    assert parse.predicted == {2: Arc(-1, "obj")}
    alone = align_parses(Example(doc_of(["a", "b", "c"], [0, 0, 0], ["ROOT", "x", "obj"]), gold))
    assert alone.n_predicted == 2       # b stands for a gold word without annotation


def test_white_space_of_the_gold_doc_is_no_word() -> None:
    gold = doc_of(["Go", "\n", "."], [0, 0, 0], ["ROOT", "dep", "punct"])
    parse = align_parses(Example(doc_of(["Go", "."], [0, 0], ["ROOT", "punct"]), gold))
    assert parse.gold == {0: Arc(0, "root"), 2: Arc(0, "punct")}
    assert parse.sentences == [[0, 2]]
    assert attachment_f1([parse], lambda arc: arc) == 1.0


def test_white_space_of_the_predicted_doc_is_no_word() -> None:
    gold = doc_of(["Go", "\n", "."], [0, 0, 0], ["ROOT", "dep", "punct"])
    parse = align_parses(Example(gold.copy(), gold))
    assert parse.n_predicted == 2
    assert parse.predicted == {0: Arc(0, "root"), 2: Arc(0, "punct")}


def test_precision_and_recall_have_their_own_words() -> None:
    gold = doc_of(["a", "b", "c", "d"], [1, 1, 1, 1], ["x", "ROOT", "x", "x"])
    joined = doc_of(["a", "b", "cd"], [1, 1, 0], ["x", "ROOT", "x"])
    parse = align_parses(Example(joined, gold))
    # Two of three predicted and of four gold words are right.
    assert attachment_f1([parse], lambda arc: arc) == pytest.approx(2 * 2 / (3 + 4))
    assert attachment_f1([], lambda arc: arc) is None


def test_a_label_up_to_the_colon() -> None:
    assert [universal(label) for label in ("nsubj:pass:x", "nsubj", "")] == ["nsubj", "nsubj", ""]


# Boundaries


def sentences(words: Sequence[str], starts: Sequence[int]) -> Doc:
    """Words without spaces; the first word of each sentence is the head of its others."""
    flags = [i in starts for i in range(len(words))]
    heads = list(accumulate((i if flag else 0 for i, flag in enumerate(flags)), max))
    return Doc(VOCAB, words, spaces=[False] * len(words), heads=heads, sent_starts=flags,
               deps=["ROOT" if head == i else "dep" for i, head in enumerate(heads)])


def test_a_sentence_of_the_same_characters_is_right_whatever_its_tokens_are() -> None:
    gold = sentences(["a", "b", "c", "d", "e"], [0, 2])
    found = parser_score([Example(sentences(["ab", "cd", "e"], [0, 1]), gold)])
    assert (found["sents_p"], found["sents_r"], found["sents_f"]) == (1, 1, 1)
    found = parser_score([Example(sentences(["ab", "cd", "e"], [0, 1, 2]), gold)])
    assert (found["sents_p"], found["sents_r"]) == (1 / 3, 1 / 2)
    assert found["sents_f"] == pytest.approx(2 / 5)


def test_a_boundary_within_a_gold_word_is_wrong() -> None:
    gold = sentences(["ab", "cd"], [0, 1])
    found = parser_score([Example(sentences(["a", "b", "cd"], [0, 1, 2]), gold)])
    assert (found["sents_p"], found["sents_r"]) == (1 / 3, 1 / 2)


def test_white_space_is_no_part_of_a_sentence() -> None:
    gold = sentences(["a", "b"], [0, 1])
    assert parser_score([Example(sentences(["a", "\n", "b"], [0, 1]), gold)])["sents_f"] == 1.0
    blank = sentences(["a", "\n", "b"], [0, 1, 2])      # a sentence of white space alone
    assert parser_score([Example(blank, gold)])["sents_p"] == 1.0


def test_docs_without_gold_boundaries_have_no_score() -> None:
    bare = Doc(VOCAB, ["a", "b"], spaces=[False, False])
    parsed = sentences(["a", "b"], [0])
    found = parser_score([Example(parsed, bare)])
    assert found["sents_p"] is found["sents_r"] is found["sents_f"] is None
    assert parser_score([Example(parsed, bare), Example(parsed, parsed)])["sents_f"] == 1.0
    # Without predicted boundaries nothing is found.
    assert parser_score([Example(bare, parsed)])["sents_r"] == 0.0


def official_sentences(examples: Sequence[Example]) -> tuple[float, float, float]:
    gold, predicted = (
        udeval.load_conllu(io.StringIO("".join(map(doc_to_conllu, docs))), "", {})
        for docs in zip(*((example.reference, example.predicted) for example in examples))
    )
    score = udeval.evaluate(gold, predicted)["Sentences"]
    return score.precision, score.recall, score.f1


@st.composite
def cut(draw: st.DrawFn, text: str) -> Doc:
    """A text, cut into words and sentences anywhere."""
    ends = sorted(draw(st.sets(st.integers(1, len(text) - 1))) | {len(text)})
    words = [text[start:end] for start, end in zip([0, *ends], ends)]
    return sentences(words, sorted(draw(st.sets(st.integers(0, len(words) - 1))) | {0}))


@settings(deadline=None)
@given(data=st.data())
def test_scores_of_sentences_are_the_official_ones(data: st.DataObject) -> None:
    examples = [
        Example(data.draw(cut(text)), data.draw(cut(text))) for text in ("abcdefgh", "ijklmn")
    ]
    scores = parser_score(examples)
    ours = (scores["sents_p"], scores["sents_r"], scores["sents_f"])
    assert ours == pytest.approx(official_sentences(examples), abs=1e-9)
