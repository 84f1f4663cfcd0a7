"""Gives each word of a Doc its vector: splits, cuts into windows, runs the encoder, pools."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain

import numpy
from spacy.tokens import Doc

from ..token_vectors.layers import Array, Ints
from ..token_vectors.types import sum_rows_at
from .encoder_files import EncoderFiles
from .output_store import OutputStore, halve
from .reading import Reading
from .runner import Runner
from .words import Pieces, Windows, choose_pieces, find_ends

PIECES_AT_ONCE = 8192    # the vectors of so many pieces are in memory together, or of one Doc
HIGHEST_LAYER = 8    # of those that are read if nothing else is said


@dataclass(frozen=True)
class CutDoc:
    """A Doc as the encoder reads it.

    Attributes:
        windows: the ids of the pieces of each window.
        rows: (n,), the pieces that count, numbered through all windows.
        starts: (n_words + 1,), where those of each word begin.
    """

    windows: list[Ints]
    rows: Ints
    starts: Ints


class DocEncoder:
    """An encoder that is ready to read Docs.

    A Doc has the same vectors, bit for bit, whatever other Docs are read with it.

    Args:
        limit: the most bytes of what `encode_once` keeps.

    Raises:
        ValueError: If the encoder has no such layers.
    """

    def __init__(self, files: EncoderFiles, reading: Reading, limit: int = 0) -> None:
        meta = files.meta
        self.layers = reading.layers or default_layers(meta.n_layers)
        if max(self.layers) > meta.n_layers:
            raise ValueError(
                f"layers={list(self.layers)}, but {meta.name} has only {meta.n_layers}"
            )
        self.reading = reading
        size = min(reading.window, meta.max_pieces)
        self._windows = Windows(size, min(reading.stride, size - 2), meta.bos, meta.eos)
        self._pieces = Pieces(files)
        self._runner = Runner(files)
        self._limit = limit
        # A word has the numbers of each layer, or those of their mean.
        self.shape: tuple[int, ...] = (
            (len(self.layers), meta.width) if reading.learns else (meta.width,)
        )

    def encode(self, docs: Sequence[Doc]) -> list[Array]:
        """The vectors of the words of each Doc: (n_words, width), or (n_words, n_layers, width)."""
        vectors: list[Array] = []
        for batch in in_batches([self.cut(doc) for doc in docs]):
            windows = [window for doc in batch for window in doc.windows]
            outputs = iter(
                self._runner.encode(windows, self.layers, mean=not self.reading.learns)
            )
            vectors.extend(self._pool(doc, [next(outputs) for _ in doc.windows]) for doc in batch)
        return vectors

    def encode_once(self, docs: Sequence[Doc]) -> list[Array]:
        """The vectors as `encode` has them, rounded to half floats, which are kept."""
        store = self.store
        keys = [make_key(doc) for doc in docs]
        stored = {key: store.get(key) for key in keys}
        halves = {key: array for key, array in stored.items() if array is not None}
        new = {key: doc for key, doc in zip(keys, docs) if key not in halves}
        for key, vectors in zip(new, self.encode([*new.values()])):
            halves[key] = halve(vectors)
            store.add(key, halves[key])
        return [halves[key].astype("f") for key in keys]

    @cached_property
    def store(self) -> OutputStore:
        """What is kept. The file for it is made when it is first needed."""
        return OutputStore(self._limit)

    def cut(self, doc: Doc) -> CutDoc:
        """Split the words of a Doc into pieces, and these into windows."""
        words = self._pieces.split(doc)
        lengths = numpy.array([len(word) for word in words], dtype="i")
        chosen, starts = choose_pieces(lengths, self.reading.pooling)
        pieces = numpy.array([*chain.from_iterable(words)], dtype="i")
        ends = numpy.cumsum(lengths)[[end - 1 for end in find_ends(doc, self.reading.stops)]]
        windows: list[Ints] = []
        rows = [numpy.zeros(0, dtype="i")]
        for stretch in filter(len, numpy.split(pieces, ends)):
            n_before = sum(map(len, windows))
            new_windows, new_rows = self._windows.cut(stretch)
            windows.extend(new_windows)
            rows.append(n_before + new_rows)
        return CutDoc(windows, numpy.concatenate(rows)[chosen], starts)

    def _pool(self, doc: CutDoc, outputs: list[Array]) -> Array:
        """The means of the vectors of words' pieces. outputs: those of each window's pieces."""
        table = numpy.concatenate(outputs) if outputs else numpy.empty((0, *self.shape), dtype="f")
        n_words, width = len(doc.starts) - 1, int(numpy.prod(self.shape))
        pooled = numpy.empty((n_words, width), dtype="f")
        sum_rows_at(table.reshape((-1, width)), doc.rows, doc.starts, pooled, mean=True)
        return pooled.reshape((n_words, *self.shape))


def default_layers(n_layers: int) -> tuple[int, ...]:
    """Layers 5 to 8, or the upper half of an encoder that has fewer."""
    highest = min(n_layers, HIGHEST_LAYER)
    return tuple(range(highest // 2 + 1, highest + 1))


def in_batches(docs: Sequence[CutDoc]) -> Iterator[list[CutDoc]]:
    """Docs that are read together."""
    batch: list[CutDoc] = []
    n_pieces = 0
    for doc in docs:
        size = sum(map(len, doc.windows))
        if batch and n_pieces + size > PIECES_AT_ONCE:
            yield batch
            batch, n_pieces = [], 0
        batch.append(doc)
        n_pieces += size
    if batch:
        yield batch


def make_key(doc: Doc) -> bytes:
    """A key of all that the encoder reads of a Doc: its words and the spaces between them."""
    words = "\0".join(f"{len(word.text)} {word.text_with_ws}" for word in doc)
    return blake2b(words.encode("utf8", "surrogatepass"), digest_size=16).digest()
