"""Training data from CoNLL-U: files -> Docs -> Examples."""

import random
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from spacy import registry
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
from .noise import Noise


class ConlluCorpus:
    """Yield Examples from CoNLL-U; gold tokens, and predicted Docs without annotation.

    Args:
        path: a file, a folder whose `*.conllu` files are read, or a pattern such as
            "treebank/*-train.conllu"; several files are read in the order of their names. They may
            be compressed (gzip, bzip2, xz, Zstandard).
        sentences_per_doc: so many sentences make up a Doc (fewer at the end of a file); of a pair,
            such as [1, 10], a number from the first to the second, drawn for each Doc.
        limit: stop after so many Docs; 0 for no limit.
        max_length: leave out sentences with more words; 0 for no limit.
        skip_invalid: leave out sentences with a fault (several roots, cycles, ...) instead of
            stopping there. How many is logged as a warning, once, when all is read.
        noise: changes sentences, for training; see `create_noise`.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        sentences_per_doc: int | Sequence[int] = 1,
        limit: int = 0,
        max_length: int = 0,
        skip_invalid: bool = False,
        noise: Noise | None = None,
    ) -> None:
        self.path = Path(path)
        self.sentences_per_doc = read_range(sentences_per_doc)
        self.limit = limit
        self.max_length = max_length
        self.skip_invalid = skip_invalid
        self.noise = noise
        self._has_reported = False

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Yield the Examples; the Docs use the Vocab of nlp.

        Raises:
            ConlluError: For faults in a file.
            FileNotFoundError: If there is none.
            InputError: If no word has a head and the pipeline has a parser, see `require_heads`.
        """
        faults: list[ConlluError] = []
        files = find_files(self.path)
        docs = chain.from_iterable(
            self._read_docs(file, nlp.vocab, faults) for file in files
        )
        for doc in require_heads(islice(docs, self.limit or None), nlp, self.path):
            yield Example(without_annotation(doc), doc)
        self._report(faults)

    def _read_docs(
        self, path: Path, vocab: Vocab, faults: list[ConlluError]
    ) -> Iterator[Doc]:
        found = self._read_sentences(path, faults)
        sentences: Iterator[ConlluSentence] = filter(self._is_short_enough, found)
        if self.noise is not None:
            sentences = map(self.noise, sentences)
        while batch := list(islice(sentences, self._draw_size())):
            yield sentences_to_doc(vocab, batch)

    def _draw_size(self) -> int:
        fewest, most = self.sentences_per_doc
        return fewest if fewest == most else random.randint(fewest, most)  # noqa: S311 (no secret)

    def _read_sentences(
        self, path: Path, faults: list[ConlluError]
    ) -> Iterator[ConlluSentence]:
        if not self.skip_invalid:
            yield from read_file(path)
            return
        for item in read_tolerantly(path):
            if isinstance(item, ConlluError):
                faults.append(item)
            else:
                yield item

    def _report(self, faults: list[ConlluError]) -> None:
        # A training reads its corpus again and again.
        if faults and not self._has_reported:
            self._has_reported = True
            logger.warning(
                "%d invalid sentences are left out of %s; the first: %s",
                len(faults), self.path, faults[0],
            )

    def _is_short_enough(self, sentence: ConlluSentence) -> bool:
        return not self.max_length or len(sentence.words) <= self.max_length


def read_range(sentences_per_doc: int | Sequence[int]) -> tuple[int, int]:
    """The fewest and the most sentences of a Doc. Raises ValueError where there are none."""
    if isinstance(sentences_per_doc, int):
        bounds = [sentences_per_doc, sentences_per_doc]
    else:
        bounds = list(sentences_per_doc)
    if len(bounds) != 2 or not 1 <= bounds[0] <= bounds[1] <= sys.maxsize:
        raise ValueError(
            f"sentences_per_doc is {sentences_per_doc}, but a Doc needs a sentence. Set it to 1 "
            "or more, or to a pair, the fewest and the most."
        )
    return bounds[0], bounds[1]


@registry.readers("arceager.ConlluCorpus.v1")
def create_conllu_corpus(
    path: str | Path | None,
    *,
    sentences_per_doc: int | list[int] = 1,
    limit: int = 0,
    max_length: int = 0,
    skip_invalid: bool = False,
    noise: Noise | None = None,
) -> ConlluCorpus:
    """Create the reader for a training config. See `ConlluCorpus`.

    Raises:
        ValueError: If path is null, as it is until `paths.train` and `paths.dev` are set.
    """
    if path is None:
        raise ValueError(
            "The path of the CoNLL-U corpus is null. Set it in the config, or on the "
            "command line with --paths.train and --paths.dev."
        )
    return ConlluCorpus(
        path,
        sentences_per_doc=sentences_per_doc,
        limit=limit,
        max_length=max_length,
        skip_invalid=skip_invalid,
        noise=noise,
    )
