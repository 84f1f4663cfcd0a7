"""Gold trees for training: from spaCy's Examples to sentences of heads and labels."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from spacy.pipeline._parser_internals import nonproj
from spacy.training import Example

from .doc_annotation import has_boundaries, read_tree, same_words, sentence_words
from .trees import crossing_arcs, is_tree

POLICIES = ("projectivize", "skip", "approximate")
MISSING = -1


@dataclass
class GoldSentence:
    """The gold tree of one sentence.

    words: (n_words,) int32, indices of the words in their Doc.
    heads: (n_words,) int32, heads counted from the sentence's first word; a root is its
        own head; -1 is missing, also where the gold head lies outside the sentence.
    labels: label of each word, "" where missing.
    """

    words: NDArray
    heads: NDArray
    labels: list[str]

    @property
    def is_projective(self) -> bool:
        return not crossing_arcs(self.heads)


def gold_sentences(example: Example) -> Iterator[GoldSentence]:
    """The gold trees of an Example, aligned to the tokens of its predicted Doc.

    Sentences are those of the gold Doc, or of the predicted Doc where the gold has none.
    White space tokens are left out; what hangs on one is missing.
    """
    heads, labels, starts = aligned_tree(example)
    lengths: NDArray[numpy.integer]
    words, lengths, _ = sentence_words(example.predicted)
    if starts is not None:
        lengths = numpy.unique(numpy.cumsum(starts)[words], return_counts=True)[1]
    position = numpy.full((len(example.predicted) + 1,), MISSING, dtype="i")
    begin = 0
    for length in lengths[lengths > 0]:
        sentence = words[begin : begin + length]
        position[sentence] = numpy.arange(length)
        # A missing head, -1, finds the last entry, which stays -1.
        yield GoldSentence(sentence, position[heads[sentence]], [labels[i] for i in sentence])
        position[sentence] = MISSING
        begin += length


def aligned_tree(example: Example) -> tuple[NDArray, list[str], NDArray | None]:
    """Heads (-1 missing), labels ("" missing) and sentence starts of the predicted tokens."""
    if same_words(example.predicted, example.reference):
        heads, hashes, starts = read_tree(example.reference)
        strings = example.reference.vocab.strings
        labels = [strings[label] for label in hashes]
    else:
        aligned_heads, aligned_labels = example.get_aligned_parse(projectivize=False)
        labels = [label or "" for label in aligned_labels]
        # spaCy gives a word without annotation itself as head, and no label.
        heads = numpy.asarray(
            [
                MISSING if head is None or (head == i and not labels[i]) else head
                for i, head in enumerate(aligned_heads)
            ],
            dtype="i",
        )
        starts = numpy.asarray(example.get_aligned_sent_starts(), dtype=bool)
    return heads, labels, starts if has_boundaries(example.reference) else None


def apply_policy(sentence: GoldSentence, policy: str) -> GoldSentence | None:
    """What a projective system trains on; None where the sentence is left out.

    policy: "projectivize" (pseudo-projective, Nivre and Nilsson 2005), "skip" or
    "approximate" (the oracle minimises the cost). Under "projectivize", a non-projective
    structure that is no tree is approximated.
    """
    if policy == "approximate" or sentence.is_projective:
        return sentence
    if policy == "skip":
        return None
    if not is_tree(sentence.heads):
        return sentence
    heads, labels = nonproj.projectivize(sentence.heads.tolist(), sentence.labels)
    # A decoration whose other half is missing says nothing.
    labels = [label if all(nonproj.decompose(label)) else nonproj.decompose(label)[0]
              for label in labels]
    return GoldSentence(sentence.words, numpy.asarray(heads, dtype="i"), labels)


def label_index(label: str, indices: dict[str, int]) -> int:
    """Index of a label, or else of its undecorated part; -1 where neither is known."""
    if label in indices:
        return indices[label]
    return indices.get(nonproj.decompose(label)[0], MISSING)
