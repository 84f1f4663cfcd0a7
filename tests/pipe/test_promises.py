"""What spaCy's parser does not promise, and this one does."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.pipeline._parser_internals import nonproj
from spacy.tokens import Doc

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.search.greedy import parse
from tests.brute_force import is_projective
from tests.conftest import (
    PARSER,
    SEEDS,
    Trained,
    annotation,
    assert_one_tree,
    blank_pipeline,
    get_parser,
    random_scoring,
    random_vectors,
    randomise,
    read_corpus,
)
from tests.systems_table import SYSTEMS, Row

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")

WORDS = ["the", "market", "opens", "at", "seven", "."]

words_and_boundaries = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([True, False, None])),
    min_size=1,
    max_size=30,
)


def make_doc(nlp: Language, tokens: list[tuple[str, bool | None]]) -> Doc:
    words, starts = zip(*tokens)
    return Doc(nlp.vocab, words=words, sent_starts=starts)


def assert_one_tree_a_sentence(doc: Doc) -> None:
    for sentence in doc.sents:
        assert_one_tree([token.head.i - sentence.start for token in sentence])
        assert [t.dep_ for t in sentence if t.head == t] == ["ROOT"]


# Boundaries: spaCy issues 7716, 2448


@settings(max_examples=60, deadline=None)
@given(tokens=words_and_boundaries)
def test_preset_boundaries_are_honoured_true_and_false(
    english: Trained, tokens: list[tuple[str, bool | None]]
) -> None:
    doc = english.nlp(make_doc(english.nlp, tokens))
    for token, (_, preset) in list(zip(doc, tokens))[1:]:
        assert token.is_sent_start == bool(preset)
    assert_one_tree_a_sentence(doc)


@settings(max_examples=40, deadline=None)
@given(tokens=words_and_boundaries)
def test_parsing_a_doc_twice_changes_nothing(
    german: Trained, tokens: list[tuple[str, bool | None]]
) -> None:
    doc = german.nlp(make_doc(german.nlp, tokens))
    before = doc.to_bytes()
    assert german.nlp(doc).to_bytes() == before


def test_parsing_a_doc_twice_changes_nothing_also_with_crossing_arcs(
    german: Trained,
) -> None:
    for example in german.examples:
        doc = german.nlp(example.predicted.copy())
        before = annotation(doc)
        assert annotation(german.nlp(doc)) == before


def test_a_parse_replaces_an_earlier_one_within_the_same_boundaries(
    english: Trained,
) -> None:
    doc = english.examples[0].predicted.copy()
    earlier = Doc(
        doc.vocab,
        words=[token.text for token in doc],
        heads=[0] * len(doc),
        deps=["ROOT"] + ["punct"] * (len(doc) - 1),
    )
    assert annotation(english.nlp(earlier)) == annotation(english.nlp(doc))


# Trees


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", [row for row in SYSTEMS if row.one_tree], ids=lambda row: row.name
)
@settings(max_examples=40, deadline=None)
@given(lengths=st.lists(st.integers(1, 60), min_size=1, max_size=4), seed=SEEDS)
def test_every_parse_is_one_tree_whatever_the_weights(
    row: Row, lengths: list[int], seed: int
) -> None:
    system = TransitionSystem(row.parameters, ["a", "b"])
    scorer = random_scoring(system, seed).predict(None)
    heads, labels, _ = parse(system, scorer, random_vectors(sum(lengths), 8, seed), lengths)
    for sentence, end in zip(lengths, numpy.cumsum(lengths)):
        tree = heads[end - sentence : end].tolist()
        assert_one_tree(tree)
        assert is_projective(tree) or not row.parameters.is_projective
        for word, label in enumerate(labels[end - sentence : end]):
            assert (label == -1) == (tree[word] == word)


@pytest.fixture(scope="module")
def untrained() -> Language:
    """A pipeline whose weights the tests replace; some of its labels are decorated."""
    nlp = blank_pipeline("de")
    examples = read_corpus(nlp, "de_crossing.conllu")
    nlp.initialize(lambda: examples)
    return nlp


@settings(max_examples=40, deadline=None)
@given(tokens=words_and_boundaries, seed=SEEDS)
def test_every_sentence_of_a_doc_has_one_tree_whatever_the_weights(
    untrained: Language, tokens: list[tuple[str, bool | None]], seed: int
) -> None:
    parser = get_parser(untrained)
    randomise(parser.model.get_ref("scoring"), seed)
    doc = untrained(make_doc(untrained, tokens))
    assert len(list(doc.sents)) == 1 + sum(bool(start) for _, start in tokens[1:])
    assert_one_tree_a_sentence(doc)
    assert not any(nonproj.is_decorated(token.dep_) for token in doc)


# Labels: spaCy issue 13248


def test_every_label_of_the_training_data_can_be_predicted(german: Trained) -> None:
    gold = Counter(
        token.dep_ for example in german.examples for token in example.reference
    )
    labels = {nonproj.decompose(label)[0] for label in get_parser(german.nlp).labels}
    assert set(gold) - {"ROOT"} == labels
    predicted = Counter(
        token.dep_
        for doc in german.nlp.pipe([example.predicted.copy() for example in german.examples])
        for token in doc
    )
    rare = {label for label, count in gold.items() if count == 1}
    assert rare and rare <= set(predicted)
    assert set(predicted) <= set(gold)


def test_projectivised_labels_unknown_to_the_parser_never_break_a_training() -> None:
    nlp = blank_pipeline("de")
    examples = read_corpus(nlp, "de_crossing.conllu")
    sgd = nlp.initialize(lambda: examples[-5:])
    parser = get_parser(nlp)
    assert not any(nonproj.is_decorated(label) for label in parser.labels)
    losses = nlp.update(examples, sgd=sgd)
    assert 0 < losses[PARSER] < numpy.inf
    assert_one_tree_a_sentence(nlp(examples[0].text))


def test_projectivised_labels_need_both_labels() -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "de_crossing.conllu")
    for example in examples:
        for token in example.reference:
            if token.dep_ in ("obj", "advmod"):
                token.dep_ = ""
    nlp.initialize(lambda: examples)
    for label in get_parser(nlp).labels:
        assert not nonproj.is_decorated(label) or all(nonproj.decompose(label))


# Failures


@pytest.fixture
def failing(english: Trained, monkeypatch: pytest.MonkeyPatch) -> Language:
    """A pipeline that cannot parse a Doc with the word FAIL."""
    nlp = english.copy()
    predict = ArcEagerParser.predict

    def fail(parser: ArcEagerParser, docs: Iterable[Doc]) -> list:
        docs = list(docs)
        if any("FAIL" in doc.text for doc in docs):
            raise RuntimeError("this Doc cannot be parsed")
        return predict(parser, docs)

    monkeypatch.setattr(ArcEagerParser, "predict", fail)
    return nlp


@pytest.mark.parametrize("n_process", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_one_bad_document_loses_nobody_elses_parse(
    failing: Language, english: Trained, n_process: int
) -> None:
    texts = [example.text for example in english.examples[:12]]
    expected = [annotation(english.nlp(text)) for text in texts]
    with_bad_ones = ["FAIL", *texts[:5], "it will FAIL", *texts[5:], "FAIL again"]
    failing.set_error_handler(ignore)
    docs = failing.pipe(with_bad_ones, batch_size=8, n_process=n_process)
    assert [annotation(doc) for doc in docs] == expected


def ignore(name: str, component: Callable, docs: list[Doc], error: Exception) -> None:
    """An error handler that goes on."""


def test_a_bad_document_goes_to_the_error_handler_alone(failing: Language) -> None:
    seen: list[tuple[str, list[str], str]] = []
    failing.set_error_handler(
        lambda name, component, docs, error: seen.append(
            (name, [doc.text for doc in docs], str(error))
        )
    )
    list(failing.pipe(["It opens.", "FAIL", "It closes."]))
    assert seen == [(PARSER, ["FAIL"], "this Doc cannot be parsed")]


def test_a_bad_document_raises_where_no_error_handler_is_set(failing: Language) -> None:
    with pytest.raises(RuntimeError, match="cannot be parsed"):
        list(failing.pipe(["It opens.", "FAIL"]))


# Training data


def test_initialize_reports_gold_trees_that_are_not_projective(
    caplog: pytest.LogCaptureFixture,
) -> None:
    nlp = blank_pipeline("de")
    examples = read_corpus(nlp, "de_crossing.conllu")
    with caplog.at_level(logging.INFO, logger="spacy"):
        nlp.initialize(lambda: examples)
    assert "35 of 50 gold sentences have arcs that the system cannot build" in caplog.text


def test_initialize_warns_of_nothing_where_all_trees_can_be_derived(
    caplog: pytest.LogCaptureFixture,
) -> None:
    nlp = blank_pipeline("de", system={"@misc": "arceager.arc_hybrid.v1", "swap": True})
    examples = read_corpus(nlp, "de_crossing.conllu")
    with caplog.at_level(logging.INFO, logger="spacy"):
        nlp.initialize(lambda: examples)
    assert "50 gold sentences" in caplog.text and "cannot build" not in caplog.text
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
