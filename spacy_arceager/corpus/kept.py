"""The gold Docs of a training corpus are kept, because a training reads its corpus many times."""

import pickle
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from spacy.tokens import Doc
from spacy.vocab import Vocab

# A larger corpus is read anew each time, so that a training that streams it
# (max_epochs = -1) does not need the memory for all of it: some 1 KB for each word.
MOST_WORDS = 500_000


class KeptDoc(NamedTuple):
    """A Doc without its user data, and these as bytes: each copy gets data of its own."""

    doc: Doc
    user_data: bytes

    def copy(self) -> Doc:
        """The Doc as it was read."""
        copy = self.doc.copy()
        copy.user_data.update(pickle.loads(self.user_data))  # noqa: S301 (made here)
        return copy


class Reading(NamedTuple):
    """A complete reading of some files: what it depended on, and its Docs."""

    vocab: Vocab
    settings: tuple
    files: list[tuple]
    docs: list[KeptDoc]


class KeptDocs:
    """The Docs of the last complete reading."""

    def __init__(self) -> None:
        self._reading: Reading | None = None

    def of(self, vocab: Vocab, settings: tuple, files: Iterable[Path]) -> list[KeptDoc] | None:
        """The Docs of a reading with this Vocab and settings, if no file has changed since."""
        kept = self._reading
        if kept is None or kept.vocab is not vocab or kept.settings != settings:
            return None
        return kept.docs if kept.files == _versions(files) else None

    def keep(
        self, docs: Iterable[Doc], vocab: Vocab, settings: tuple, files: Iterable[Path]
    ) -> Iterator[Doc]:
        """Yield Docs that are read from files, and keep copies when all are read.

        The Docs of a memory zone are not kept, as they end with it.
        """
        self._reading = None
        reading = Reading(vocab, settings, _versions(files), [])
        may_keep = not in_zone(vocab)
        n_words = 0
        for doc in docs:
            n_words += len(doc)
            may_keep = may_keep and n_words <= MOST_WORDS
            if may_keep:
                reading.docs.append(_kept(doc))
            else:
                reading.docs.clear()
            yield doc
        if may_keep and not in_zone(vocab):
            self._reading = reading


def in_zone(vocab: Vocab) -> bool:
    """Whether new strings and lexemes end with a memory zone."""
    return bool(vocab.in_memory_zone)  # type: ignore[attr-defined]  # the stub of spaCy lacks it


def _kept(doc: Doc) -> KeptDoc:
    copy = doc.copy()
    copy.user_data = {}
    return KeptDoc(copy, pickle.dumps(doc.user_data))


def _versions(files: Iterable[Path]) -> list[tuple]:
    """What tells whether a file has changed, for each file."""
    return [
        (file, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
        for file in files for stat in (file.stat(),)
    ]
