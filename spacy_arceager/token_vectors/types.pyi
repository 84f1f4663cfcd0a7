"""Word types: tokens that an embedding cannot tell apart, since all it reads of them is equal."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc, Span

# attributes: (n_attributes,). Returns (n_tokens, n_attributes) and (n_docs,).
def read_keys(
    docs: Sequence[Doc | Span], attributes: NDArray[numpy.int32]
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int32]]:
    """What an embedding reads of each token."""

class TypeIndex:
    """Numbers the types in the order in which they come."""

    def __init__(self, n_attributes: int) -> None: ...

# keys: (n_tokens, n_attributes). Returns (n_types,) and (n_tokens,).
def find_types(
    keys: NDArray[numpy.uint64],
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32]]:
    """The types among tokens."""

class TypeVectors:
    """Vectors of types, kept for the next batch; threads may share it."""

    def __init__(self, n_attributes: int, width: int, limit: int) -> None: ...
    def __len__(self) -> int: ...
    # keys: (n_tokens, n_attributes). out: (n_tokens, width). Returns (n_unknown,).
    def find(
        self, keys: NDArray[numpy.uint64], out: NDArray[numpy.float32]
    ) -> NDArray[numpy.int32]:
        """Copy the known vectors of tokens."""

    # keys: (n_types, n_attributes). vectors: (n_types, width).
    def add(self, keys: NDArray[numpy.uint64], vectors: NDArray[numpy.float32]) -> None:
        """Keep the vectors of types."""

# Returns (n_hashes,) and (n_words + 1,).
def hash_ngrams(
    words: Sequence[str], min_n: int, max_n: int
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int32]]:
    """Hashes of each word and of its character n-grams, with the word's two ends marked."""

# Returns (n_words, n_prefixes + n_suffixes).
def hash_affixes(
    words: Sequence[str], prefixes: Sequence[int], suffixes: Sequence[int]
) -> NDArray[numpy.uint64]:
    """Hashes of the first and last characters of words, the end beside them marked."""

# rows: (n_rows,). starts: (n + 1,). out: (n, width).
def sum_rows_at(
    table: NDArray[numpy.float32],
    rows: NDArray[numpy.int32],
    starts: NDArray[numpy.int32],
    out: NDArray[numpy.float32],
    mean: bool = False,
) -> None:
    """Sum rows of a table."""

# rows: (n_rows,). starts: (n + 1,). d_out: (n, width).
def backprop_sum_rows_at(
    d_table: NDArray[numpy.float32],
    rows: NDArray[numpy.int32],
    starts: NDArray[numpy.int32],
    d_out: NDArray[numpy.float32],
    mean: bool = False,
) -> None:
    """Add the gradient of sums of rows to that of the table."""
