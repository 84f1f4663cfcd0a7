"""Files of spaCy's Docs (.spacy), as `spacy convert` and `DocBin.to_disk` write them."""

import zlib
from collections.abc import Iterator
from pathlib import Path

from spacy.lang.lex_attrs import LEX_ATTRS
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from .conllu.read import number_lines, read_partial_trees, read_tolerantly
from .conllu.sentence import ConlluSentence
from .conllu.to_doc import USER_DATA_KEY
from .conllu.write import doc_to_conllu
from .errors import ConlluError, InputError

ENDING = ".spacy"

# spaCy unpacks a whole file in memory. Files of corpora unpack to about ten times their size, so a
# file that grows much more is refused.
MAX_GROWTH = 100
ALWAYS_UNPACKED = 2**26     # so many bytes are unpacked however small the file is
# A value of msgpack takes some 70 bytes of memory, even if it is an empty list of one byte. Files
# of corpora have about one value for six bytes of the compressed file.
ALWAYS_BUILT = 10**6        # so many values are built however small the file is

# The longer values of msgpack, by their first byte (see
# https://github.com/msgpack/msgpack/blob/master/spec.md): how many bytes a value has that is always
# of the same size. Of arrays and maps this is what stands before the values in them.
_SIZES = {
    0xCA: 5, 0xCB: 9,                                       # floats
    0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9,                     # integers from 0
    0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9,                     # integers with a sign
    0xD4: 3, 0xD5: 4, 0xD6: 6, 0xD7: 10, 0xD8: 18,          # extensions of fixed sizes
    0xDC: 3, 0xDD: 5, 0xDE: 3, 0xDF: 5,                     # arrays and maps
}
# How many bytes behind the first one are the length of a value of any size.
_LENGTHS = {
    0xC4: 1, 0xC5: 2, 0xC6: 4,      # bytes
    0xC7: 1, 0xC8: 2, 0xC9: 4,      # extensions
    0xD9: 1, 0xDA: 2, 0xDB: 4,      # strings
}
_EXTENSIONS = (0xC7, 0xC8, 0xC9)    # these have one more byte, for their kind


def read_docs(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """Yield the Docs of a file.

    Raises:
        InputError: For a file that is damaged or holds something else.
    """
    data = path.read_bytes()
    n_bytes, n_values = max(ALWAYS_UNPACKED, MAX_GROWTH * len(data)), max(ALWAYS_BUILT, len(data))
    unpacked = _unpack(data, n_bytes + 1)
    if len(unpacked) > n_bytes or _has_more_values(unpacked, n_values):
        raise InputError(
            f"{path}: the file unpacks to much more than its size, as no corpus does. Write it "
            "again, by spacy convert."
        )
    try:
        docs = DocBin().from_bytes(data)
        for inner in (*docs.user_data, *docs.span_groups):
            if inner and _has_more_values(inner, n_values):
                raise ValueError("the user data of a document has too many values")
        yield from docs.get_docs(vocab)
    except Exception as error:  # noqa: BLE001 (zlib, msgpack, NumPy, spaCy: each its own)
        raise InputError(
            f"{path}: this is no file of spaCy's Docs, or it is damaged "
            f"({type(error).__name__}: {error}). Write it again, by spacy convert."
        ) from None


def _unpack(data: bytes, most: int) -> bytes:
    """The data without its compression, up to `most` bytes; empty if it is damaged."""
    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error:
        return b""


def _has_more_values(data: bytes, most: int) -> bool:
    """Whether msgpack has more than `most` values, which are counted without building them.

    The values of an array or a map stand one behind the other after its head, so they are counted
    like others. Data that is no msgpack is refused later, by the reader of msgpack.
    """
    place = 0
    for _ in range(most):
        if place >= len(data):
            return False
        place += _measure(data, place)
    return place < len(data)


def _measure(data: bytes, place: int) -> int:
    """The number of bytes of a msgpack value without the values in it."""
    kind = data[place]
    if kind in _SIZES:
        return _SIZES[kind]
    if kind in _LENGTHS:
        behind = place + 1 + _LENGTHS[kind]
        size = int.from_bytes(data[place + 1 : behind], "big")
        return behind - place + size + (kind in _EXTENSIONS)
    if kind & 0xE0 == 0xA0:     # short strings
        return 1 + (kind & 0x1F)
    return 1                    # nil, booleans; small numbers, arrays and maps


def read_strictly(path: Path) -> Iterator[ConlluSentence]:
    """Yield the sentences of `read_treebank`. Also raises ConlluError, for the first fault."""
    for item in read_treebank(path):
        if isinstance(item, ConlluError):
            raise item
        yield item


def read_treebank(path: Path) -> Iterator[ConlluSentence | ConlluError]:
    """Yield the sentences of CoNLL-U (see `read_tolerantly`) or of the Docs of a .spacy file.

    A faulty sentence yields its error. Errors about a Doc count lines in its CoNLL-U.

    Raises:
        FileNotFoundError: If there is no file.
        InputError: For a file that is damaged.
    """
    if path.suffix != ENDING:
        yield from read_tolerantly(path)
        return
    for number, doc in enumerate(read_docs(path, Vocab(LEX_ATTRS)), 1):
        source = f"{path}, document {number}"
        try:
            text = doc_to_conllu(doc)
        except ValueError as error:
            yield ConlluError(f"{source}: {error}")
        else:
            if text and USER_DATA_KEY not in doc.user_data:
                text = f"# newdoc\n{text}"
            yield from read_partial_trees(number_lines(text.split("\n"), source))
