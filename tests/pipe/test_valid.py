"""The setting `valid`: what it refuses, that it can change, and training with it."""

import pickle
from random import Random

import pytest
from spacy.tokens import Doc

import spacy_arceager
from spacy_arceager.annotation.projective import undecorated
from spacy_arceager.search.settings import BeamSettings
from tests.conftest import (
    Trained,
    annotation,
    assert_one_tree,
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


def test_it_can_be_pickled(english: Trained) -> None:
    nlp = english.copy()
    get_parser(nlp).valid = "ud"
    examples = read_corpus(nlp, "en_small-dev.conllu")[:20]
    copy = pickle.loads(pickle.dumps(nlp))
    assert get_parser(copy).valid == "ud"
    assert parse_words(copy, examples) == parse_words(nlp, examples)


def test_a_doc_that_is_parsed_again_stays_the_same() -> None:
    system = {"@misc": "arceager.named_system.v1", "name": "arc_eager_nm", "segment": True}
    nlp = blank_pipeline(system=system)
    examples = read_corpus(nlp, "en_small-train.conllu", sentences_per_doc=4)
    train(nlp, examples[:8], epochs=3)
    get_parser(nlp).valid = "ud"
    for example in examples:
        doc = Doc(nlp.vocab, [token.text for token in example.reference],
                  pos=[token.pos_ for token in example.reference])
        once = annotation(nlp(doc))
        assert annotation(nlp(doc)) == once


@pytest.mark.parametrize("beam", [None, BeamSettings(width=4)])
def test_rules_yield_to_a_label_that_is_asked_for(beam: BeamSettings | None) -> None:
    """Few labels fit a noun with a determiner, but a tree is found for each, and its derivation."""
    nlp = spacy_arceager.load("en")
    parser = get_parser(nlp)
    parser.valid, parser.beam, parser.confidence = "ud", beam, True
    names = {undecorated(label) for label in parser.labels}
    for label in sorted(names - {"ROOT"}):
        doc = nlp.make_doc("She saw the man with a telescope.")
        doc._.arceager_fixed_arcs = [(6, None, label)]
        doc = nlp(doc)
        assert doc[6].dep_ == label
        assert_one_tree([token.head.i for token in doc])
        assert doc[6]._.arceager_confidence is not None
        (derivation,), = parser.derivations([doc])
        assert derivation.words == [*range(len(doc))]
