"""From the words of Docs to the pieces that an encoder reads, and back to a vector for each word.

An encoder reads pieces of words. It does best with one sentence, but nobody knows yet where the
sentences of a text are. So a Doc is read in stretches that end where a sentence probably ends. An
encoder also has a limited number of places. The pieces of a long stretch are read in windows that
overlap, and each piece has its vector from the window in which it is farthest from an edge.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy
from spacy.tokens import Doc
from tokenizers import Tokenizer

from ..token_vectors.layers import Ints
from .encoder_files import EncoderFiles

MAX_TYPES = 100_000    # how many words' pieces are kept


class Pieces:
    """Splits words into pieces, as the tokenizer of an encoder splits the texts that it reads.

    A word is split alone, with the space before it if there is one and the tokenizer sees spaces.
    """

    def __init__(self, files: EncoderFiles) -> None:
        self._tokenizer, self._sees_spaces = read_tokenizer(files.tokenizer)
        self._split_word = lru_cache(MAX_TYPES)(self._find_pieces)

    def split(self, doc: Doc) -> list[list[int]]:
        """The ids of the pieces of each word of a Doc.

        A word without characters that the tokenizer knows, such as white space, has none.
        """
        follows_space = [True, *(bool(word.whitespace_) or word.is_space for word in doc)]
        return [self._split_word(word.text, space) for word, space in zip(doc, follows_space)]

    def _find_pieces(self, text: str, follows_space: bool) -> list[int]:
        ids = [] if text.isspace() else self._encode(text)
        if ids and follows_space and self._sees_spaces:
            ids = self._encode(" " + text)
        return ids

    def _encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids


def read_tokenizer(text: str) -> tuple[Tokenizer, bool]:
    """Make a tokenizer that adds no space before a text, and neither cuts nor pads it.

    Args:
        text: its JSON.

    Returns:
        The tokenizer, and whether a space before a word makes a difference to its pieces.
    """
    settings = json.loads(text)
    sees_spaces = _take_spaces_away(settings)
    tokenizer = Tokenizer.from_str(json.dumps(settings))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, sees_spaces


def _take_spaces_away(settings: dict[str, Any]) -> bool:
    """Change the settings of a tokenizer so that it adds no space; return whether it sees any."""
    pre_tokenizer = settings.get("pre_tokenizer") or {}
    for part in pre_tokenizer.get("pretokenizers", [pre_tokenizer]):
        if part.get("type") == "Metaspace":
            # Alone, because a split at spaces before it, as XLM-R has, would take the space away.
            settings["pre_tokenizer"] = {**part, "prepend_scheme": "never"}
            return True
        if part.get("type") == "ByteLevel":
            part["add_prefix_space"] = False
            return True
    return False


def find_ends(doc: Doc, stops: str) -> list[int]:
    """Where stretches of a Doc end: after each word that consists of these characters."""
    return [word.i + 1 for word in doc if all(char in stops for char in word.text)]


@dataclass(frozen=True)
class Windows:
    """How the pieces of a stretch are read.

    Attributes:
        size: the most pieces of a window, with `bos` and `eos`, which mark its ends.
        stride: how many pieces further the next window begins.
    """

    size: int
    stride: int
    bos: int
    eos: int

    def cut(self, pieces: Ints) -> tuple[list[Ints], Ints]:
        """Cut the pieces of a stretch into windows.

        Args:
            pieces: (n_pieces,), the ids of its pieces.

        Returns:
            The ids of the pieces of each window, with those that mark its ends; and (n_pieces,),
            where each piece stands if the windows are put one after the other.
        """
        size = self.size - 2
        starts = numpy.array([*self._starts(len(pieces), size)])
        # Two windows share an overlap. Its middle is as far from the edge of the one as of the
        # other.
        middles = (starts[1:] + starts[:-1] + size) // 2
        places = numpy.arange(len(pieces))
        window = numpy.searchsorted(middles, places, side="right")
        before = numpy.arange(len(starts)) * (size + 2)
        rows = before[window] + 1 + places - starts[window]
        return [
            numpy.concatenate(([self.bos], pieces[start:start + size], [self.eos])).astype("i")
            for start in starts
        ], rows.astype("i")

    def _starts(self, n_pieces: int, size: int) -> Iterator[int]:
        """Where windows begin. The last one ends with the stretch, so that all have one length."""
        yield from range(0, n_pieces - size, self.stride)
        yield max(0, n_pieces - size)


def choose_pieces(lengths: Ints, pooling: str) -> tuple[Ints, Ints]:
    """Choose the pieces of each word, the mean of whose vectors is the vector of the word.

    Args:
        lengths: (n_words,), how many pieces each word has.
        pooling: "mean" for all of its pieces, "first" or "last" for one.

    Returns:
        The numbers of the chosen pieces, and (n_words + 1,), where those of each word begin.
    """
    ends = numpy.cumsum(lengths)
    if pooling == "mean":
        chosen, counts = numpy.arange(lengths.sum()), lengths
    else:
        counts = numpy.minimum(lengths, 1)
        chosen = (ends - lengths if pooling == "first" else ends - 1)[counts > 0]
    return chosen.astype("i"), numpy.concatenate(([0], numpy.cumsum(counts))).astype("i")
