"""Bad input: odd Docs, odd gold trees, broken files, parameters that contradict each other."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.attrs import HEAD, SENT_START
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.errors import ModelMismatchError, TruncatedModelError
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.search.rollout import roll_out
from spacy_arceager.systems import (
    ArcParameters,
    ParameterError,
    SystemParameters,
    arc_eager,
    attardi,
    custom_system,
)
from spacy_arceager.gold.derivable import derivable, derives_projective_trees
from spacy_arceager.gold import POLICIES
from spacy_arceager.gold.trees import apply_policy, gold_sentences
from tests.conftest import (
    PARSER,
    TINY_MODEL,
    Trained,
    annotation,
    assert_one_tree,
    blank_pipeline,
    get_parser,
    random_scoring,
    random_vectors,
    read_corpus,
    train,
    training_scorer,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


# Docs


def test_a_doc_without_words_stays_as_it_is(english: Trained) -> None:
    doc = english.nlp("")
    assert len(doc) == 0
    assert list(doc.sents) == []


def test_docs_without_words_do_not_disturb_their_batch(english: Trained) -> None:
    texts = ["", "The market opens.", "", " ", "It closes.", ""]
    alone = [annotation(english.nlp(text)) for text in texts]
    assert [annotation(doc) for doc in english.nlp.pipe(texts)] == alone
    assert alone[1] and alone[4]


def test_docs_without_words_do_not_disturb_a_training(english: Trained) -> None:
    nlp = english.copy()
    empty = Example.from_dict(nlp.make_doc(""), {})
    examples = english.read(nlp)[:4]
    alone, with_empty = (
        get_parser(nlp).update(batch)[PARSER]
        for batch in (examples, [empty, *examples[:2], empty, *examples[2:]])
    )
    assert with_empty == pytest.approx(alone)
    assert get_parser(nlp).update([empty]) == {PARSER: 0}


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
def test_preset_boundaries_are_honoured_also_at_white_space(
    english: Trained, tokens: list[tuple[str, bool | None]]
) -> None:
    words, starts = zip(*tokens)
    doc = english.nlp(Doc(english.nlp.vocab, words=words, sent_starts=starts))
    assert [token.is_sent_start for token in doc][1:] == [bool(s) for s in starts[1:]]


def test_ten_thousand_words_in_one_sentence(english: Trained) -> None:
    words = ["the", "market", "opens", "at", "seven"] * 2000
    doc = english.nlp(Doc(english.nlp.vocab, words=words))
    assert_one_tree([token.head.i for token in doc])
    assert [token.dep_ for token in doc].count("ROOT") == 1


# Gold trees

WORDS = ["the", "market", "opens", "at", "seven"]


def gold_example(
    nlp: Language, heads: list[int], deps: list[str], starts: list[int] | None = None
) -> Example:
    """An Example whose gold heads and sentence starts need not fit together."""
    gold = Doc(nlp.vocab, words=WORDS, heads=[0] * len(WORDS), deps=deps)
    relative = numpy.asarray([[head - word] for word, head in enumerate(heads)])
    gold.from_array([HEAD], relative.astype("int64").view("uint64"))
    if starts is not None:
        flags = numpy.asarray([[1 if i in starts else -1] for i in range(len(WORDS))])
        gold.from_array([SENT_START], flags.astype("int64").view("uint64"))
    return Example(Doc(nlp.vocab, words=WORDS), gold)


def heads_of(example: Example) -> list[list[int]]:
    return [sentence.heads.tolist() for sentence in gold_sentences(example)]


DEPS = ["det", "nsubj", "ROOT", "case", "obl"]
ODD_TREES = {
    "a cycle": ([1, 0, 2, 4, 2], [0], [[1, 0, 2, 4, 2]]),
    "a cycle instead of a root": ([1, 2, 0, 4, 2], [0], [[1, 2, 0, 4, 2]]),
    "two roots": ([1, 1, 2, 4, 2], [0], [[1, 1, 2, 4, 2]]),
    "only roots": ([0, 1, 2, 3, 4], [0], [[0, 1, 2, 3, 4]]),
    "a crossing cycle": ([3, 4, 2, 0, 1], [0], [[3, 4, 2, 0, 1]]),
    "crossing arcs and two roots": ([2, 1, 2, 0, 1], [0], [[2, 1, 2, 0, 1]]),
    "a head in another sentence": ([1, 2, 2, 4, 2], [0, 3], [[1, 2, 2], [1, -1]]),
    "a cycle across sentences": ([4, 2, 2, 4, 0], [0, 3], [[-1, 2, 2], [1, -1]]),
}


@pytest.mark.parametrize("name", ODD_TREES)
def test_odd_gold_trees_are_read(english: Trained, name: str) -> None:
    heads, starts, expected = ODD_TREES[name]
    assert heads_of(gold_example(english.nlp, heads, DEPS, starts)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", ["static", "dynamic", "exact"])
def test_odd_gold_trees_are_trained_on(policy: str, kind: str) -> None:
    nlp = blank_pipeline(
        non_projective=policy, oracle={"@misc": f"arceager.{kind}_oracle.v1"}
    )
    examples = [
        gold_example(nlp, heads, DEPS, starts) for heads, starts, _ in ODD_TREES.values()
    ]
    losses = train(nlp, examples, epochs=6)
    assert 0 < losses[-1] < losses[0] < numpy.inf
    assert_one_tree([token.head.i for token in nlp(examples[0].predicted)])


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


def relabelled(examples: list[Example], label: str) -> list[Example]:
    """The Examples with the same label for every word."""
    for example in examples:
        starts = example.reference.to_array(SENT_START)
        for token in example.reference:
            token.dep_ = label
        example.reference.from_array([SENT_START], starts[:, None])
    return examples


def test_a_missing_label_is_neither_right_nor_wrong(english: Trained) -> None:
    parser = get_parser(english.copy())
    right = english.read(english.nlp)[:16]
    missing = relabelled(english.read(english.nlp)[:16], "")
    wrong = relabelled(english.read(english.nlp)[:16], "flat")
    losses = [parser.update(examples)[PARSER] for examples in (missing, right, wrong)]
    assert losses[0] <= losses[1] < 0.1 * losses[2]


def without_some(
    examples: list[Example], generator: numpy.random.Generator
) -> Iterator[Example]:
    """The Examples with every third label and every fifth head missing, at random."""
    for example in examples:
        gold = example.reference
        heads = [token.head.i for token in gold]
        deps = [token.dep_ for token in gold]
        for token in range(len(gold)):
            if generator.random() < 1 / 3:
                deps[token] = ""
            if generator.random() < 1 / 5:
                heads[token], deps[token] = token, ""
        partial = Doc(
            gold.vocab,
            words=[token.text for token in gold],
            heads=heads,
            deps=deps,
        )
        flags = numpy.full((len(gold), 1), -1)
        flags[0] = 1
        partial.from_array([SENT_START], flags.astype("int64").view("uint64"))
        yield Example(example.predicted, partial)


def test_partial_annotation_is_enough_to_learn_from() -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-train.conllu", limit=64)
    generator = numpy.random.default_rng(0)
    partial = [*without_some(examples, generator), *without_some(examples, generator)]
    train(nlp, partial, epochs=6)
    scores = nlp.evaluate(examples)
    assert scores["dep_uas"] > 0.9
    assert scores["dep_las"] > 0.85


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


def test_a_label_that_initialize_has_not_seen_does_not_stop_a_training(
    english: Trained,
) -> None:
    nlp = english.copy()
    deps = ["det", "vocative", "ROOT", "case", "obl"]
    example = gold_example(nlp, [1, 2, 2, 4, 2], deps, [0])
    sgd = nlp.resume_training()
    losses = nlp.update([example], sgd=sgd)
    assert 0 < losses[PARSER] < numpy.inf
    assert "vocative" not in get_parser(nlp).labels
    for _ in range(30):
        nlp.update([example], sgd=sgd)
    assert [token.head.i for token in nlp(example.predicted)] == [1, 2, 2, 4, 2]


def test_a_treebank_whose_trees_are_all_left_out_says_so() -> None:
    whole = [gold_example(blank_pipeline(), [2, 3, 3, 3, 3], DEPS, [0])]
    nlp = blank_pipeline(non_projective="skip")
    with pytest.raises(ValueError, match="derives none of the 1 gold trees, and non_projective"):
        nlp.initialize(lambda: whole)
    for kept in ({"non_projective": "projectivize"}, {"system": {
        "@misc": "arceager.arc_hybrid.v1", "swap": True}, "non_projective": "skip"}):
        blank_pipeline(**kept).initialize(lambda: whole)


def test_initialize_without_examples_says_so() -> None:
    parser = get_parser(blank_pipeline())
    with pytest.raises((TypeError, ValueError), match="arceager_parser|ArcEagerParser"):
        parser.initialize(list)


# Files


@settings(max_examples=6, deadline=None)
@given(share=st.floats(0, 1, exclude_max=True))
def test_bytes_that_are_cut_short_say_so(english: Trained, share: float) -> None:
    data = get_parser(english.nlp).to_bytes(exclude=["vocab"])
    parser = get_parser(blank_pipeline())
    with pytest.raises(TruncatedModelError, match=f"'{PARSER}'.*cut short"):
        parser.from_bytes(data[: int(share * len(data))])


@pytest.mark.parametrize("file", ["cfg", "model"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_files_that_are_cut_short_say_so(
    english: Trained, tmp_path: Path, file: str, share: float
) -> None:
    get_parser(english.nlp).to_disk(tmp_path, exclude=["vocab"])
    data = (tmp_path / file).read_bytes()
    (tmp_path / file).write_bytes(data[: int(share * len(data))])
    with pytest.raises(TruncatedModelError) as error:
        get_parser(blank_pipeline()).from_disk(tmp_path, exclude=["vocab"])
    assert str(tmp_path) in str(error.value)


@pytest.mark.parametrize("data", [b"", b"not a parser", b"\x81\xa3cfg\xa2{}"])
def test_bytes_that_are_no_parser_say_so(data: bytes) -> None:
    with pytest.raises(TruncatedModelError, match="not a saved parser"):
        get_parser(blank_pipeline()).from_bytes(data)


def test_a_missing_file_is_named(english: Trained, tmp_path: Path) -> None:
    get_parser(english.nlp).to_disk(tmp_path, exclude=["vocab"])
    (tmp_path / "model").unlink()
    with pytest.raises(FileNotFoundError, match="model"):
        get_parser(blank_pipeline()).from_disk(tmp_path, exclude=["vocab"])


def test_a_parser_of_a_newer_version_says_so(
    english: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        newer.setattr("spacy_arceager.pipe.serialize.FORMAT", 1000)
        data = get_parser(english.nlp).to_bytes(exclude=["vocab"])
    with pytest.raises(ModelMismatchError, match="newer version.*update spacy_arceager"):
        get_parser(blank_pipeline()).from_bytes(data)


def parser_of(**system: Any) -> ArcEagerParser:
    """A parser with weights and another system."""
    kind = "exact" if system.get("tree_constraint", True) else "dynamic"
    nlp = blank_pipeline(
        system={"@misc": "arceager.arc_eager.v1", **system},
        oracle={"@misc": f"arceager.{kind}_oracle.v1"},
    )
    examples = read_corpus(nlp, "en_small-dev.conllu", limit=5)
    nlp.initialize(lambda: examples)
    return get_parser(nlp)


@pytest.mark.slow
@pytest.mark.parametrize(
    "saved, loaded",
    [
        ({}, {"tree_constraint": False}),
        ({"tree_constraint": False}, {}),
        ({}, {"non_monotonic": ["left"]}),
        ({"non_monotonic": ["left", "reduce"]}, {}),
        ({"tree_constraint": False}, {"tree_constraint": False, "root": "right"}),
    ],
)
def test_a_parser_of_another_system_is_not_loaded(
    saved: dict, loaded: dict, tmp_path: Path
) -> None:
    parser, other = parser_of(**saved), parser_of(**loaded)
    with pytest.raises(ModelMismatchError, match="config"):
        other.from_bytes(parser.to_bytes(exclude=["vocab"]))
    parser.to_disk(tmp_path, exclude=["vocab"])
    with pytest.raises(ModelMismatchError, match="config"):
        other.from_disk(tmp_path, exclude=["vocab"])


@pytest.mark.parametrize(
    "other", [{"hidden_width": 16}, {"maxout_pieces": 3}, {"projection": 8}]
)
def test_a_parser_of_another_size_is_not_said_to_be_cut_short(
    english: Trained, other: dict
) -> None:
    parser = get_parser(blank_pipeline(model={**TINY_MODEL, **other}))
    with pytest.raises(ModelMismatchError):
        parser.from_bytes(get_parser(english.nlp).to_bytes(exclude=["vocab"]))


# Parameters

EAGER = ArcParameters(reduce=False, shift=True)
CONTRADICTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({"capacity": 1}, ["capacity=1"]),
    ({"capacity": 2, "distance": 2}, ["capacity=2", "distance=2"]),
    ({"capacity": 2, "distance": 0}, ["capacity=2", "distance=0"]),
    ({"root": "top"}, ["root='top'", "none", "right"]),
    ({"left": ArcParameters(periphery="middle")}, ["periphery='middle'", "left", "right"]),
    ({"right": ArcParameters(periphery="middle")}, ["periphery='middle'", "left", "right"]),
    ({"non_monotonic": ("right",)}, ["non_monotonic=['right']", "left", "reduce"]),
    ({"right": EAGER}, ["right.reduce=false", "reduce=true"]),
    ({"reduce": True}, ["reduce=true", "right.reduce=true"]),
    ({"tree_constraint": True}, ["tree_constraint=true", "front=true", "right.reduce=false"]),
    (
        {"tree_constraint": True, "right": EAGER, "reduce": True, "reduce_periphery": "any"},
        ["tree_constraint=true", "front=true"],
    ),
    (
        {"front": True, "right": EAGER, "reduce": True, "tree_constraint": True,
         "root": "left"},
        ["tree_constraint=true", "root='left'", "several", "'right'", "'none'"],
    ),
    ({"non_monotonic": ("left",)}, ["non_monotonic", "front=true", "right.reduce=false"]),
    (
        {"front": True, "right": EAGER, "reduce": True, "non_monotonic": ("reduce",)},
        ["non_monotonic=['reduce']", "root='none'", "tree_constraint=true"],
    ),
    (
        {"front": True, "capacity": 3, "right": EAGER, "reduce": True},
        ["capacity=3", "reduce_periphery='left'", "front=true"],
    ),
    (
        {"front": True, "capacity": 3, "graph": True, "left": EAGER, "right": EAGER,
         "reduce": True, "reduce_periphery": "any"},
        ["graph=true", "capacity=3"],
    ),
    (
        {"front": True, "capacity": 3, "distance": 2, "right": EAGER, "reduce": True,
         "reduce_periphery": "any", "non_monotonic": ("left",)},
        ["non_monotonic", "capacity=2"],
    ),
]


@pytest.mark.parametrize("parameters, named", CONTRADICTIONS)
def test_contradictory_parameters_are_both_named(
    parameters: dict[str, Any], named: list[str]
) -> None:
    with pytest.raises(ParameterError) as error:
        SystemParameters(**{"name": "mine", "capacity": 2, **parameters})
    for words in ["'mine'", *named]:
        assert words in str(error.value)


def test_too_many_transitions_name_what_to_lower() -> None:
    with pytest.raises(ParameterError, match="'wide': distance=20 and capacity=30 make more"):
        SystemParameters(name="wide", capacity=30, distance=20)


def test_contradictory_parameters_in_a_config_are_both_named() -> None:
    system = {"@misc": "arceager.arc_eager.v1", "tree_constraint": True, "root": "left"}
    with pytest.raises(ParameterError, match="tree_constraint=true and root='left'"):
        blank_pipeline(system=system)


def test_an_oracle_that_does_not_fit_the_system_is_named_with_it() -> None:
    system = {"@misc": "arceager.attardi.v1", "degree": 2}
    with pytest.raises(ValueError, match="exact oracle is not made for system 'attardi'"):
        blank_pipeline(system=system, oracle={"@misc": "arceager.exact_oracle.v1"})


def test_an_unknown_policy_is_named_with_those_that_are_known() -> None:
    with pytest.raises(ValueError) as error:
        blank_pipeline(non_projective="lift")
    for words in ("non_projective='lift'", *POLICIES):
        assert words in str(error.value)


@pytest.mark.parametrize(
    "wrong, named",
    [
        ({"words": ["O1", "S1"]}, "'S1'.*O1..O9"),
        ({"words": []}, "at least one word feature"),
        ({"attributes": ["O2"]}, "'O2'.*.label"),
    ],
)
def test_a_wrong_feature_in_a_config_is_named(wrong: dict, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        blank_pipeline(model={**TINY_MODEL, **wrong})


@pytest.mark.parametrize("name", ["hidden_width", "projection", "maxout_pieces"])
@pytest.mark.parametrize("width", [0, -1, 10**9])
def test_widths_that_no_layer_has_are_named(name: str, width: int) -> None:
    with pytest.raises(ValueError, match=f"{name}={width}; use 1 to"):
        blank_pipeline(model={**TINY_MODEL, name: width})


def test_an_unknown_parameter_in_a_config_is_named() -> None:
    with pytest.raises(ValueError, match="hidden_size"):
        blank_pipeline(model={**TINY_MODEL, "hidden_size": 32})


def test_named_systems_have_no_contradictions() -> None:
    for moves in ([], ["left"], ["reduce"], ["reduce", "left"]):
        assert arc_eager(True, moves).non_monotonic == tuple(sorted(moves))


# Parts that do not belong together


def test_a_graph_whose_words_take_one_head_is_refused() -> None:
    with pytest.raises(ParameterError, match="graph=true and left.reduce=true"):
        SystemParameters("odd", 2, front=True, reduce=True, graph=True, right=EAGER)


def test_a_parser_initialised_with_no_labels_parses() -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-dev.conllu")
    get_parser(nlp).initialize(lambda: examples, labels={"labels": []})
    doc = nlp(Doc(nlp.vocab, words=["a"] * 30))
    assert_one_tree([token.head.i for token in doc])


def test_labels_and_model_are_loaded_together(english: Trained) -> None:
    parser = get_parser(english.copy())
    other = get_parser(english.copy())
    other.add_label("another")
    with pytest.raises(ModelMismatchError, match="labels"):
        parser.from_bytes(other.to_bytes(), exclude=["cfg"])


def test_gold_labels_outside_the_system_are_refused() -> None:
    system = TransitionSystem(arc_eager(), ["dep"])
    model = random_scoring(system, 1)
    gold = GoldTrees([2], [0, 0], [-1, 3])
    with pytest.raises(ValueError, match="Gold label 3"):
        roll_out(
            system, training_scorer(model), random_vectors(2, 8, 1), gold, Oracle("exact"),
            1.0, 0.0, 1,
        )


# Values of the wrong type, as configs have them


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"capacity": "6"}, "capacity='6' should be int"),
        ({"capacity": 2, "swap": "no"}, "swap='no' should be bool"),
        ({"capacity": 2, "left": {"reduce": "no"}}, "left.reduce='no' should be bool"),
        ({"capacity": 2, "right": {"periphry": "any"}}, "right.periphry is unknown"),
        ({"capacity": 2, "non_monotonic": "left"}, "should be a list"),
    ],
)
def test_wrong_types_are_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        custom_system(**settings)


@pytest.mark.parametrize(("make", "name"), [(attardi, "degree"), (arc_eager, "distance")])
def test_the_parameter_that_was_set_is_named(make: Any, name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name}=0"):
        make(**{name: 0})


def test_a_system_that_derives_few_trees_skips_the_others() -> None:
    # Arcs at the left end of three active words, words at the right end: few trees are left.
    system = TransitionSystem(custom_system(3, right={"periphery": "left"}))
    [sentence] = gold_sentences(
        Example.from_dict(
            blank_pipeline().make_doc("a b c d"),
            {"heads": [1, 1, 1, 2], "deps": ["det", "ROOT", "obj", "case"]},
        )
    )
    assert sentence.is_projective
    assert apply_policy(sentence, "skip", TransitionSystem(arc_eager())) is sentence
    assert (apply_policy(sentence, "skip", system) is sentence) == derivable(
        system, sentence.heads
    )
    assert not derives_projective_trees(system.parameters)
