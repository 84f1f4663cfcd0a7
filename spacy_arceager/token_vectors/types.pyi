from collections.abc import Sequence

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc, Span

# attributes: (n_attributes,). Returns (n_tokens, n_attributes) and (n_docs,).
def read_keys(
    docs: Sequence[Doc | Span], attributes: NDArray[numpy.int32]
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int32]]: ...

class TypeIndex:
    def __init__(self, n_attributes: int) -> None: ...

# keys: (n_tokens, n_attributes). Returns (n_types,) and (n_tokens,).
def find_types(
    keys: NDArray[numpy.uint64],
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32]]: ...

class TypeVectors:
    def __init__(self, n_attributes: int, width: int, limit: int) -> None: ...
    def __len__(self) -> int: ...
    # keys: (n_tokens, n_attributes). out: (n_tokens, width). Returns (n_unknown,).
    def find(
        self, keys: NDArray[numpy.uint64], out: NDArray[numpy.float32]
    ) -> NDArray[numpy.int32]: ...
    # keys: (n_types, n_attributes). vectors: (n_types, width).
    def add(self, keys: NDArray[numpy.uint64], vectors: NDArray[numpy.float32]) -> None: ...

# Returns (n_hashes,) and (n_words + 1,).
def hash_ngrams(
    words: Sequence[str], min_n: int, max_n: int
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int32]]: ...

# Returns (n_words, n_prefixes + n_suffixes).
def hash_affixes(
    words: Sequence[str], prefixes: Sequence[int], suffixes: Sequence[int]
) -> NDArray[numpy.uint64]: ...

# rows: (n_rows,). starts: (n + 1,). out: (n, width).
def sum_rows_at(
    table: NDArray[numpy.float32],
    rows: NDArray[numpy.int32],
    starts: NDArray[numpy.int32],
    out: NDArray[numpy.float32],
    mean: bool = False,
) -> None: ...

# rows: (n_rows,). starts: (n + 1,). d_out: (n, width).
def backprop_sum_rows_at(
    d_table: NDArray[numpy.float32],
    rows: NDArray[numpy.int32],
    starts: NDArray[numpy.int32],
    d_out: NDArray[numpy.float32],
    mean: bool = False,
) -> None: ...
