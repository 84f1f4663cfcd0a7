"""Folders of Hugging Face give the encoder that they describe, or a message in plain words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from safetensors.numpy import load_file, save_file

from spacy_arceager.pretrained.making.hugging_face import (
    CONFIG,
    FAMILIES,
    TOKENIZER,
    WEIGHTS,
    read_hugging_face,
    read_safetensors,
)
from spacy_arceager.pretrained.making.weights import EncoderWeights
from spacy_arceager.pretrained.runner import Runner
from tests.pretrained import numpy_encoder
from tests.pretrained.hugging_face_folder import N_LAYERS, write_folder
from tests.pretrained.tiny import make_weights
from tests.pretrained.tiny_tokenizers import TOKENIZERS

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a folder and return its path."""

    def write_here(*arguments: Any, **others: Any) -> Path:
        write_folder(tmp_path, *arguments, **others)
        return tmp_path

    return write_here


@pytest.mark.parametrize("prefix", ["", "model."])
@pytest.mark.parametrize("family", TOKENIZERS)
def test_each_family_equals_the_slow_twin(write: Write, family: str, prefix: str) -> None:
    source = read_hugging_face(write(family, prefix))
    weights = make_weights(TOKENIZERS[family]().get_vocab_size() + 3, N_LAYERS)
    epsilon = 1e-12 if family == "distilbert" else 1e-3
    assert source.weights.epsilon == epsilon and source.family == family
    weights = EncoderWeights(weights.embeddings, weights.positions, weights.norm, weights.blocks,
                             4, epsilon)
    runner = Runner(source.to_files())
    assert runner.files.meta.max_pieces == len(weights.positions)
    rng = numpy.random.default_rng(1)
    for length in (2, 9, len(weights.positions)):
        pieces = rng.integers(0, len(weights.embeddings), length)
        (vectors,) = runner.encode([pieces], [0, 1, 2])
        expected = numpy_encoder.run(weights, pieces).swapaxes(0, 1)
        numpy.testing.assert_allclose(vectors, expected, atol=2e-5)


def test_names_of_the_first_encoders_are_read(write: Write) -> None:
    """Google's own files call the weights of the layer normalisation gamma and beta."""
    folder = write("bert")
    expected = read_hugging_face(folder).weights
    tensors = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma")
        .replace("LayerNorm.bias", "LayerNorm.beta"): array
        for name, array in load_file(folder / WEIGHTS).items()
    }
    assert "embeddings.LayerNorm.gamma" in tensors
    save_file(tensors, folder / WEIGHTS)
    found = read_hugging_face(folder).weights
    numpy.testing.assert_array_equal(found.norm.gain, expected.norm.gain)
    numpy.testing.assert_array_equal(found.blocks[1].norm.bias, expected.blocks[1].norm.bias)


@pytest.mark.parametrize("family", TOKENIZERS)
def test_special_pieces_are_those_of_the_tokenizer(write: Write, family: str) -> None:
    source = read_hugging_face(write(family))
    vocabulary = TOKENIZERS[family]().get_vocab()
    names = ("[CLS]", "[SEP]", "[PAD]", "[UNK]") if "bert" in family and "[CLS]" in vocabulary \
        else ("<s>", "</s>", "<pad>", "<unk>")
    assert (source.bos, source.eos, source.pad, source.unk) == tuple(map(vocabulary.get, names))


def test_every_family_is_tested() -> None:
    assert {*TOKENIZERS, "camembert"} == set(FAMILIES)     # CamemBERT is RoBERTa for French


def test_half_floats_are_read(tmp_path: Path) -> None:
    values = numpy.array([[1.5, -2.0], [0.25, 3e-5]], dtype="f")
    save_file({"half": values.astype("f2"), "double": values.astype("d"),
               "integers": numpy.arange(3)}, tmp_path / "file", metadata={"format": "pt"})
    arrays = read_safetensors(tmp_path / "file")
    assert set(arrays) == {"half", "double"}
    numpy.testing.assert_array_equal(arrays["half"], values.astype("f2").astype("f"))
    numpy.testing.assert_array_equal(arrays["double"], values)
    upper = (values.view("<u4") >> 16).astype("<u2")     # bfloat16, which NumPy does not have
    header = json.dumps({"b": {"dtype": "BF16", "shape": [2, 2], "data_offsets": [0, 8]}}).encode()
    (tmp_path / "file").write_bytes(len(header).to_bytes(8, "little") + header + upper.tobytes())
    numpy.testing.assert_allclose(read_safetensors(tmp_path / "file")["b"], values, rtol=2**-7)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, TOKENIZER])
def test_missing_and_damaged_files_are_named(write: Write, name: str) -> None:
    folder = write()
    (folder / name).write_bytes(b"\x05nothing of use")
    with pytest.raises(ValueError, match=f"{name} cannot be read"):
        read_hugging_face(folder)
    (folder / name).unlink()
    with pytest.raises(ValueError, match=f"{name} does not exist"):
        read_hugging_face(folder)


@pytest.mark.parametrize(
    "config, message",
    [({"model_type": "gpt2"}, "family gpt2, but only bert, roberta"),
     ({"model_type": None}, "family None"),
     ({"hidden_act": "relu"}, "activation relu"),
     ({"position_embedding_type": "relative_key"}, "relative_key positions"),
     ({"num_hidden_layers": None}, "does not say num_hidden_layers"),
     ({"num_hidden_layers": 3}, "encoder.layer.2.attention.output.LayerNorm|encoder.layer.2.*miss"),
     ({"num_attention_heads": 5}, "vectors of 32 numbers cannot be shared among 5 heads")],
)
def test_unsupported_configs_are_refused(write: Write, config: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_hugging_face(write(config=config))


@pytest.mark.parametrize(
    "name, shape, message",
    [("encoder.layer.1.output.dense.weight", (32, 32), "shape 32 x 32 instead of 32 x 64"),
     ("embeddings.LayerNorm.bias", (31,), "shape 31 instead of 32"),
     ("embeddings.LayerNorm.bias", (0,), "embeddings.LayerNorm.bias are missing"),
     ("embeddings.word_embeddings.weight", (9, 32), "pieces, but model.safetensors has .* 9")],
)
def test_weights_of_wrong_shape_are_refused(
    write: Write, name: str, shape: tuple, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        read_hugging_face(write(tensors={name: numpy.ones(shape, dtype="f")}))


def test_a_tokenizer_without_special_pieces_is_refused(write: Write) -> None:
    folder = write()
    text = (folder / TOKENIZER).read_text().replace("[CLS]", "[BEGIN]")
    (folder / TOKENIZER).write_text(text)
    with pytest.raises(ValueError, match="neither the pieces"):
        read_hugging_face(folder)
