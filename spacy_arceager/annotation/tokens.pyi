import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

def sentence_words(
    doc: Doc, boundaries: NDArray[numpy.int8] | None = None
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]: ...

def has_boundaries(doc: Doc) -> bool: ...

def read_boundaries(doc: Doc) -> NDArray[numpy.int8]: ...

def same_words(doc: Doc, other: Doc) -> bool: ...

def read_tree(
    doc: Doc,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint64], NDArray[numpy.bool_]]: ...

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
