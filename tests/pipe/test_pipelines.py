"""The parser among other components: frozen, after a senter, on a shared tok2vec."""

from collections.abc import Callable
from pathlib import Path

import pytest
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, load_model_from_config, minibatch
from thinc.api import Config

from tests.conftest import (
    PARSER,
    Trained,
    blank_pipeline,
    get_parser,
    parse_words,
    read_corpus,
    train,
)
from tests.round_trips import through_bytes, through_disk

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_a_frozen_parser_is_not_trained(english: Trained) -> None:
    nlp = english.copy()
    tagger = nlp.add_pipe("tagger", first=True)
    examples = english.read(nlp)[:32]
    tagger.initialize(lambda: examples, nlp=nlp)
    before = get_parser(nlp).model.to_bytes()
    losses: dict[str, float] = {}
    nlp.update(
        examples, sgd=nlp.resume_training(), losses=losses, exclude=[PARSER], annotates=[PARSER]
    )
    assert set(losses) == {"tagger"}
    assert get_parser(nlp).model.to_bytes() == before


def test_boundaries_of_an_annotating_senter_are_kept() -> None:
    nlp = blank_pipeline()
    nlp.add_pipe("senter", first=True)
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=3)
    fix_random_seed(0)
    sgd = nlp.initialize(lambda: examples)
    sgd.learn_rate = 0.01
    for _ in range(16):
        for batch in minibatch(examples, 4):
            nlp.update(batch, sgd=sgd, annotates=["senter"])
    scores = nlp.evaluate(examples)
    assert scores["sents_f"] > 0.9
    assert scores["dep_las"] > 0.8
    doc = nlp(examples[0].text)
    with nlp.select_pipes(enable="senter"):
        expected = nlp(examples[0].text)
    assert [sent.text for sent in doc.sents] == [sent.text for sent in expected.sents]
    assert all(sum(t.head == t for t in sent) == 1 for sent in doc.sents)


SHARED = """
[nlp]
lang = "en"
pipeline = ["tok2vec", "tagger", "arceager_parser"]

[components]

[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 32
depth = 1
embed_size = 200
window_size = 1
maxout_pieces = 2
subword_features = true

[components.tagger]
factory = "tagger"

[components.tagger.model]
@architectures = "spacy.Tagger.v2"

[components.tagger.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 32

[components.arceager_parser]
factory = "arceager_parser"

[components.arceager_parser.model]
@architectures = "arceager.TransitionModel.v1"
hidden_width = 32

[components.arceager_parser.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 32
"""


@pytest.fixture(scope="module")
def shared() -> Language:
    """A tagger and a parser on one tok2vec."""
    nlp = load_model_from_config(Config().from_str(SHARED), auto_fill=True)
    train(nlp, read_corpus(nlp, "en_small-dev.conllu"), epochs=18)
    return nlp


def test_a_shared_tok2vec_learns_for_tagger_and_parser(shared: Language) -> None:
    scores = shared.evaluate(read_corpus(shared, "en_small-dev.conllu"))
    assert scores["dep_las"] > 0.9
    assert scores["tag_acc"] > 0.9


def test_the_parser_trains_a_shared_tok2vec(shared: Language) -> None:
    nlp = through_bytes(shared, Path())
    before = nlp.get_pipe("tok2vec").model.to_bytes()
    examples = read_corpus(nlp, "en_small-dev.conllu")
    sgd = nlp.resume_training()
    # spaCy applies the gradient of a shared tok2vec in the next update.
    for _ in range(2):
        nlp.update(examples, sgd=sgd, exclude=["tagger"])
    assert nlp.get_pipe("tok2vec").model.to_bytes() != before


@pytest.mark.parametrize("round_trip", [through_bytes, through_disk])
def test_a_pipeline_with_a_shared_tok2vec_is_saved_and_loaded(
    round_trip: Callable[[Language, Path], Language], shared: Language, tmp_path: Path
) -> None:
    loaded = round_trip(shared, tmp_path / "model")
    examples = read_corpus(shared, "en_small-train.conllu", limit=20)
    assert parse_words(loaded, examples) == parse_words(shared, examples)


def test_a_listener_can_be_replaced_by_a_copy_of_its_tok2vec(
    shared: Language, tmp_path: Path
) -> None:
    nlp = through_bytes(shared, Path())
    examples = read_corpus(nlp, "en_small-dev.conllu")
    before = parse_words(nlp, examples)
    nlp.replace_listeners("tok2vec", PARSER, ["model.tok2vec"])
    assert parse_words(nlp, examples) == before
    assert parse_words(through_disk(nlp, tmp_path / "model"), examples) == before


def test_a_batch_without_trees_for_the_parser_does_not_keep_others_from_learning(
    shared: Language,
) -> None:
    nlp = through_bytes(shared, Path())
    parser, tok2vec = get_parser(nlp), nlp.get_pipe("tok2vec").model
    parser.non_projective = "skip"
    label = parser.labels[0]
    annotation = {"tags": [nlp.get_pipe("tagger").labels[0]] * 4, "heads": [2, 3, 3, 3],
                  "deps": [label, label, label, "ROOT"]}
    crossing = [Example.from_dict(Doc(nlp.vocab, ["a", "b", "c", "d"]), annotation)]
    nlp.update(crossing, sgd=False)
    assert any(
        node.get_grad(name).any()
        for node in tok2vec.walk() for name in node.param_names if node.has_grad(name)
    )
