"""Files of spaCy's Docs (.spacy), as `spacy convert` and `DocBin.to_disk` write them."""

import zlib
from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from .conllu.read import read_numbered, read_tolerantly
from .conllu.sentence import ConlluSentence
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

# The longer values of msgpack, by their first byte. The numbers say how many bytes follow that are
# the length of the value or the value itself, whether they are the length, and how many values each
# item has (a map has two).
_HEADS = {
    **dict.fromkeys((0xC0, 0xC1, 0xC2, 0xC3), (0, False, 0)),                   # nil, booleans
    0xC4: (1, True, 0), 0xC5: (2, True, 0), 0xC6: (4, True, 0),                 # bytes
    0xC7: (1, True, 0), 0xC8: (2, True, 0), 0xC9: (4, True, 0),                 # extensions
    0xCA: (4, False, 0), 0xCB: (8, False, 0),                                   # floats
    0xCC: (1, False, 0), 0xCD: (2, False, 0), 0xCE: (4, False, 0), 0xCF: (8, False, 0),
    0xD0: (1, False, 0), 0xD1: (2, False, 0), 0xD2: (4, False, 0), 0xD3: (8, False, 0),
    0xD4: (2, False, 0), 0xD5: (3, False, 0), 0xD6: (5, False, 0), 0xD7: (9, False, 0),
    0xD8: (17, False, 0),                                                       # extensions
    0xD9: (1, True, 0), 0xDA: (2, True, 0), 0xDB: (4, True, 0),                 # strings
    0xDC: (2, True, 1), 0xDD: (4, True, 1),                                     # arrays
    0xDE: (2, True, 2), 0xDF: (4, True, 2),                                     # maps
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

    Data that is no msgpack is refused later, by the reader of msgpack.
    """
    left, count, place = 1, 0, 0
    while left and place < len(data):
        count += 1
        if count > most:
            return True
        step, inner = _measure(data, place)
        place += step
        left += inner - 1
    return False


def _measure(data: bytes, place: int) -> tuple[int, int]:
    """The number of bytes of a msgpack value without the values in it, and the number of these.

    The format is described at https://github.com/msgpack/msgpack/blob/master/spec.md.
    """
    kind = data[place]
    if kind < 0x80 or kind >= 0xE0:     # small numbers
        return 1, 0
    if kind < 0x90:                     # small maps
        return 1, 2 * (kind & 0x0F)
    if kind < 0xA0:                     # small arrays
        return 1, kind & 0x0F
    if kind < 0xC0:                     # short strings
        return 1 + (kind & 0x1F), 0
    head, is_counted, per_item = _HEADS[kind]
    size = int.from_bytes(data[place + 1 : place + 1 + head], "big") if is_counted else 0
    if per_item:
        return 1 + head, per_item * size
    return 1 + head + size + (kind in _EXTENSIONS), 0


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
    for number, doc in enumerate(read_docs(path, Vocab()), 1):
        source = f"{path}, document {number}"
        try:
            text = doc_to_conllu(doc)
        except ValueError as error:
            yield ConlluError(f"{source}: {error}")
        else:
            yield from read_numbered(text.split("\n"), source)
