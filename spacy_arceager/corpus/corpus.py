"""The reader of CoNLL-U that configs name. It turns files into Docs, and Docs into Examples."""

import random
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import logger
from spacy.vocab import Vocab

from .conllu.read import read_file, read_tolerantly
from .conllu.sentence import ConlluSentence
from .conllu.to_doc import sentences_to_doc, without_annotation
from .errors import ConlluError
from .files import find_files
from .heads import require_heads
from .kept import KeptDocs
from .noise import Noise


class ConlluCorpus:
    """Yields Examples from CoNLL-U. The predicted Docs have the gold tokens and no annotation.

    What is read is kept, so that the next call with the same Vocab gives new copies of it, as long
    as no file changes, the corpus is small (`kept.MOST_WORDS`) and nothing is drawn by lot.

    Args:
        path: a file, a folder whose `*.conllu` files are read, or a pattern such as
            "treebank/*-train.conllu". Several files are read in the order of their names. Files may
            be compressed (gzip, bzip2, xz, Zstandard). Or a list of such paths; what stands there
            twice is read twice.
        sentences_per_doc: the number of sentences that make up a Doc (fewer at the end of a file).
            For a pair, such as [1, 10], a number in this range is drawn for each Doc.
        limit: the number of Docs after which the reader stops; 0 for no limit.
        max_length: sentences with more words are left out; 0 for no limit.
        skip_invalid: whether sentences with a fault (several roots, cycles, ...) are left out
            instead of being refused. A warning then says once how many were left out.
        noise: changes Docs for training, see `create_noise`.

    Raises:
        ValueError: If there is no path, as until `paths.train` and `paths.dev` are set, and for a
            number below 0.
    """

    def __init__(
        self,
        path: str | Path | list[str | Path] | None,
        *,
        sentences_per_doc: int | list[int] = 1,
        limit: int = 0,
        max_length: int = 0,
        skip_invalid: bool = False,
        noise: Noise | None = None,
    ) -> None:
        if path is None or path == []:
            raise ValueError(
                "The path of the CoNLL-U corpus is null. Set it in the config, or on the "
                "command line with --paths.train and --paths.dev."
            )
        for name, number in (("limit", limit), ("max_length", max_length)):
            if number < 0:
                raise ValueError(f"{name} is {number}, but it is a number of 0 or more.")
        self.paths = [Path(one) for one in (path if isinstance(path, list) else [path])]
        self.sentences_per_doc = read_range(sentences_per_doc)
        self.limit = limit
        self.max_length = max_length
        self.skip_invalid = skip_invalid
        self.noise = noise
        self._has_reported = False
        self._kept = KeptDocs()

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Yield the Examples; the Docs use the Vocab of nlp.

        Raises:
            ConlluError: For faults in a file.
            FileNotFoundError: If there is no file.
            InputError: If no word has a head and the pipeline has a parser, see `require_heads`.
        """
        for doc in require_heads(self._gold_docs(nlp.vocab), nlp, self._source):
            yield Example(without_annotation(doc), doc)

    def _gold_docs(self, vocab: Vocab) -> Iterator[Doc]:
        files = [file for path in self.paths for file in find_files(path)]
        fewest, most = self.sentences_per_doc
        if self.noise is not None or fewest != most:    # drawn anew each time
            yield from self._read(vocab, files)
            return
        settings = (most, self.limit, self.max_length, self.skip_invalid)
        kept = self._kept.of(vocab, settings, files)
        if kept is None:
            yield from self._kept.keep(self._read(vocab, files), vocab, settings, files)
        else:
            yield from (one.copy() for one in kept)

    def _read(self, vocab: Vocab, files: Iterable[Path]) -> Iterator[Doc]:
        faults: list[ConlluError] = []
        docs = chain.from_iterable(self._read_docs(file, vocab, faults) for file in files)
        yield from islice(docs, self.limit or None)
        self._report(faults)

    @property
    def _source(self) -> str:
        return ", ".join(map(str, self.paths))

    def _read_docs(self, path: Path, vocab: Vocab, faults: list[ConlluError]) -> Iterator[Doc]:
        sentences: Iterator[ConlluSentence] = (
            sentence for sentence in self._read_sentences(path, faults)
            if not self.max_length or len(sentence.words) <= self.max_length
        )
        while batch := list(islice(sentences, self._draw_size())):
            if self.noise is not None:
                batch = self.noise(batch)
            yield sentences_to_doc(vocab, batch)

    def _draw_size(self) -> int:
        fewest, most = self.sentences_per_doc
        return fewest if fewest == most else random.randint(fewest, most)  # noqa: S311 (no secret)

    def _read_sentences(self, path: Path, faults: list[ConlluError]) -> Iterator[ConlluSentence]:
        if not self.skip_invalid:
            yield from read_file(path)
            return
        for item in read_tolerantly(path):
            if isinstance(item, ConlluError):
                faults.append(item)
            else:
                yield item

    def _report(self, faults: list[ConlluError]) -> None:
        # A training reads its corpus many times, but one warning is enough.
        if faults and not self._has_reported:
            self._has_reported = True
            logger.warning(
                "%d invalid sentences are left out of %s; the first: %s",
                len(faults), self._source, faults[0],
            )


def read_range(sentences_per_doc: int | list[int]) -> tuple[int, int]:
    """The fewest and the most sentences of a Doc. Raises ValueError for a pair that is no range."""
    asked = sentences_per_doc
    bounds = [asked, asked] if isinstance(asked, int) else [*asked]
    if len(bounds) != 2 or not 1 <= bounds[0] <= bounds[1] <= sys.maxsize:
        raise ValueError(
            f"sentences_per_doc is {sentences_per_doc}, but a Doc needs a sentence. Set it to 1 "
            "or more, or to a pair, the fewest and the most."
        )
    return bounds[0], bounds[1]
