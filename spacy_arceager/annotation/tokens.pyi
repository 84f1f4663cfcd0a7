import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

# boundaries: (n_tokens,). Returns the indices of the words, (n_words,), the words of each
# sentence and its first token, (n_sentences,) each.
def sentence_words(
    doc: Doc, boundaries: NDArray[numpy.int8] | None = None
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]: ...

def has_boundaries(doc: Doc) -> bool: ...

def read_boundaries(doc: Doc) -> NDArray[numpy.int8]: ...

def same_words(doc: Doc, other: Doc) -> bool: ...

# Returns (n_tokens,) arrays: heads, -1 where missing; labels, 0 where missing; starts.
def read_tree(
    doc: Doc,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint64], NDArray[numpy.bool_]]: ...

# words, heads, labels: (n_words,). lengths, starts: (n_sentences,). Heads count from the
# first word of the sentence; a root is its own head.
def write_tree(
    doc: Doc,
    words: NDArray[numpy.int32],
    heads: NDArray[numpy.int32],
    labels: NDArray[numpy.uint64],
    lengths: NDArray[numpy.int32],
    starts: NDArray[numpy.int32],
    root: int,
    space: int,
) -> None: ...

def close_sentences(doc: Doc, starts: NDArray[numpy.int32]) -> None: ...
