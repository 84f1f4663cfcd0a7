"""Labels: from gold trees, from a file, or added one by one."""

from pathlib import Path

import pytest
import srsly
from spacy.tokens import Doc
from spacy.training import Example

from tests.conftest import (
    PARSER,
    Trained,
    assert_one_tree,
    blank_pipeline,
    get_parser,
    las,
    parse_words,
    read_corpus,
    train,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_a_parser_initialised_with_no_labels_parses() -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-dev.conllu")
    get_parser(nlp).initialize(lambda: examples, labels={"labels": []})
    doc = nlp(Doc(nlp.vocab, words=["a"] * 30))
    assert_one_tree([token.head.i for token in doc])


def test_label_data_initialises_without_reading_the_examples(english: Trained) -> None:
    nlp = blank_pipeline()
    parser = get_parser(nlp)
    examples = english.read(nlp)[:2]
    parser.initialize(lambda: examples, labels=get_parser(english.nlp).label_data)
    assert parser.labels == get_parser(english.nlp).labels
    assert parser.label_data == get_parser(english.nlp).label_data


def test_label_data_keeps_added_labels(english: Trained) -> None:
    nlp = blank_pipeline()
    parser = get_parser(nlp)
    parser.add_label("article")
    examples = english.read(nlp)[:2]
    parser.initialize(lambda: examples, labels=get_parser(english.nlp).label_data)
    assert {*parser.labels} == {"article", *get_parser(english.nlp).labels}


def test_labels_of_init_labels_are_read_from_a_config(
    english: Trained, tmp_path: Path
) -> None:
    path = tmp_path / "parser.json"
    srsly.write_json(path, get_parser(english.nlp).label_data)
    nlp = blank_pipeline()
    examples = english.read(nlp)[:2]
    nlp.config["initialize"]["components"] = {
        PARSER: {"labels": {"@readers": "spacy.read_labels.v1", "path": str(path)}}
    }
    nlp.initialize(lambda: examples)
    assert nlp.pipe_labels[PARSER] == english.nlp.pipe_labels[PARSER]


def test_initialize_finds_the_labels_of_the_gold_trees(english: Trained) -> None:
    expected = {
        token.dep_
        for example in english.examples
        for token in example.reference
        if token.head != token
    }
    assert get_parser(english.nlp).labels == tuple(sorted(expected))


def rename(examples: list[Example], old: str, new: str) -> list[Example]:
    """The same Examples, with one label changed in the gold Docs."""
    for example in examples:
        for token in example.reference:
            if token.dep_ == old:
                token.dep_ = new
    return examples


def test_a_label_added_before_training_is_learnt() -> None:
    nlp = blank_pipeline()
    parser = get_parser(nlp)
    assert parser.add_label("article") == 1
    assert parser.add_label("article") == 0
    examples = rename(read_corpus(nlp, "en_small-dev.conllu"), "det", "article")
    train(nlp, examples, epochs=18)
    assert parser.labels.count("article") == 1
    assert las(nlp, examples) > 0.9


def test_a_label_added_to_a_trained_parser_keeps_its_parses(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)
    before = parse_words(nlp, examples)
    parser = get_parser(nlp)
    assert parser.add_label("article") == 1
    assert parser.labels[-1] == "article"
    assert parse_words(nlp, examples) == before


def test_a_label_added_to_a_loaded_parser_is_learnt(english: Trained) -> None:
    nlp = english.copy()
    get_parser(nlp).add_label("article")
    examples = rename(english.read(nlp), "det", "article")
    sgd = nlp.resume_training()
    sgd.learn_rate = 0.01
    train(nlp, examples, epochs=4, sgd=sgd)
    assert nlp.evaluate(examples)["dep_las_per_type"]["article"]["f"] > 0.9


def test_a_label_added_in_the_middle_of_a_training_is_learnt() -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-dev.conllu")
    sgd = nlp.initialize(lambda: examples)
    sgd.learn_rate = 0.01
    train(nlp, examples, epochs=5, sgd=sgd)
    get_parser(nlp).add_label("article")
    train(nlp, rename(examples, "det", "article"), epochs=20, sgd=sgd)
    assert nlp.evaluate(examples)["dep_las_per_type"]["article"]["f"] > 0.9


def test_an_added_label_survives_saving(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    parser.add_label("article")
    loaded = get_parser(blank_pipeline()).from_bytes(parser.to_bytes())
    assert loaded.labels == parser.labels
    assert loaded.model.to_bytes() == parser.model.to_bytes()


def test_a_label_that_utf_8_cannot_write_is_refused() -> None:
    parser = get_parser(blank_pipeline())
    with pytest.raises(ValueError, match="'arceager_parser' has the label .*UTF-8 cannot write"):
        parser.add_label("\ud800")
