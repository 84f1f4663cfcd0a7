"""Gold trees that no treebank should have."""

import numpy
from spacy.attrs import HEAD, SENT_START
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold.trees import gold_sentences

WORDS = ["the", "market", "opens", "at", "seven"]


def gold_example(
    nlp: Language, heads: list[int], deps: list[str], starts: list[int] | None = None
) -> Example:
    """An Example whose gold heads and sentence starts need not fit together."""
    gold = Doc(nlp.vocab, words=WORDS, heads=[0] * len(WORDS), deps=deps)
    relative = numpy.asarray([[head - word] for word, head in enumerate(heads)])
    gold.from_array([HEAD], relative.astype("int64").view("uint64"))
    if starts is not None:
        flags = numpy.asarray([[1 if i in starts else -1] for i in range(len(WORDS))])
        gold.from_array([SENT_START], flags.astype("int64").view("uint64"))
    return Example(Doc(nlp.vocab, words=WORDS), gold)


def heads_of(example: Example) -> list[list[int]]:
    return [sentence.heads.tolist() for sentence in gold_sentences(example)]


DEPS = ["det", "nsubj", "ROOT", "case", "obl"]
ODD_TREES = {
    "a cycle": ([1, 0, 2, 4, 2], [0], [[1, 0, 2, 4, 2]]),
    "a cycle instead of a root": ([1, 2, 0, 4, 2], [0], [[1, 2, 0, 4, 2]]),
    "two roots": ([1, 1, 2, 4, 2], [0], [[1, 1, 2, 4, 2]]),
    "only roots": ([0, 1, 2, 3, 4], [0], [[0, 1, 2, 3, 4]]),
    "a crossing cycle": ([3, 4, 2, 0, 1], [0], [[3, 4, 2, 0, 1]]),
    "crossing arcs and two roots": ([2, 1, 2, 0, 1], [0], [[2, 1, 2, 0, 1]]),
    "a head in another sentence": ([1, 2, 2, 4, 2], [0, 3], [[1, 2, 2], [1, -1]]),
    "a cycle across sentences": ([4, 2, 2, 4, 0], [0, 3], [[-1, 2, 2], [1, -1]]),
}
