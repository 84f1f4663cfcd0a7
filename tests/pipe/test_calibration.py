"""A parser calibrated when its training ends."""

from pathlib import Path

import numpy
import pytest
import spacy
from spacy.attrs import SENT_START
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_nlp
from spacy.util import load_config_from_str

from spacy_arceager.cli.configs import make_config
from spacy_arceager.evaluation.calibration import log_loss
from spacy_arceager.pipe.calibration import calibrate, predict
from spacy_arceager.pipe.component import ArcEagerParser
from tests.conftest import DATA, Trained, blank_pipeline, get_parser, read_corpus


def test_the_temperature_has_the_lowest_loss_and_is_kept(english: Trained, tmp_path: Path) -> None:
    nlp = english.copy()
    parser = get_parser(nlp)
    examples = read_corpus(nlp, "en_small-dev.conllu")
    found = calibrate(nlp, examples)
    losses = {temperature: log_loss(*predictions) for temperature, predictions in found.items()}
    assert min(losses, key=lambda temperature: losses[temperature]) == parser.temperature != 1
    assert predict(nlp, parser, [], examples, 1.0) == found[1.0]
    assert not parser.confidence
    nlp.to_disk(tmp_path)
    saved = spacy.load(tmp_path).get_pipe("arceager_parser")
    assert isinstance(saved, ArcEagerParser) and saved.temperature == parser.temperature


def test_graphs_cannot_be_calibrated() -> None:
    nlp = blank_pipeline("de", system={"@misc": "arceager.dag.v1"})
    examples = read_corpus(nlp, "de_enhanced.conllu", limit=5)
    nlp.initialize(lambda: examples)
    with pytest.raises(ValueError, match="builds graphs"):
        calibrate(nlp, examples)


@pytest.mark.slow
def test_a_training_calibrates_what_it_saves(tmp_path: Path) -> None:
    text = make_config("arc_eager", optimize="speed", token_vectors="words", segment=False)
    config = load_config_from_str(text, overrides={
        "paths.train": str(DATA / "en_small-train.conllu"),
        "paths.dev": str(DATA / "en_small-dev.conllu"),
        "training.max_steps": 60, "training.eval_frequency": 30,
    })
    config["training"]["before_to_disk"] = {"@callbacks": "arceager.calibrate.v1"}
    config["components"]["arceager_parser"]["temperature"] = 5.0
    train_nlp(init_nlp(config), tmp_path)
    for name in ("model-best", "model-last"):
        nlp = spacy.load(tmp_path / name)
        parser = get_parser(nlp)
        kept = parser.temperature
        calibrate(nlp, read_corpus(nlp, "en_small-dev.conllu"))
        assert parser.temperature == kept != 5


def test_words_without_a_gold_head_do_not_count(english: Trained) -> None:
    nlp = english.copy()
    examples = read_corpus(nlp, "en_small-dev.conllu", limit=6)
    whole = predict(nlp, get_parser(nlp), [], examples, 1.0)
    n_words = sum(len(example.reference) for example in examples)
    assert len(whole.right) == len(whole.confidences) == n_words
    partial = []
    for example in examples:
        gold = example.reference
        heads = [token.head.i if token.i % 3 else token.i for token in gold]
        deps = [token.dep_ if token.i % 3 else "" for token in gold]
        words = [token.text for token in gold]
        annotated = Doc(nlp.vocab, words, heads=heads, deps=deps)
        one_sentence = numpy.asarray([[1 if i == 0 else -1] for i in range(len(words))])
        annotated.from_array([SENT_START], one_sentence.astype("int64").view("uint64"))
        partial.append(Example(example.predicted, annotated))
    found = predict(nlp, get_parser(nlp), [], partial, 1.0)
    kept = [i for i, token in enumerate(t for e in examples for t in e.reference) if token.i % 3]
    assert found.confidences == [whole.confidences[i] for i in kept]
    assert found.right == [whole.right[i] for i in kept]


def test_without_gold_heads_there_is_nothing_to_calibrate_on(english: Trained) -> None:
    nlp = english.copy()
    bare = Example(nlp.make_doc("She left"), nlp.make_doc("She left"))
    with pytest.raises(ValueError, match="no gold heads"):
        calibrate(nlp, [bare])
