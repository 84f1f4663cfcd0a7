import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example
from udtools import udeval

from spacy_arceager.corpus.conllu import (
    USER_DATA_KEY,
    ConlluSentence,
    doc_to_conllu,
    without_annotation,
)
from spacy_arceager.evaluation.graph_scorer import align_graphs, make_graph_scorer, score_graphs
from tests.evaluation.sentences import NLP, read, to_doc

SCORES = ["dep_elas", "dep_eulas", "dep_graph_crossing_recall"]


GOLD = read("""
    # text = The cat that Ann didn't feed and wash slept.
    1   The    _ DET   _ _ 2  det       2:det                            _
    2   cat    _ NOUN  _ _ 10 nsubj     7:obj|9:obj|10:nsubj             _
    3   that   _ PRON  _ _ 7  obj       2:ref                            _
    4   Ann    _ PROPN _ _ 7  nsubj     7:nsubj|9:nsubj                  _
    5-6 didn't _ _     _ _ _  _         _                                _
    5   did    _ AUX   _ _ 7  aux       7:aux                            _
    6   n't    _ PART  _ _ 7  advmod    7:advmod:neg                     _
    7   feed   _ VERB  _ _ 2  acl:relcl 2:acl:relcl                      _
    8   and    _ CCONJ _ _ 9  cc        9:cc                             _
    9   wash   _ VERB  _ _ 7  conj      2:acl:relcl|7:conj:and           _
    10  slept  _ VERB  _ _ 0  root      0:root                           _
    11  .      _ PUNCT _ _ 10 punct     10:punct                         _

    # text = Ann fed the cat of Bob and he hers.
    1   Ann    _ PROPN _ _ 2  nsubj     2:nsubj                          _
    2   fed    _ VERB  _ _ 0  root      0:root                           _
    3   the    _ DET   _ _ 4  det       4:det                            _
    4   cat    _ NOUN  _ _ 2  obj       2:obj                            _
    5   of     _ ADP   _ _ 6  case      6:case                           _
    6   Bob    _ PROPN _ _ 4  nmod      4:nmod:of                        _
    7   and    _ CCONJ _ _ 8  cc        8.1:cc                           _
    8   he     _ PRON  _ _ 2  conj      8.1:nsubj|8.1:nsubj:xsubj        _
    8.1 fed    _ VERB  _ _ _  _         2:conj:and                       _
    9   hers   _ PRON  _ _ 8  orphan    8.1:obj                          _
    10  .      _ PUNCT _ _ 2  punct     2:punct                          _

    # text = Home at last.
    0.1 be     _ AUX   _ _ _  _         0:root|1:x                       _
    1   Home   _ ADV   _ _ 0  root      0.1:advmod                       _
    2   at     _ ADP   _ _ 3  case      3:case                           _
    3   last   _ ADJ   _ _ 1  obl       0.1:obl:at                       _
    4   .      _ PUNCT _ _ 1  punct     0:root                           _
""")
CAT, GAPPING, FRAGMENT = GOLD


def with_deps(sentence: ConlluSentence, columns: Sequence[str]) -> ConlluSentence:
    words = [word._replace(deps=deps) for word, deps in zip(sentence.words, columns)]
    return replace(sentence, words=words)


def with_dep(sentence: ConlluSentence, word_id: int, deps: str) -> ConlluSentence:
    columns = [word.deps for word in sentence.words]
    return with_deps(sentence, [*columns[: word_id - 1], deps, *columns[word_id:]])


def score(predicted: ConlluSentence, gold: ConlluSentence) -> tuple[float, float]:
    """ELAS and EULAS, which must be the official ones too."""
    examples = [Example(to_doc([predicted]), to_doc([gold]))]
    assert_official(examples)
    scores = score_graphs(examples)
    return scores["dep_elas"], scores["dep_eulas"]


# The official evaluation is the judge


def collapsed(docs: Sequence[Doc]) -> str:
    """The Docs as CoNLL-U without empty nodes, as the official script demands."""
    for doc in docs:
        for sentence in doc.user_data[USER_DATA_KEY]:
            del sentence["deps"], sentence["empty_nodes"]
    return "".join(map(doc_to_conllu, docs))


def official_f1(examples: Sequence[Example]) -> dict[str, float]:
    copies = [
        (example.reference.copy(), example.predicted.copy()) for example in examples
    ]
    gold, predicted = (
        udeval.load_conllu(io.StringIO(collapsed(docs)), "", {"no_empty_nodes": True})
        for docs in zip(*copies)
    )
    scores = udeval.evaluate(gold, predicted)
    return {"dep_elas": scores["ELAS"].f1, "dep_eulas": scores["EULAS"].f1}


def assert_official(examples: Sequence[Example]) -> None:
    scores = score_graphs(examples)
    del scores["dep_graph_crossing_recall"]      # not in it
    assert scores == pytest.approx(official_f1(examples), abs=1e-9)


LABELS = ["root", "nsubj", "nsubj:z", "conj>nsubj", "conj:and>nsubj:z", "root>nsubj"]


