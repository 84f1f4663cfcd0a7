import io
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.attrs import SENT_START
from spacy.tokens import Doc
from spacy.training import Example
from udtools import udeval

from spacy_arceager.corpus.conllu import (
    ConlluSentence,
    ConlluWord,
    doc_to_conllu,
    sentence_to_doc,
    without_annotation,
)
from spacy_arceager.evaluation.scorer import parser_score, score_pipeline
from tests.evaluation.sentences import NLP, read, to_doc

LABELS = ["nsubj", "nsubj:z", "aux", "punct", "parataxis"]

# HEAD and DEPREL of each word, counted from 1; 0 is the root.
Arcs = list[tuple[int, str]]


GOLD = read("""
    # text = I don't, do you?
    1   I     _ PRON  _ _ 3 nsubj     _ _
    2-3 don't _ _     _ _ _ _         _ SpaceAfter=No
    2   do    _ AUX   _ _ 3 aux:x     _ _
    3   n't   _ PART  _ _ 0 root      _ _
    4   ,     _ PUNCT _ _ 5 punct     _ _
    5   do    _ VERB  _ _ 3 parataxis _ _
    6   you   _ PRON  _ _ 5 nsubj:y   _ SpaceAfter=No
    7   ?     _ PUNCT _ _ 5 punct     _ _

    # text = Crossing arcs these are.
    1   Crossing _ ADJ   _ _ 3 amod   _ _
    2   arcs     _ NOUN  _ _ 4 nsubj  _ _
    3   these    _ PRON  _ _ 4 obj    _ _
    4   are      _ VERB  _ _ 0 root   _ SpaceAfter=No
    5   .        _ PUNCT _ _ 4 punct  _ _

    # text = Go.
    1   Go       _ VERB  _ _ 0 root   _ SpaceAfter=No
    2   .        _ PUNCT _ _ 1 punct  _ _
""")
CROSSING = GOLD[1]

# The words of this multi-word token do not spell it.
CONTRACTED = read("""
    # text = Il va au lit.
    1   Il    _ PRON  _ _ 2 nsubj     _ _
    2   va    _ VERB  _ _ 0 root      _ _
    3-4 au    _ _     _ _ _ _         _ _
    3   à     _ ADP   _ _ 5 case      _ _
    4   le    _ DET   _ _ 5 det       _ _
    5   lit   _ NOUN  _ _ 2 obl       _ SpaceAfter=No
    6   .     _ PUNCT _ _ 2 punct     _ _
""")


def with_arcs(sentence: ConlluSentence, arcs: Arcs) -> ConlluSentence:
    words = [
        word._replace(head=head, deprel=deprel)
        for word, (head, deprel) in zip(sentence.words, arcs)
    ]
    return replace(sentence, words=words)


def arcs_of(sentence: ConlluSentence) -> Arcs:
    return [(word.head or 0, word.deprel) for word in sentence.words]


def score(prediction: ConlluSentence, gold: ConlluSentence) -> dict:
    return parser_score([Example(to_doc([prediction]), to_doc([gold]))])


# The official evaluation is the judge


def official_f1(examples: Sequence[Example]) -> dict[str, float]:
    """UAS and LAS of the official script, from the Docs written as CoNLL-U."""
    gold, predicted = (
        udeval.load_conllu(
            io.StringIO("".join(map(doc_to_conllu, docs))), "", {"multiple_roots_okay": True}
        )
        for docs in zip(*((example.reference, example.predicted) for example in examples))
    )
    scores = udeval.evaluate(gold, predicted)
    return {"dep_uas_ud": scores["UAS"].f1, "dep_las_ud": scores["LAS"].f1}


def assert_official(examples: Sequence[Example]) -> None:
    ours, official = parser_score(examples), official_f1(examples)
    assert {key: ours[key] for key in official} == pytest.approx(official, abs=1e-9)


@st.composite
def forests(draw, size: int) -> Arcs:
    """A random forest, crossing arcs included."""
    order = draw(st.permutations(range(1, size + 1)))
    arcs = {order[0]: (0, "root")}
    for position in range(1, size):
        head = draw(st.sampled_from([0, *order[:position]]))
        arcs[order[position]] = (head, draw(st.sampled_from(LABELS)) if head else "root")
    return [arcs[word_id] for word_id in range(1, size + 1)]


@st.composite
def partly_right(draw, gold: ConlluSentence) -> Arcs:
    """The gold tree with some words relabelled, under the root, or roots themselves."""
    root = [word.head for word in gold.words].index(0) + 1
    arcs = []
    for head, deprel in arcs_of(gold):
        label = draw(st.sampled_from(LABELS))
        choices = [(head, deprel), (head, label), (root, label), (0, "root")]
        arcs.append(draw(st.sampled_from(choices)) if head else (0, "root"))
    return arcs


@st.composite
def predictions(draw, gold: ConlluSentence) -> ConlluSentence:
    arcs = draw(forests(len(gold.words)) | partly_right(gold))
    return with_arcs(gold, arcs)


