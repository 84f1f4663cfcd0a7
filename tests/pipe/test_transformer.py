"""The parser on a transformer: a tiny one whose weights are random at the start."""

import shutil
from pathlib import Path
from string import ascii_letters, digits, punctuation

import numpy
import pytest
import spacy
import srsly
from numpy.typing import NDArray
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config_from_str

from spacy_arceager.cli.configs import make_config
from tests.conftest import DATA, PARSER, assert_one_tree, parse_words, read_corpus

pytest.importorskip("spacy_transformers")
transformers = pytest.importorskip("transformers")

CONFIG = make_config(optimize="transformer")
TRAIN, DEV = "en_small-train.conllu", "en_small-dev.conllu"
N_TREES = 12


def save_tiny_bert(folder: Path) -> None:
    """Two layers of width 32; the pieces of a word are its letters."""
    letters = ascii_letters + digits + punctuation
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters]
    pieces += [f"##{letter}" for letter in letters]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(pieces))
    tokenizer = transformers.BertTokenizerFast(
        str(folder / "vocab.txt"), model_max_length=512
    )
    tokenizer.save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
    )
    transformers.BertModel(config).save_pretrained(folder)


def encoder_matrices(nlp: Language, gradients: bool = False) -> dict[str, NDArray]:
    """The weight matrices of the transformer's layers, or their gradients, copied."""
    bert = nlp.get_pipe("transformer").model.transformer
    return {
        name: (weights.grad if gradients else weights).detach().numpy().copy()
        for name, weights in bert.encoder.named_parameters()
        if weights.dim() == 2
    }


class TrainedOnTransformer:
    """The pipeline of `init-config --optimize transformer` after 30 steps on 12 trees."""

    def __init__(self, folder: Path, rate: float = 0.05):
        save_tiny_bert(folder / "bert")
        overrides = {
            "paths.train": str(DATA / TRAIN),
            "paths.dev": str(DATA / DEV),
            "corpora.train.limit": N_TREES,
            "components.transformer.model.name": str(folder / "bert"),
            "training.optimizer.pytorch_rate": rate,
            "training.max_steps": 30,
            "training.eval_frequency": 10,
            "training.optimizer.learn_rate.warmup_steps": 5,
            "training.optimizer.learn_rate.initial_rate": 0.005,
        }
        config = load_config_from_str(CONFIG, overrides)
        config["training"]["logger"] = {
            "@loggers": "spacy.ConsoleLogger.v3",
            "console_output": False,
            "output_file": str(folder / "log.jsonl"),
        }
        nlp = init_nlp(config)
        shutil.rmtree(folder / "bert")
        self.before = encoder_matrices(nlp)
        self.nlp, self.path = train(nlp, folder)
        log = srsly.read_jsonl(folder / "log.jsonl")
        self.losses = [row["losses"][PARSER] for row in log][1:]    # of 10 steps each


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> TrainedOnTransformer:
    return TrainedOnTransformer(tmp_path_factory.mktemp("transformer"))


def test_spacy_train_with_the_shipped_config_lowers_the_loss(
    trained: TrainedOnTransformer,
) -> None:
    assert trained.losses[-1] < 0.7 * trained.losses[0]


def test_training_reaches_every_layer_of_the_transformer(
    trained: TrainedOnTransformer,
) -> None:
    after = encoder_matrices(trained.nlp)
    assert len(after) == 12
    for name, weights in trained.before.items():
        assert numpy.abs(after[name] - weights).max() > 0.001, name
    nlp = spacy.load(trained.path)
    nlp.update(read_corpus(nlp, TRAIN, limit=N_TREES), sgd=False)
    for name, gradient in encoder_matrices(nlp, gradients=True).items():
        assert gradient.any(), name


def test_a_transformer_may_stay_as_it_is(tmp_path: Path) -> None:
    trained = TrainedOnTransformer(tmp_path, rate=0.0)
    assert trained.losses[-1] < 0.7 * trained.losses[0]
    after = encoder_matrices(trained.nlp)
    for name, weights in trained.before.items():
        assert numpy.array_equal(after[name], weights), name


def test_parses_over_a_transformer_are_one_tree_a_sentence(
    trained: TrainedOnTransformer,
) -> None:
    for parse in parse_words(trained.nlp, read_corpus(trained.nlp, DEV)):
        assert_one_tree([head for head, _, _ in parse])


def test_docs_without_words_and_longer_than_the_transformer_reads_are_parsed(
    trained: TrainedOnTransformer,
) -> None:
    texts = ["", "All is well.", " \n", "We met in May. " * 300]
    docs = list(trained.nlp.pipe(texts))
    assert [doc.text for doc in docs] == texts
    for doc in docs[1::2]:
        assert_one_tree([token.head.i for token in doc])


def test_a_saved_pipeline_needs_no_other_file_and_parses_the_same(
    trained: TrainedOnTransformer,
) -> None:
    loaded = spacy.load(trained.path)
    examples = read_corpus(trained.nlp, DEV)
    assert parse_words(loaded, examples) == parse_words(trained.nlp, examples)
