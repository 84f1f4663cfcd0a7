"""Reads encoders of the family of BERT from folders in the format of Hugging Face, without torch.

Such a folder has `config.json`, `model.safetensors` and `tokenizer.json`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
from tokenizers import Tokenizer

from .source import EncoderSource
from .weights import Array, Block, EncoderWeights, Linear, Norm

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"

# Names of pieces: those that begin and end a sequence, fill up a batch, and stand for the unknown.
SPECIAL_PIECES = (("[CLS]", "[SEP]", "[PAD]", "[UNK]"), ("<s>", "</s>", "<pad>", "<unk>"))
KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}     # floats of safetensors


@dataclass(frozen=True)
class Family:
    """How a family calls what all have: first the names of three settings of `config.json`.

    Attributes:
        block: where the weights of a block are, with its number.
        names: of the parts of a block, in the order of `Block`.
        skips_positions: whether the first position is the one behind the id of the piece that
            fills up a batch.
    """

    n_heads: str
    n_layers: str
    activation: str
    block: str
    names: tuple[str, ...]
    skips_positions: bool = False


_BERT = (
    "num_attention_heads", "num_hidden_layers", "hidden_act", "encoder.layer.{}.",
    ("attention.self.query", "attention.self.key", "attention.self.value",
     "attention.output.dense", "attention.output.LayerNorm", "intermediate.dense", "output.dense",
     "output.LayerNorm"),
)
FAMILIES = {
    "bert": Family(*_BERT),
    "roberta": Family(*_BERT, skips_positions=True),
    "xlm-roberta": Family(*_BERT, skips_positions=True),
    "camembert": Family(*_BERT, skips_positions=True),
    "distilbert": Family(
        "n_heads", "n_layers", "activation", "transformer.layer.{}.",
        ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
         "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm"),
    ),
}


def read_hugging_face(folder: Path) -> EncoderSource:
    """Read an encoder.

    Raises:
        ValueError: For a folder that lacks a file or has a damaged one, for a family that is not
            supported, and for weights that are missing or have another shape than `config.json`
            says. The message names the file.
    """
    config = _read(folder / CONFIG, lambda path: json.loads(path.read_text(encoding="utf8")))
    family = _find_family(folder / CONFIG, config)
    tensors = _read(folder / WEIGHTS, read_safetensors)
    tokenizer = _read(folder / TOKENIZER, lambda path: Tokenizer.from_file(str(path)))
    # A word is never cut or filled up. Long texts are cut into windows elsewhere.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    bos, eos, pad, unk = _find_special(folder / TOKENIZER, tokenizer)
    try:
        weights = _make_weights(config, family, tensors, pad)
    except ValueError as error:
        raise ValueError(f"{folder / WEIGHTS}: {error}") from None
    if tokenizer.get_vocab_size() > len(weights.embeddings):
        raise ValueError(f"{folder / TOKENIZER} has {tokenizer.get_vocab_size()} pieces, but "
                         f"{WEIGHTS} has embeddings of {len(weights.embeddings)}")
    name = str(config.get("_name_or_path") or folder.resolve().name)
    return EncoderSource(
        weights=weights, tokenizer=tokenizer.to_str(), name=name, source=name, license="unknown",
        languages=(), family=config["model_type"], bos=bos, eos=eos, pad=pad, unk=unk,
    )


def read_safetensors(path: Path) -> dict[str, Array]:
    """The arrays of a file in the format safetensors, in float32.

    The package of this name cannot read bfloat16 into NumPy. Arrays of integers are left out.
    """
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] not in KINDS:
            continue
        first, end = entry["data_offsets"]
        values = numpy.frombuffer(data[start + first : start + end], KINDS[entry["dtype"]])
        if entry["dtype"] == "BF16":    # the upper half of a float
            values = (values.astype("<u4") << 16).view("<f4")
        tensors[_of_today(name)] = values.astype("f").reshape(entry["shape"])
    return tensors


def _of_today(name: str) -> str:
    """The name of a weight. Google's first encoders have other names of the layer normalisation."""
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace(
        "LayerNorm.beta", "LayerNorm.bias"
    )