def joined(sentences: Sequence[ConlluSentence]) -> ConlluSentence:
    """All words as one sentence, whose arcs are yet to be set."""
    offsets = accumulate((len(sentence.words) for sentence in sentences), initial=0)
    tokens = [
        replace(token, first=token.first + offset, last=token.last + offset)
        for offset, sentence in zip(offsets, sentences)
        for token in sentence.multi_word_tokens
    ]
    words = [word for sentence in sentences for word in sentence.words]
    return ConlluSentence(["# joined"], words, tokens, [])


@pytest.mark.slow
@settings(deadline=None)
@given(st.data())
def test_ud_scores_are_the_official_ones(data):
    gold = GOLD + CONTRACTED
    predicted = [data.draw(predictions(sentence)) for sentence in gold]
    assert_official(
        [
            Example(to_doc(predicted[:2]), to_doc(gold[:2])),
            Example(to_doc(predicted[2:]), to_doc(gold[2:])),
        ]
    )


@settings(deadline=None)
@given(st.data())
def test_ud_scores_are_the_official_ones_when_sentences_are_joined(data):
    words = joined(GOLD)
    predicted = with_arcs(words, data.draw(forests(len(words.words))))
    assert_official([Example(to_doc([predicted]), to_doc(GOLD))])


@settings(deadline=None)
@given(st.data())
def test_ud_scores_are_the_official_ones_on_other_tokens(data):
    forms = [word.form for sentence in GOLD for word in sentence.words]
    text = "".join(forms)
    gold_ends = set(accumulate(map(len, forms)))
    wrong_ends = data.draw(st.sets(st.integers(1, len(text) - 1), max_size=5))
    kept_ends = data.draw(st.sets(st.sampled_from(sorted(gold_ends)), min_size=5))
    ends = sorted(kept_ends | wrong_ends | {len(text)})
    words = [
        ConlluWord(text[start:end], "_", "_", "_", "_", head, deprel, "_", "_")
        for start, end, (head, deprel) in zip(
            [0, *ends], ends, data.draw(forests(len(ends)))
        )
    ]
    predicted = ConlluSentence(["# other tokens"], words, [], [])
    assert_official([Example(to_doc([predicted]), to_doc(GOLD))])


# Scores by hand


def test_gold_parse_scores_one():
    scores = score(CROSSING, CROSSING)
    for key in ["dep_uas", "dep_las", "dep_uas_ud", "dep_las_ud", "dep_las_full"]:
        assert scores[key] == pytest.approx(1.0)
    assert scores["dep_exact"] == scores["dep_exact_heads"] == 1.0
    assert scores["dep_nonproj_recall"] == scores["dep_crossing_recall"] == 1.0
    assert scores["dep_multiple_roots"] == 0
    assert scores["sents_f"] == pytest.approx(1.0)
    assert scores["dep_las_per_type"]["nsubj"]["f"] == pytest.approx(1.0)


def test_spacy_leaves_punctuation_out_and_ud_counts_it():
    arcs = arcs_of(CROSSING)
    scores = score(with_arcs(CROSSING, [*arcs[:4], (1, "punct")]), CROSSING)
    assert scores["dep_las"] == pytest.approx(1.0)
    assert scores["dep_las_ud"] == scores["dep_las_full"] == pytest.approx(0.8)
    assert scores["dep_exact"] == 0.0


def test_subtypes_count_in_full_labels_only():
    arcs = arcs_of(CROSSING)
    scores = score(with_arcs(CROSSING, [(3, "amod:x"), *arcs[1:]]), CROSSING)
    assert scores["dep_las_ud"] == pytest.approx(1.0)
    assert scores["dep_las_full"] == pytest.approx(0.8)
    assert scores["dep_exact"] == 0.0
    assert scores["dep_exact_heads"] == 1.0


def test_sentences_with_several_predicted_roots_are_counted():
    arcs = arcs_of(CROSSING)
    two_roots = with_arcs(CROSSING, [(0, "root"), *arcs[1:]])
    predicted = to_doc([two_roots, CROSSING, two_roots])
    scores = parser_score([Example(predicted, to_doc([CROSSING] * 3))])
    assert scores["dep_multiple_roots"] == 2
    assert scores["dep_exact"] == pytest.approx(1 / 3)


def test_gold_sentences_predicted_as_several_do_not_have_several_roots():
    one = joined(GOLD)
    gold = with_arcs(one, [(0 if i == 0 else 1, "x") for i in range(len(one.words))])
    scores = parser_score([Example(to_doc(GOLD), to_doc([gold]))])
    assert scores["dep_multiple_roots"] == 0


def test_crossing_and_non_projective_arcs_are_recalled_labels_aside():
    arcs = arcs_of(CROSSING)
    # Crossing <- these and arcs <- are cross; the second is found.
    predicted = with_arcs(CROSSING, [(2, "amod"), (4, "x"), *arcs[2:]])
    assert score(predicted, CROSSING)["dep_crossing_recall"] == 0.5
    # Only the first of these arcs spans a word, "arcs", that does not descend from its head.
    assert score(predicted, CROSSING)["dep_nonproj_recall"] == 0.0
    predicted = with_arcs(CROSSING, [arcs[0], (3, "x"), *arcs[2:]])
    assert score(predicted, CROSSING)["dep_crossing_recall"] == 0.5
    assert score(predicted, CROSSING)["dep_nonproj_recall"] == 1.0
    for key in ["dep_crossing_recall", "dep_nonproj_recall"]:
        assert score(GOLD[2], GOLD[2])[key] is None


