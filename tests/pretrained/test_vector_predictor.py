"""The component `arceager_vector_predictor`: its loss, and that parsing does not need it."""

import shutil
from pathlib import Path

import numpy
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import fix_random_seed, load_config_from_str
from thinc.api import Model

from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.pipe.vector_predictor import VectorPredictor
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.frozen_encoder import build_frozen_encoder
from tests.conftest import DATA, TINY_TOK2VEC, annotation

FACTORY = "arceager_vector_predictor"
MODEL = {"@architectures": "arceager.VectorPredictor.v1", "tok2vec": TINY_TOK2VEC}
TEXTS = ["She reads books .", "He sings", ""]


@pytest.fixture
def folder(encoder: EncoderFiles, tmp_path: Path) -> Path:
    encoder.save(tmp_path / "tiny")
    return tmp_path / "tiny"


def add_predictor(nlp: Language, folder: Path | None, weight: float = 0.5) -> VectorPredictor:
    layer = {"@architectures": "arceager.FrozenEncoder.v1", "path": folder and str(folder)}
    config = {"model": MODEL, "encoder": layer, "weight": weight}
    predictor = nlp.add_pipe(FACTORY, name="predictor", config=config)
    assert isinstance(predictor, VectorPredictor)
    return predictor


def examples_of(nlp: Language) -> list[Example]:
    docs = [Doc(nlp.vocab, words=text.split()) for text in TEXTS]
    return [Example(doc, doc.copy()) for doc in docs]


def test_loss_is_the_squared_distance(folder: Path) -> None:
    nlp = spacy.blank("xx")
    predictor = add_predictor(nlp, folder, weight=0.5)
    examples = examples_of(nlp)
    nlp.initialize(lambda: examples)
    truths = predictor.encoder.predict([example.predicted for example in examples])
    every = numpy.concatenate(truths)
    generator = numpy.random.default_rng(0)
    scores = [generator.normal(size=truth.shape).astype("f") for truth in truths]
    loss, gradients = predictor.get_loss(examples, scores)
    slow = 0.0
    for score, truth, gradient in zip(scores, truths, gradients):
        for word in range(len(score)):
            for i in range(score.shape[1]):
                wanted = (truth[word, i] - every[:, i].mean()) / every[:, i].std()
                slow += 0.5 * (score[word, i] - wanted) ** 2 / 2
                assert gradient[word, i] == pytest.approx(
                    0.5 * (score[word, i] - wanted), abs=0.01
                )
    assert loss == pytest.approx(slow, rel=0.01)


def test_gradient_is_the_slope_of_the_loss(folder: Path) -> None:
    nlp = spacy.blank("xx")
    predictor = add_predictor(nlp, folder)
    examples = examples_of(nlp)
    nlp.initialize(lambda: examples)
    scores = [numpy.zeros((len(e.predicted), 32), dtype="f") for e in examples]
    _, gradients = predictor.get_loss(examples, scores)
    for word, i in ((0, 0), (1, 5), (3, 31)):
        losses = []
        for step in (-0.01, 0.01):
            moved = [score.copy() for score in scores]
            moved[0][word, i] += step
            losses.append(predictor.get_loss(examples, moved)[0])
        assert gradients[0][word, i] == pytest.approx((losses[1] - losses[0]) / 0.02, abs=0.01)


def test_it_learns(folder: Path) -> None:
    nlp = spacy.blank("xx")
    add_predictor(nlp, folder)
    examples = examples_of(nlp)
    fix_random_seed(0)
    optimizer = nlp.initialize(lambda: examples)
    losses = [nlp.update(examples, sgd=optimizer, losses={})["predictor"] for _ in range(60)]
    assert losses[-1] < losses[0] / 4


@pytest.fixture
def trained(folder: Path) -> Language:
    """A parser trained with the component; the encoder's folder is gone."""
    paths = {f"paths.{name}": str(DATA / f"en_small-{name}.conllu") for name in ("train", "dev")}
    text = make_config(optimize="speed", pretrained=str(folder))
    nlp = init_nlp(load_config_from_str(text, overrides=paths))
    corpus = [*ConlluCorpus(DATA / "en_small-train.conllu", limit=12)(nlp)]
    optimizer = nlp.create_optimizer()
    for _ in range(3):
        losses = nlp.update(corpus, sgd=optimizer, losses={})
    assert losses["vector_predictor"] > 0
    shutil.rmtree(folder)
    return nlp


def test_parsing_needs_neither_encoder_nor_component(trained: Language, tmp_path: Path) -> None:
    trained.to_disk(tmp_path / "pipeline")
    words = ["She", "reads", "old", "books", "."]
    parses = []
    for excluded in ((), ("vector_predictor",)):
        nlp = spacy.load(tmp_path / "pipeline", exclude=excluded)
        parses.append(annotation(nlp(Doc(nlp.vocab, words=words))))
    assert parses == [annotation(trained(Doc(trained.vocab, words=words)))] * 2


def test_what_it_has_learnt_is_saved(
    trained: Language, encoder: EncoderFiles, folder: Path, tmp_path: Path
) -> None:
    """The encoder is not; training goes on where its folder is."""
    trained.to_disk(tmp_path / "pipeline")
    nlp = spacy.load(tmp_path / "pipeline")
    before, after = (each.get_pipe("vector_predictor") for each in (trained, nlp))
    for name in ("mean", "spread"):
        assert numpy.allclose(before.cfg[name], after.cfg[name], rtol=1e-6)
    for name in ("W", "b"):
        layers = [predictor.model.get_ref("output") for predictor in (before, after)]
        assert numpy.array_equal(*(layer.get_param(name) for layer in layers))
    corpus = [*ConlluCorpus(DATA / "en_small-train.conllu", limit=3)(nlp)]
    optimizer = nlp.resume_training()
    with pytest.raises(ValueError, match=r"tiny"):
        nlp.update(corpus, sgd=optimizer)
    encoder.save(folder)
    assert nlp.update(corpus, sgd=optimizer, losses={})["vector_predictor"] > 0


def test_wrong_settings_are_named(folder: Path) -> None:
    with pytest.raises(ValueError, match="weight=-1"):
        add_predictor(spacy.blank("xx"), folder, weight=-1)
    nlp = spacy.blank("xx")
    add_predictor(nlp, None)
    with pytest.raises(ValueError, match="path of the frozen encoder is null"):
        nlp.initialize(lambda: examples_of(nlp))
    encoder = build_frozen_encoder(folder, mixture="learned")
    with pytest.raises(ValueError, match="weights to learn, mixture, scale, but nothing"):
        VectorPredictor(
            nlp.vocab, Model("none", lambda *_: None), "predictor", encoder=encoder, weight=1.0
        )
    nlp = spacy.blank("xx")
    add_predictor(nlp, folder)
    empty = Doc(nlp.vocab, words=[])
    with pytest.raises(ValueError, match="no words"):
        nlp.initialize(lambda: [Example(empty, empty.copy())])