def _find_family(path: Path, config: Any) -> Family:
    kind = config.get("model_type") if isinstance(config, dict) else None
    if kind not in FAMILIES:
        raise ValueError(f"{path} says that the encoder is of the family {kind}, but only "
                         f"{', '.join(FAMILIES)} are supported")
    family = FAMILIES[kind]
    if (activation := config.get(family.activation, "gelu")) != "gelu":
        raise ValueError(f"{path} asks for the activation {activation}, but only gelu is supported")
    if (positions := config.get("position_embedding_type", "absolute")) != "absolute":
        raise ValueError(f"{path} asks for {positions} positions, but only absolute ones are "
                         "supported")
    for setting in (family.n_heads, family.n_layers):
        if not isinstance(config.get(setting), int):
            raise ValueError(f"{path} does not say {setting}")
    return family


def _find_special(path: Path, tokenizer: Tokenizer) -> list[int]:
    vocabulary = tokenizer.get_vocab()
    for names in SPECIAL_PIECES:
        if all(name in vocabulary for name in names):
            return [vocabulary[name] for name in names]
    raise ValueError(f"{path} has neither the pieces {' '.join(SPECIAL_PIECES[0])} nor "
                     f"{' '.join(SPECIAL_PIECES[1])}")


def _make_weights(
    config: dict[str, Any], family: Family, tensors: dict[str, Array], pad: int
) -> EncoderWeights:
    last = "embeddings.word_embeddings.weight"
    prefix = next((name[: -len(last)] for name in tensors if name.endswith(last)), "")

    def get(name: str, *shape: int) -> Array:
        array = tensors.get(prefix + name)
        if array is None:
            raise ValueError(f"the weights {name} are missing")
        if len(array.shape) != len(shape) or any(
            size not in (-1, actual) for size, actual in zip(shape, array.shape)
        ):
            wanted = " x ".join("any" if size == -1 else str(size) for size in shape)
            raise ValueError(f"{name} has the shape {' x '.join(map(str, array.shape))} instead of "
                             f"{wanted}")
        return array

    embeddings = get(last, -1, -1)
    width, n_heads = embeddings.shape[1], config[family.n_heads]
    if n_heads < 1 or width % n_heads:
        raise ValueError(f"vectors of {width} numbers cannot be shared among {n_heads} heads")

    def norm(name: str) -> Norm:
        return Norm(get(f"{name}.weight", width), get(f"{name}.bias", width))

    def linear(name: str, n_in: int, n_out: int) -> Linear:
        weight, bias = get(f"{name}.weight", n_out, n_in), get(f"{name}.bias", n_out)
        return Linear(numpy.ascontiguousarray(weight.T), bias)

    def block(number: int) -> Block:
        names = [family.block.format(number) + name for name in family.names]
        hidden = len(get(f"{names[5]}.bias", -1))
        query, key, value, output = (linear(name, width, width) for name in names[:4])
        return Block(
            query, key, value, output, norm(names[4]), linear(names[5], width, hidden),
            linear(names[6], hidden, width), norm(names[7]),
        )

    positions = get("embeddings.position_embeddings.weight", -1, width)
    if family.skips_positions:
        positions = positions[pad + 1 :]
    segments = "embeddings.token_type_embeddings.weight"
    if prefix + segments in tensors:
        positions = positions + get(segments, -1, width)[0]
    return EncoderWeights(
        embeddings, positions, norm("embeddings.LayerNorm"),
        tuple(block(number) for number in range(config[family.n_layers])), n_heads,
        float(config.get("layer_norm_eps", 1e-12)),
    )


def _read(path: Path, read: Callable[[Path], Any]) -> Any:
    if not path.is_file():
        raise ValueError(f"{path} does not exist. A folder of Hugging Face needs {CONFIG}, "
                         f"{WEIGHTS} and {TOKENIZER}")
    try:
        return read(path)
    except Exception as error:  # noqa: BLE001 (those of `tokenizers` have no class of their own)
        raise ValueError(f"{path} cannot be read: {error}") from None
