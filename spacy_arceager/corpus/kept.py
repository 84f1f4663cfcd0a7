"""The gold Docs of a training corpus are kept, because a training reads its corpus many times."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from spacy.tokens import Doc
from spacy.vocab import Vocab

# A larger corpus is read anew each time, so that a training that streams it
# (max_epochs = -1) does not need the memory for all of it: some 1.5 KB for each word.
MOST_WORDS = 500_000


class KeptDocs:
    """The Docs of the last complete reading of some files, while the files are the same."""

    def __init__(self) -> None:
        self._vocab: Vocab | None = None
        self._versions: list[tuple[Path, int, int]] = []
        self._docs: list[Doc] = []

    def of(self, vocab: Vocab, files: Iterable[Path]) -> list[Doc] | None:
        """The Docs with this Vocab; None if there are none, or if a file has changed."""
        is_same = vocab is self._vocab and self._versions == _versions(files)
        return self._docs if is_same else None

    def keep(self, docs: Iterable[Doc], vocab: Vocab, files: Iterable[Path]) -> Iterator[Doc]:
        """Yield Docs that are read from files, and keep them when all are read."""
        versions = _versions(files)
        self._vocab = None
        kept: list[Doc] = []
        n_words = 0
        for doc in docs:
            n_words += len(doc)
            if n_words <= MOST_WORDS:
                kept.append(doc)
            else:
                kept.clear()
            yield doc
        if n_words <= MOST_WORDS:
            self._vocab, self._versions, self._docs = vocab, versions, kept


def _versions(files: Iterable[Path]) -> list[tuple[Path, int, int]]:
    """The time and size of each file, which tell whether it has changed."""
    return [(file, stat.st_mtime_ns, stat.st_size) for file in files for stat in (file.stat(),)]
