"""Writes tiny encoders as Hugging Face publishes them."""

import json
from pathlib import Path
from typing import Any

import numpy
from safetensors.numpy import save_file

from spacy_arceager.pretrained.making.hugging_face import CONFIG, TOKENIZER, WEIGHTS
from spacy_arceager.pretrained.making.weights import EncoderWeights

from .tiny import make_weights
from .tiny_tokenizers import TOKENIZERS

N_LAYERS = 2
# Where each family has the parts of a block.
BERT_BLOCK = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "output": "attention.output.dense", "attention_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense", "outer": "output.dense", "norm": "output.LayerNorm",
}
DISTILBERT_BLOCK = {
    "query": "attention.q_lin", "key": "attention.k_lin", "value": "attention.v_lin",
    "output": "attention.out_lin", "attention_norm": "sa_layer_norm",
    "inner": "ffn.lin1", "outer": "ffn.lin2", "norm": "output_layer_norm",
}
ROBERTA_PAD = 1


def name_weights(weights: EncoderWeights, family: str, prefix: str) -> dict[str, numpy.ndarray]:
    """The weights by the names that a family gives them."""
    distil = family == "distilbert"
    tensors = {"embeddings.word_embeddings.weight": weights.embeddings}
    positions = weights.positions
    if not distil:
        segments = numpy.random.default_rng(5).standard_normal((2, weights.width)).astype("f")
        tensors["embeddings.token_type_embeddings.weight"] = segments
        positions = positions - segments[0]
    if family in ("roberta", "xlm-roberta"):    # the first positions stand for padding
        positions = numpy.concatenate([positions[: ROBERTA_PAD + 1] * 7, positions])
    tensors["embeddings.position_embeddings.weight"] = positions
    parts: dict[str, Any] = {"embeddings.LayerNorm": weights.norm}
    for number, block in enumerate(weights.blocks):
        start = f"transformer.layer.{number}." if distil else f"encoder.layer.{number}."
        names = DISTILBERT_BLOCK if distil else BERT_BLOCK
        parts |= {start + name: getattr(block, part) for part, name in names.items()}
    for name, part in parts.items():
        is_norm = hasattr(part, "gain")
        tensors[f"{name}.weight"] = part.gain if is_norm else part.weight.T
        tensors[f"{name}.bias"] = part.bias
    return {prefix + name: numpy.ascontiguousarray(array) for name, array in tensors.items()}


def make_config(family: str) -> dict[str, Any]:
    if family == "distilbert":
        return {"model_type": family, "n_heads": 4, "n_layers": N_LAYERS, "activation": "gelu"}
    return {"model_type": family, "num_attention_heads": 4, "num_hidden_layers": N_LAYERS,
            "hidden_act": "gelu", "layer_norm_eps": 1e-3}


def write_folder(
    folder: Path, family: str = "bert", prefix: str = "", config: dict[str, Any] | None = None,
    tensors: dict[str, numpy.ndarray] | None = None,
) -> None:
    """Write the folder of an encoder with random weights.

    Args:
        prefix: what the names of all weights begin with.
        config: other settings. None leaves one out.
        tensors: other weights. One of size 0 is left out.
    """
    tokenizer = TOKENIZERS[family]()
    weights = make_weights(tokenizer.get_vocab_size() + 3, N_LAYERS)
    values = make_config(family) | (config or {})
    values = {name: value for name, value in values.items() if value is not None}
    arrays = name_weights(weights, family, prefix) | (tensors or {})
    folder.mkdir(exist_ok=True)
    (folder / CONFIG).write_text(json.dumps(values))
    save_file({name: array for name, array in arrays.items() if array.size}, folder / WEIGHTS)
    tokenizer.save(str(folder / TOKENIZER))
