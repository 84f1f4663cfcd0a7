"""The setting `valid`: what it refuses, that it can change, and training with it."""

from random import Random

import pytest
from spacy.tokens import Doc

from spacy_arceager.search.settings import BeamSettings
from tests.conftest import (
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    parse_words,
    read_corpus,
    train,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_unknown_rules_and_rules_about_graphs_are_refused() -> None:
    with pytest.raises(ValueError, match="valid='sud' of 'arceager_parser' is unknown; use 'ud'"):
        blank_pipeline(valid="sud")
    with pytest.raises(ValueError, match="the rules are about trees"):
        blank_pipeline(system="dag", valid="ud")
    parser = get_parser(blank_pipeline())
    assert parser.valid is None
    with pytest.raises(ValueError, match="valid=1 of"):
        parser.valid = 1  # type: ignore[assignment]


def test_it_can_change_at_any_time(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    words = ["The", "the", *["children"] * 3, "read", "read", "books", "books", "."]
    tags = ["DET", "DET", "NOUN", "NOUN", "NOUN", "VERB", "VERB", "VERB", "VERB", "PUNCT"]
    orders = [[*Random(seed).sample(range(9), 9), 9] for seed in range(60)]

    def parse() -> list[tuple]:
        return annotation(nlp(Doc(nlp.vocab, words, pos=tags)))

    def parse_all() -> list[list[tuple]]:
        """The same words in several orders."""
        return [
            annotation(nlp(Doc(nlp.vocab, [words[i] for i in order], pos=[tags[i] for i in order])))
            for order in orders
        ]

    def is_valid(arcs: list[tuple]) -> bool:
        """Whether no head has two subjects or two objects, and punctuation is punctuation."""
        single = [(head, label) for head, label, *_ in arcs if label in ("nsubj", "obj")]
        marks = [i for i, (_, label, *_) in enumerate(arcs) if label == "punct"]
        return len(set(single)) == len(single) and {*marks} <= {9}

    free = parse()
    assert not all(map(is_valid, parse_all()))       # so there is something to put right
    parser.valid = "ud"
    assert all(map(is_valid, parse_all()))
    (trees,) = parser.k_best(Doc(nlp.vocab, words, pos=tags), 4)
    assert len(trees) > 1
    assert all(is_valid([*zip(tree.heads, tree.labels)]) for tree in trees)
    parser.valid = None
    assert parse() == free


def test_a_new_label_gets_its_rules(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    parser.valid = "ud"
    parser.add_label("goeswith")
    nlp(Doc(nlp.vocab, ["she", "wrote", "."]))


@pytest.mark.parametrize(
    "settings",
    [
        {}, {"system": "arc_hybrid"}, {"system": "easy_first"}, {"system": "arc_hybrid_swap"},
        {"system": "arc_eager_nm"},
        {"beam": {"@misc": "arceager.beam.v1", "width": 4, "update": "max_violation"}},
    ],
    ids=str,
)
def test_a_parser_learns_under_the_rules(settings: dict) -> None:
    nlp = blank_pipeline(valid="ud", **settings)
    examples = read_corpus(nlp, "en_small-train.conllu")[:40]
    history = train(nlp, examples, 8)
    assert history[-1] < 0.6 * history[0]
    right = sum(
        arc == gold
        for parse, example in zip(parse_words(nlp, examples), examples)
        for arc, gold in zip(parse, annotation(example.reference))
    )
    assert right > 0.5 * sum(len(example.reference) for example in examples)


def test_gold_trees_that_break_rules_can_be_learnt_from() -> None:
    nlp = blank_pipeline(valid="ud")
    examples = read_corpus(nlp, "en_small-train.conllu")[:20]
    for example in examples:
        for token in example.reference:
            if token.dep_ == "punct":
                token.dep_ = "nsubj"
    train(nlp, examples, 2)
    get_parser(nlp).beam = BeamSettings(width=3, update="early")
    train(nlp, examples, 2)