@st.composite
def columns(draw: st.DrawFn, word_id: int, size: int) -> str:
    """Any column DEPS without empty nodes, self-loops included."""
    heads = [(head, label) for head in range(size + 1) for label in LABELS]
    arcs = [
        f"{head}:{label}"
        for head, label in heads
        if label.startswith("root") == (head == 0)
        if head != word_id or ">" in label
    ]
    return "|".join(draw(st.lists(st.sampled_from(arcs), max_size=3, unique=True))) or "_"


@st.composite
def predictions(draw: st.DrawFn, gold: ConlluSentence) -> ConlluSentence:
    """The gold graph with some columns drawn anew."""
    size = len(gold.words)
    kept = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    return with_deps(
        gold,
        [
            word.deps if keep else draw(columns(word_id, size))
            for word_id, (word, keep) in enumerate(zip(gold.words, kept), 1)
        ],
    )


@pytest.mark.slow
@settings(deadline=None)
@given(st.data())
def test_scores_are_the_official_ones(data: st.DataObject) -> None:
    predicted = [data.draw(predictions(sentence)) for sentence in GOLD]
    assert_official(
        [
            Example(to_doc(predicted[:2]), to_doc(GOLD[:2])),
            Example(to_doc(predicted[2:]), to_doc(GOLD[2:])),
        ]
    )


@settings(deadline=None)
@given(st.data())
def test_scores_are_the_official_ones_against_any_gold_graph(data: st.DataObject) -> None:
    size = len(FRAGMENT.words)
    gold, predicted = (
        with_deps(FRAGMENT, [data.draw(columns(i, size)) for i in range(1, size + 1)])
        for _ in range(2)
    )
    gold = with_dep(gold, 1, "0:root")
    assert_official([Example(to_doc([predicted]), to_doc([gold]))])


def test_scores_are_the_official_ones_when_sentences_and_tokens_differ() -> None:
    forms = ["Ann", "fed", "thecat", "of", "Bob", "an", "dhe", "hers", "."]
    deps = [
        "2:nsubj",
        "0:root",
        "2:obj",
        "5:case",
        "3:nmod:of",
        "_",
        "2:x",
        "3:y",
        "2:punct",
    ]
    words = [GAPPING.words[0]._replace(form=form) for form in forms]
    tree = [word._replace(head=2, deprel="dep") for word in words]
    tree[1] = tree[1]._replace(head=0, deprel="root")
    predicted = with_deps(ConlluSentence(["# other tokens"], tree, [], []), deps)
    examples = [Example(to_doc([predicted]), to_doc([GAPPING]))]
    assert_official(examples)
    assert 0 < score_graphs(examples)["dep_elas"] < 1


# Scores by hand


def test_gold_graph_scores_one() -> None:
    assert score(CAT, CAT) == (1.0, 1.0)
    assert score(FRAGMENT, FRAGMENT) == (1.0, 1.0)


def test_arcs_too_many_cost_precision_and_arcs_too_few_recall() -> None:
    # 15 gold arcs.
    more = with_dep(CAT, 1, "2:det|4:det")
    assert score(more, CAT) == pytest.approx((30 / 31, 30 / 31))
    fewer = with_dep(CAT, 4, "7:nsubj")
    assert score(fewer, CAT) == pytest.approx((28 / 29, 28 / 29))


def test_subtypes_count_in_full_labels_only() -> None:
    assert score(with_dep(CAT, 6, "7:advmod"), CAT) == pytest.approx((14 / 15, 1.0))
    # 4 -nmod:of-> 6
    assert score(with_dep(GAPPING, 6, "4:nmod:in"), GAPPING)[0] == pytest.approx(10 / 11)


def test_subtypes_are_cut_in_each_step_of_a_path() -> None:
    gold = with_dep(GAPPING, 8, "8.1:nsubj:pass")
    assert score(with_dep(gold, 8, "2:conj:or>nsubj"), gold) == pytest.approx((0.9, 1.0))
    assert score(with_dep(gold, 8, "2:conj>obj"), gold) == pytest.approx((0.9, 0.9))
    assert score(with_dep(gold, 8, "2:conj:and"), gold) == pytest.approx((0.9, 0.9))


def test_two_arcs_that_differ_in_subtypes_match_four_times_without_them() -> None:
    # 8 has 2:conj:and>nsubj and 2:conj:and>nsubj:xsubj; 11 arcs.
    assert score(GAPPING, GAPPING) == pytest.approx((1.0, 13 / 11))


def test_root_is_a_head_of_its_own() -> None:
    # A self-loop of the same labels is another arc.
    assert score(with_dep(FRAGMENT, 1, "1:x>advmod|0:root>advmod"), FRAGMENT) == (
        1.0,
        1.0,
    )
    wrong = with_dep(FRAGMENT, 1, "3:x>advmod|3:root>advmod")
    # Arcs: 1 has two, 2 one, 3 two, 4 one.
    assert score(wrong, FRAGMENT) == pytest.approx((4 / 6, 4 / 6))


