"""The parser on a transformer. Tiny ones with random weights stand in for trained ones."""

import shutil
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.schemas import ConfigSchemaTraining
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import load_config, registry

from tests.conftest import DATA, PARSER, assert_one_tree, parse_words, read_corpus

pytest.importorskip("torch")

CONFIG = Path(__file__).parents[1] / "configs" / "transformer.cfg"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [*string.ascii_letters, *string.digits, *string.punctuation]


def hugging_face(folder: Path) -> dict[str, Any]:
    """The config with a BERT for the package spacy-transformers, saved in the folder."""
    pytest.importorskip("spacy_transformers")
    transformers = pytest.importorskip("transformers")
    pieces = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(pieces))
    transformers.BertTokenizerFast(str(vocabulary)).save_pretrained(folder)
    bert = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    transformers.BertModel(bert).save_pretrained(folder)
    return load_config(CONFIG, {"components.transformer.model.name": str(folder)})


def curated(folder: Path) -> dict[str, Any]:
    """The config with a BERT of the package spacy-curated-transformers."""
    pytest.importorskip("spacy_curated_transformers")
    pieces = [*SPECIAL, *LETTERS]
    (folder / "pieces.txt").write_text("\n".join(pieces))
    config = load_config(CONFIG)
    config["components"]["transformer"] = {
        "factory": "curated_transformer",
        "model": {
            "@architectures": "spacy-curated-transformers.BertTransformer.v1",
            "vocab_size": len(pieces),
            "hidden_width": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_width": 64,
            "piece_encoder": {"@architectures": "spacy-curated-transformers.CharEncoder.v1"},
            "with_spans": {
                "@architectures": "spacy-curated-transformers.WithStridedSpans.v1"
            },
        },
    }
    config["components"][PARSER]["model"]["tok2vec"] = {
        "@architectures": "spacy-curated-transformers.LastTransformerLayerListener.v1",
        "width": 32,
        "pooling": {"@layers": "reduce_mean.v1"},
    }
    config["initialize"] = {
        "components": {
            "transformer": {
                "piecer_loader": {
                    "@model_loaders": "spacy-curated-transformers.CharEncoderLoader.v1",
                    "path": str(folder / "pieces.txt"),
                }
            }
        }
    }
    return config


class TrainedOnTransformer:
    """A pipeline that has learnt 12 trees; the transformer's weights before and after."""

    def __init__(self, make_config: Callable[[Path], dict[str, Any]], folder: Path):
        config = make_config(folder)
        config["paths"] = {"train": str(DATA / "en_small-train.conllu"), "dev": None}
        config["corpora"]["train"]["limit"] = 12
        config["training"]["optimizer"]["learn_rate"] = 0.003
        self.nlp = init_nlp(config)
        shutil.rmtree(folder)
        self.examples = read_corpus(self.nlp, "en_small-train.conllu", limit=12)
        settings = registry.resolve(self.nlp.config.interpolate()["training"], schema=ConfigSchemaTraining)
        self.before = self.weights()
        self.losses = []
        for _ in range(30):
            pass
