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

# spaCy unpacks a file whole. Those of corpora unpack to about ten times their size.
MAX_GROWTH = 100
ALWAYS_UNPACKED = 2**30     # bytes
_CHUNK = 2**16      # bytes, which unpack to a thousand times as many at most


def read_docs(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """Yield the Docs of a file.

    Raises:
        InputError: For a file that is damaged or something else.
    """
    data = path.read_bytes()
    if _grows_beyond(data, max(ALWAYS_UNPACKED, MAX_GROWTH * len(data))):
        raise InputError(
            f"{path}: the file unpacks to more than {MAX_GROWTH} times its size, as no corpus "
            "does. Write it again, by spacy convert."
        )
    try:
        yield from DocBin().from_bytes(data).get_docs(vocab)
    except Exception as error:  # noqa: BLE001 (zlib, msgpack, NumPy, spaCy: each its own)
        raise InputError(
            f"{path}: this is no file of spaCy's Docs, or it is damaged "
            f"({type(error).__name__}: {error}). Write it again, by spacy convert."
        ) from None


def _grows_beyond(data: bytes, most: int) -> bool:
    """Whether compressed data unpacks to more bytes; False for data that is damaged."""
    unpacker = zlib.decompressobj()
    size = 0
    try:
        for start in range(0, len(data), _CHUNK):
            size += len(unpacker.decompress(data[start : start + _CHUNK]))
            if size > most:
                return True
    except zlib.error:
        pass
    return False


def read_treebank(path: Path) -> Iterator[ConlluSentence | ConlluError]:
    """Yield the sentences of CoNLL-U (see `read_tolerantly`) or of the Docs of a .spacy file.

    For a faulty sentence, its error; of a Doc, lines count in its CoNLL-U.

    Raises:
        FileNotFoundError: If there is no file.
        InputError: For one that is damaged.
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
