"""What a parser takes and gives: labels in any Vocab, label data, parses of other Docs."""

import copy
import pickle
import tempfile
from pathlib import Path

import pytest
import spacy
from spacy.cli._util import app
from spacy.language import Language
from spacy.tokens import Doc
from spacy.tokens.underscore import Underscore
from thinc.api import Config
from typer.testing import CliRunner

from tests.conftest import (
    PARSER,
    TINY_TOK2VEC,
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    read_corpus,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


WORDS = ["The", "letters", "that", "she", "wrote", "arrived", "late", "."]


def sourced(nlp: Language) -> Language:
    other = spacy.blank("xx")
    other.add_pipe(PARSER, source=nlp)
    return other


def through_bytes(nlp: Language) -> Language:
    other = blank_pipeline()
    get_parser(other).from_bytes(get_parser(nlp).to_bytes(exclude=["vocab"]))
    return other


def through_pickle(nlp: Language) -> Language:
    return pickle.loads(pickle.dumps(nlp))


def assembled(nlp: Language) -> Language:
    with tempfile.TemporaryDirectory() as folder:
        config, result = Path(folder, "config.cfg"), Path(folder, "assembled")
        nlp.to_disk(Path(folder, "trained"))
        Config({
            "nlp": {"lang": nlp.lang, "pipeline": [PARSER]},
            "components": {PARSER: {"source": str(Path(folder, "trained"))}},
        }).to_disk(config)
        done = CliRunner().invoke(app, ["assemble", str(config), str(result)])
        assert done.exit_code == 0, done.output
        return spacy.load(result)


@pytest.mark.slow
@pytest.mark.parametrize(
    "travel", [sourced, assembled, through_bytes, through_pickle, copy.deepcopy]
)
def test_labels_are_known_wherever_a_parser_goes(english: Trained, travel) -> None:
    there = travel(english.copy())      # has never parsed
    doc = there(Doc(there.vocab, words=WORDS))
    expected = annotation(english.nlp(Doc(english.nlp.vocab, words=WORDS)))
    assert annotation(doc) == expected
    assert doc.to_json()["tokens"]
    elsewhere = Doc(spacy.blank("xx").vocab, words=WORDS)
    assert annotation(get_parser(there)(elsewhere)) == expected


def test_a_parser_with_replaced_listeners_can_be_sourced() -> None:
    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec", config={"model": TINY_TOK2VEC})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32, "upstream": "*"}
    nlp.add_pipe(PARSER, config={"model": {"hidden_width": 32, "tok2vec": listener}})
    examples = read_corpus(nlp, "en_small-train.conllu", limit=8)
    sgd = nlp.initialize(lambda: examples)
    for _ in range(3):
        nlp.update(examples, sgd=sgd)
    expected = annotation(nlp(Doc(nlp.vocab, words=WORDS)))
    nlp.replace_listeners("tok2vec", PARSER, ["model.tok2vec"])
    for there in (nlp, sourced(nlp), sourced(sourced(nlp))):
        doc = there(Doc(there.vocab, words=WORDS))
        assert annotation(doc) == expected
        assert all(token.dep_ for token in doc)


def test_labels_have_no_marks_but_label_data_has(german: Trained) -> None:
    parser = get_parser(german.nlp)
    assert not any("||" in label for label in parser.labels)
    assert any("||" in label for label in parser.label_data["labels"])
    assert german.nlp.pipe_labels[PARSER] == list(parser.labels)


def test_trees_of_k_best_are_those_of_docs(german: Trained) -> None:
    parser = get_parser(german.nlp)
    for example in german.examples:
        [trees] = parser.k_best(example.predicted.copy(), width=1)
        doc = german.nlp(example.predicted.copy())
        assert trees[0].heads == [token.head.i for token in doc]
        assert trees[0].labels == [token.dep_ for token in doc]


def test_a_parse_of_another_doc_is_refused(english: Trained) -> None:
    parser = get_parser(english.nlp)
    doc = Doc(english.nlp.vocab, words=WORDS)
    [parse] = parser.predict([doc])
    for words in (WORDS[:3], WORDS * 100, []):
        with pytest.raises(ValueError, match="a parse of 8 tokens"):
            parser.set_annotations([Doc(english.nlp.vocab, words=words)], [parse])


@pytest.mark.parametrize("label", ["a||b", "a||b||c", "||"])
def test_gold_labels_like_marks_are_refused(label: str) -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-dev.conllu", limit=3)
    examples[1].reference[1].dep_ = label
    with pytest.raises(ValueError, match=r"label '[a|bc]+' of .* in the gold Doc"):
        nlp.initialize(lambda: examples)


@pytest.mark.slow
@pytest.mark.parametrize(
    "data", [{"labels": "abc"}, {"labels": ["a", "a"]}, {"labels": [""]}, {"labels": [1]},
             {"labels": [None]}, {"labels": 5}, {}, ["a"], {"labels": ["a||b||c"]}]
)
def test_wrong_label_data_is_refused(data) -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-dev.conllu", limit=2)
    with pytest.raises(ValueError, match=f"'{PARSER}'"):
        get_parser(nlp).initialize(lambda: examples, labels=data)


def test_initialize_again_with_other_labels_after_an_update() -> None:
    nlp = blank_pipeline()
    examples = read_corpus(nlp, "en_small-dev.conllu", limit=4)
    sgd = nlp.initialize(lambda: examples)
    parser = get_parser(nlp)
    parser.update(examples)
    parser.initialize(lambda: examples, labels={"labels": ["a", "b"]})
    assert parser.update(examples, sgd=sgd)[PARSER] > 0


def test_extensions_can_go_to_processes_that_are_spawned() -> None:
    # nlp.pipe hands these to its processes, which know nothing where they are not forked.
    names = ("doc_extensions", "span_extensions", "token_extensions")
    kinds = [getattr(Underscore, name) for name in names]
    own = [{key: kind[key] for key in kind if key.startswith("arceager_")} for kind in kinds]
    assert all(own)
    assert pickle.loads(pickle.dumps(own)) == own