def test_an_arc_over_the_root_is_non_projective_and_crosses_none():
    over_root = with_arcs(CROSSING, [(5, "x"), (4, "x"), (4, "x"), (0, "root"), (4, "x")])
    scores = score(over_root, over_root)
    assert (scores["dep_nonproj_recall"], scores["dep_crossing_recall"]) == (1.0, None)


def test_words_without_gold_annotation_are_ignored():
    arcs = arcs_of(CROSSING)
    partial = with_arcs(CROSSING, arcs)
    partial.words[0] = partial.words[0]._replace(head=None, deprel="_")
    wrong = with_arcs(CROSSING, [(2, "dep"), *arcs[1:]])
    scores = score(wrong, partial)
    for key in ["dep_uas", "dep_las", "dep_uas_ud", "dep_las_ud", "dep_las_full"]:
        assert scores[key] == pytest.approx(1.0)
    assert scores["dep_exact"] == 1.0


def test_without_gold_annotation_there_are_no_scores():
    reference = without_annotation(to_doc(GOLD))
    scores = parser_score([Example(to_doc(GOLD), reference)])
    for key in ["dep_uas_ud", "dep_las_ud", "dep_las_full", "dep_exact", "dep_las"]:
        assert scores[key] is None
    assert scores["dep_nonproj_recall"] is scores["dep_crossing_recall"] is None
    assert scores["dep_multiple_roots"] == 0


def test_unparsed_doc_scores_zero():
    reference = to_doc(GOLD)
    scores = parser_score([Example(without_annotation(reference), reference)])
    for key in ["dep_uas_ud", "dep_las_ud", "dep_las_full", "dep_exact"]:
        assert scores[key] == 0.0


def test_whitespace_is_no_word():
    predicted = Doc(
        NLP.vocab,
        words=["Go", "\n", "."],
        spaces=[False, False, False],
        heads=[0, 0, 0],
        deps=["ROOT", "dep", "punct"],
    )
    reference = sentence_to_doc(NLP.vocab, GOLD[2])
    scores = parser_score([Example(predicted, reference)])
    assert scores["dep_las_full"] == pytest.approx(1.0)
    assert scores["dep_exact"] == 1.0


def test_root_and_its_name_in_spacy_are_the_same_label():
    doc, lower = (
        Doc(NLP.vocab, words=["Go"], heads=[0], deps=[dep]) for dep in ["ROOT", "root"]
    )
    scores = parser_score([Example(doc, lower)])
    assert scores["dep_las_ud"] == pytest.approx(1.0)
    assert scores["dep_exact"] == 1.0


def test_config_can_name_the_scorer():
    scorer = spacy.registry.resolve(
        {"scorer": {"@scorers": "arceager.parser_scorer.v1"}}
    )["scorer"]
    example = Example(to_doc(GOLD), to_doc(GOLD))
    assert scorer(iter([example]))["dep_exact"] == 1.0


def test_white_space_is_no_second_root():
    for n_roots, heads in ((0, [0, 1, 0]), (1, [0, 0, 2])):
        doc = Doc(NLP.vocab, ["Go", "\n", "."], [False] * 3, heads=heads, deps=["x"] * 3)
        one_sentence = numpy.asarray([[1], [-1], [-1]]).astype("int64").view("uint64")
        doc.from_array([SENT_START], one_sentence)
        assert len(list(doc.sents)) == 1
        assert parser_score([Example(doc, doc)])["dep_multiple_roots"] == n_roots


def test_trees_of_a_pipeline_are_scored_only_where_there_are_any():
    example = Example(to_doc(GOLD), to_doc(GOLD))
    assert score_pipeline(NLP, [example])["dep_las_ud"] == 1.0
    bare = Example(without_annotation(example.reference), example.reference)
    assert "dep_las_ud" not in score_pipeline(NLP, [bare])


def test_examples_may_come_from_a_generator():
    examples = [Example(to_doc([sentence]), to_doc([sentence])) for sentence in GOLD]
    assert parser_score(iter(examples)) == parser_score(examples)


def test_a_head_without_annotation_crosses_no_arc():
    # Word 3 has no head and is that of word 4, inside the arc from 4 to 2.
    arcs = [(0, "root"), (4, "x"), (1, "x"), (3, "x")]
    rows = [f"{i} w _ X _ _ {head} {label} _ _" for i, (head, label) in enumerate(arcs, 1)]
    rows[2] = "3 w _ X _ _ _ _ _ _"
    doc = to_doc(read("\n".join(rows) + "\n"))
    assert parser_score([Example(doc, doc)])["dep_crossing_recall"] is None