def test_arcs_that_cross() -> None:
    # Ann washes across what the cat is and gets: 9-4, 2-7 and 7-2, of which one is missing.
    assert recall_of_crossing(CAT, CAT) == 1
    assert recall_of_crossing(with_dep(CAT, 4, "7:nsubj"), CAT) == pytest.approx(2 / 3)
    assert recall_of_crossing(with_dep(CAT, 4, "7:nsubj|9:obj"), CAT) == pytest.approx(2 / 3)
    assert recall_of_crossing(with_dep(CAT, 5, "9:aux"), CAT) == 1
    assert recall_of_crossing(FRAGMENT, FRAGMENT) is None


def recall_of_crossing(predicted: ConlluSentence, gold: ConlluSentence) -> float | None:
    examples = [Example(to_doc([predicted]), to_doc([gold]))]
    return score_graphs(examples)["dep_graph_crossing_recall"]


# Missing graphs


def test_without_gold_graphs_there_are_no_scores() -> None:
    gold = with_deps(CAT, ["_"] * len(CAT.words))
    scores = score_graphs([Example(to_doc([CAT]), to_doc([gold]))])
    assert scores == dict.fromkeys(SCORES)
    assert score_graphs([]) == dict.fromkeys(SCORES)


def test_docs_without_predicted_graph_score_zero() -> None:
    gold = to_doc([CAT])
    scores = score_graphs([Example(without_annotation(gold), gold)])
    assert scores == dict.fromkeys(SCORES, 0.0)


def test_gold_sentences_without_arcs_are_ignored() -> None:
    without = with_deps(GAPPING, ["_"] * len(GAPPING.words))
    for gold in ([to_doc([CAT, without])], [to_doc([CAT]), to_doc([without])]):
        predicted = (
            [to_doc([CAT, GAPPING])]
            if len(gold) == 1
            else map(to_doc, [[CAT], [GAPPING]])
        )
        scores = score_graphs(map(Example, predicted, gold))
        assert scores["dep_elas"] == 1.0


def test_whitespace_is_no_word() -> None:
    gold = read("1 Go _ VERB _ _ 0 root 0:root _\n2 . _ PUNCT _ _ 1 punct 1:punct _")
    predicted = Doc(NLP.vocab, words=["Go", "\n", "."], spaces=[False] * 3)
    predicted._.arceager_graph = [[[0, "root"]], [[0, "dep"]], [[0, "punct"]]]
    assert score_graphs([Example(predicted, to_doc(gold))])["dep_elas"] == 1.0
    predicted._.arceager_graph[2] = [[1, "punct"]]
    assert score_graphs([Example(predicted, to_doc(gold))])["dep_elas"] == 0.5


def test_config_can_name_the_scorer() -> None:
    assert make_graph_scorer() is score_graphs
    block = {"scorer": {"@scorers": "arceager.graph_scorer.v1"}}
    scorer = spacy.registry.resolve(block)["scorer"]
    assert scorer(iter([Example(to_doc([CAT]), to_doc([CAT]))]))["dep_elas"] == 1.0


def graph_doc(words: list[str], graph: list[list[list]]) -> Doc:
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words),
              sent_starts=[True, *[False] * (len(words) - 1)])
    doc._.arceager_graph = graph
    return doc


def test_a_word_over_words_with_and_without_annotation_is_counted() -> None:
    gold = graph_doc(["a", "b", "c"], [[], [[1, "root"]], [[1, "obj"]]])
    gold[1].is_sent_start = True
    predicted = graph_doc(["ab", "c"], [[[0, "root"]], [[0, "obj"]]])
    assert align_graphs(Example(predicted, gold)).n_predicted == 2
    split = graph_doc(["a", "b", "c"], [[[0, "root"]], [[0, "x"]], [[0, "obj"]]])
    assert align_graphs(Example(split, gold)).n_predicted == 2      # not the arc of a


def test_arcs_of_the_first_word_cross_too() -> None:
    doc = graph_doc(["a", "b", "c", "d"], [[[0, "root"]], [], [[0, "x"]], [[1, "x"]]])
    fewer = graph_doc(["a", "b", "c", "d"], [[[0, "root"]], [], [[0, "x"]], [[2, "x"]]])
    assert score_graphs([Example(doc, doc)])["dep_graph_crossing_recall"] == 1.0
    assert score_graphs([Example(fewer, doc)])["dep_graph_crossing_recall"] == 0.5


def test_arcs_from_the_root_cross_none() -> None:
    doc = graph_doc(["a", "b", "c"], [[], [[1, "root"]], [[0, "x"]]])
    assert score_graphs([Example(doc, doc)])["dep_graph_crossing_recall"] is None


def test_an_arc_from_the_first_word_is_none_from_the_root() -> None:
    gold = graph_doc(["a", "b"], [[], [[1, "root"]]])
    predicted = graph_doc(["a", "b"], [[], [[0, "root"]]])
    assert score_graphs([Example(predicted, gold)])["dep_elas"] == 0.0
