"""Learning from gold trees of every kind."""

from collections.abc import Iterator

import numpy
import pytest
from spacy.attrs import SENT_START
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold import POLICIES
from tests.conftest import (
    PARSER,
    Trained,
    assert_one_tree,
    blank_pipeline,
    get_parser,
    read_corpus,
    train,
)
from tests.gold.odd_trees import DEPS, ODD_TREES, WORDS, gold_example, heads_of

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


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


def test_a_missing_head_teaches_nothing(english: Trained) -> None:
    example = Example(
        Doc(english.nlp.vocab, words=WORDS), Doc(english.nlp.vocab, words=WORDS)
    )
    assert heads_of(example) == [[-1] * len(WORDS)]
    assert get_parser(english.nlp).update([example])[PARSER] == pytest.approx(0, abs=1e-4)


def test_the_label_of_a_word_whose_head_is_unknown_is_none_to_learn() -> None:
    nlp = blank_pipeline()
    example = gold_example(nlp, [1, 2, 2, 4, 2], DEPS, [0, 3])
    assert heads_of(example) == [[1, 2, 2], [1, -1]]
    nlp.initialize(lambda: [example])
    assert get_parser(nlp).labels == ("case", "det", "nsubj")


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
