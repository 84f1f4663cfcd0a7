"""The component learns, updates and parses."""

import numpy
import pytest
from spacy.util import fix_random_seed

from tests.conftest import (
    PARSER,
    TINY_MODEL,
    WIDE_MODEL,
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    las,
    parse_words,
    read_corpus,
    train,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


# Training
def test_training_lowers_the_loss_and_learns_the_trees(english: Trained) -> None:
    assert english.losses[-1] < 0.2 * english.losses[0]
    scores = english.nlp.evaluate(english.examples)
    assert scores["dep_las"] > 0.9
    assert scores["dep_multiple_roots"] == 0


def test_training_learns_crossing_arcs(german: Trained) -> None:
    scores = german.nlp.evaluate(german.examples)
    assert scores["dep_las"] > 0.9
    assert scores["dep_nonproj_recall"] > 0.8


def test_training_twice_from_the_same_seed_gives_the_same_parser() -> None:
    pipelines = [blank_pipeline(), blank_pipeline()]
    losses = [
        train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=2) for nlp in pipelines
    ]
    assert losses[0] == losses[1]
    data = [get_parser(nlp).model.to_bytes() for nlp in pipelines]
    assert data[0] == data[1]


def test_update_leaves_the_docs_as_they_are(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)[:8]
    nlp.update(examples, sgd=nlp.resume_training())
    assert not any(example.predicted.has_annotation("DEP") for example in examples)


def test_update_without_optimizer_changes_no_weight(english: Trained) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    before = parser.model.to_bytes()
    losses = parser.update(english.read(nlp)[:8])
    assert losses[PARSER] > 0
    assert parser.model.to_bytes() == before


def test_losses_add_up(english: Trained) -> None:
    parser = get_parser(english.copy())
    losses = {PARSER: 1000.0}
    parser.update(english.examples[:8], losses=losses)
    assert losses[PARSER] > 1000


def test_predict_leaves_the_docs_as_they_are(english: Trained) -> None:
    doc = english.examples[0].predicted.copy()
    get_parser(english.nlp).predict([doc])
    assert not doc.has_annotation("DEP")


def test_resumed_training_goes_on_from_what_was_learnt(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)
    losses = train(nlp, examples, epochs=1, sgd=nlp.resume_training())
    assert losses[0] < 0.5 * english.losses[0]
    assert las(nlp, examples) > 0.9


def test_dropout_changes_the_loss_but_not_the_parse(english: Trained) -> None:
    nlp = english.copy()
    examples = english.read(nlp)[:16]
    before = parse_words(nlp, examples)
    parser = get_parser(nlp)
    fix_random_seed(0)
    losses = [parser.update(examples, drop=drop)[PARSER] for drop in (0.0, 0.5)]
    assert losses[1] > losses[0]
    assert parse_words(nlp, examples) == before


@pytest.mark.parametrize("kind", ["static", "dynamic", "exact"])
def test_every_oracle_trains(kind: str) -> None:
    nlp = blank_pipeline(oracle={"@misc": f"arceager.{kind}_oracle.v1"}, model=WIDE_MODEL)
    losses = train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=4)
    assert losses[-1] < 0.8 * losses[0]


# Batches and processes
@pytest.mark.parametrize("batch_size", [1, 3, 128])
@pytest.mark.parametrize("reverse", [False, True])
def test_the_same_text_gives_the_same_parse_in_every_batch(
    german: Trained, batch_size: int, reverse: bool
) -> None:
    docs = [example.predicted.copy() for example in german.examples]
    alone = [annotation(german.nlp(doc.copy())) for doc in docs]
    if reverse:
        docs, alone = docs[::-1], alone[::-1]
    parsed = german.nlp.pipe(docs, batch_size=batch_size)
    assert [annotation(doc) for doc in parsed] == alone


def test_a_projection_between_tok2vec_and_parser_is_learnt() -> None:
    nlp = blank_pipeline(model={**TINY_MODEL, "projection": 16})
    examples = read_corpus(nlp, "en_small-dev.conllu")
    train(nlp, examples, epochs=18)
    assert get_parser(nlp).model.get_ref("scoring").get_dim("nI") == 16
    assert las(nlp, examples) > 0.9


# What cannot go on
@pytest.mark.parametrize("method", ["predict", "derivations", "k_best", "update"])
def test_a_parser_that_is_not_initialised_says_so(method: str) -> None:
    nlp = blank_pipeline()
    (example, *_) = read_corpus(nlp, "en_small-dev.conllu")
    argument = {"k_best": example.predicted, "update": [example]}.get(method, [example.predicted])
    with pytest.raises(ValueError, match="E109"):
        getattr(get_parser(nlp), method)(argument)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")     # thinc multiplies nan
@pytest.mark.parametrize("beam", [None, {"@misc": "arceager.beam.v1", "update": "early"}])
@pytest.mark.parametrize("number", [float("nan"), float("inf"), 3e38])
@pytest.mark.parametrize(("layer", "param"), [("tok2vec", "b"), ("scoring", "upper_W")])
def test_a_loss_that_is_no_number_ends_the_training_and_leaves_the_weights(
    layer: str, param: str, number: float, beam: dict | None
) -> None:
    nlp = blank_pipeline(beam=beam)
    examples = read_corpus(nlp, "en_small-dev.conllu", limit=8)
    sgd = nlp.initialize(lambda: examples)
    parser = get_parser(nlp)
    for node in parser.model.get_ref(layer).walk():
        if node.has_param(param):
            node.set_param(param, numpy.full_like(node.get_param(param), number))
    before = parser.model.to_bytes()
    with pytest.raises(ValueError, match="'arceager_parser' cannot learn from nan or infinity"):
        nlp.update(examples, sgd=sgd)
    assert parser.model.to_bytes() == before
