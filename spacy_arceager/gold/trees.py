"""Gold trees for training: from spaCy's Examples to sentences of heads and labels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray
from spacy.training import Example

from ..annotation.projective import projectivize, undecorated
from ..annotation.tokens import has_boundaries, read_tree, same_words, sentence_words
from ..machine.system import TransitionSystem
from ..oracles.gold import GoldTrees
from ..trees.algorithms import is_tree, non_projective_arcs
from . import MISSING
from .derivable import derivable, derives_projective_trees


@dataclass
class GoldSentence:
    """The gold tree of one sentence, or the trees of a whole Doc (see `join`).

    Attributes:
        words: (n_words,) int32, the token indices of the words.
        heads: (n_words,) int32, heads counted from the first word; a root is its own head; -1 where
            the gold head is missing or lies outside the sentence.
        labels: the label of each word, "" where it is missing.
        starts: (n_words,) bool, where sentences start.
    """

    words: NDArray
    heads: NDArray
    labels: list[str]
    starts: NDArray

    @property
    def is_projective(self) -> bool:
        """Whether no arc is non-projective."""
        return not non_projective_arcs(self.heads)


def gold_sentences(example: Example) -> Iterator[GoldSentence]:
    """The gold trees of an Example, aligned to the tokens of its predicted Doc.

    The sentences come from the gold Doc, or from the predicted Doc if the gold Doc has none. White
    space is left out, and a head that is white space counts as missing.
    """
    heads, labels, starts = aligned_tree(example)
    lengths: NDArray[numpy.integer]
    words, lengths, _ = sentence_words(example.predicted)
    if starts is not None:
        lengths = numpy.bincount(numpy.cumsum(starts)[words])
    position = numpy.full((len(example.predicted) + 1,), MISSING, dtype="i")
    begin = 0
    for length in lengths[lengths > 0]:
        sentence = words[begin : begin + length]
        position[sentence] = numpy.arange(length)
        # A missing head is -1, and so reads the last entry of `position`, which is always -1.
        of_words = [labels[i] for i in sentence]
        starts_here = numpy.arange(length) == 0
        yield GoldSentence(sentence, position[heads[sentence]], of_words, starts_here)
        position[sentence] = MISSING
        begin += length


def aligned_tree(example: Example) -> tuple[NDArray, list[str], NDArray | None]:
    """Gold heads (-1 if missing), labels ("" if missing) and sentence starts of predicted tokens.

    The starts are None where the gold Doc has no boundaries.
    """
    starts: NDArray[numpy.bool_] | None
    is_cut = has_boundaries(example.reference)
    if same_words(example.predicted, example.reference):
        heads, hashes, starts = read_tree(example.reference)
        strings = example.reference.vocab.strings
        labels = [strings[label] for label in hashes]
    else:
        aligned_heads, aligned_labels = example.get_aligned_parse(projectivize=False)
        labels = [label or "" for label in aligned_labels]
        # spaCy gives a word without annotation itself as head, and no label.
        heads = numpy.asarray([
            MISSING if head is None or (head == i and not labels[i]) else head
            for i, head in enumerate(aligned_heads)
        ], dtype="i")
        starts = aligned_starts(example) if is_cut else None
    return heads, labels, starts if is_cut else None


def aligned_starts(example: Example) -> NDArray[numpy.bool_]:
    """Which predicted tokens begin a gold sentence. The gold Doc must have boundaries.

    `Example.get_aligned_sent_starts` fails where a sentence begins with a token, such as white
    space, that the predicted Doc has not.
    """
    starts = numpy.zeros(len(example.predicted), dtype=bool)
    to_predicted = example.alignment.y2x
    for sentence in example.reference.sents:
        tokens = to_predicted[sentence.start : sentence.end]
        starts[tokens[:1]] = True
    return starts


def apply_policy(
    sentence: GoldSentence, policy: str, system: TransitionSystem | None = None
) -> GoldSentence | None:
    """The tree that a system is trained on; None if the sentence is left out.

    Args:
        policy: the way to treat a tree that the system cannot derive. "projectivize" lifts its
            crossing arcs (pseudo-projective parsing, Nivre and Nilsson 2005), "skip" leaves the
            sentence out, and "approximate" keeps it, so that the oracle comes as close as it can.
            Under "projectivize", crossing arcs that belong to no complete tree are kept.
        system: None stands for a system that derives projective trees only.
    """
    if policy == "approximate" or can_derive(system, sentence):
        return sentence
    if policy == "skip":
        return None
    if not is_tree(sentence.heads):
        return sentence
    heads, labels = projectivize(sentence.heads, sentence.labels)
    return replace(sentence, heads=heads, labels=labels)


def can_derive(system: TransitionSystem | None, sentence: GoldSentence) -> bool:
    """Whether a system can derive a gold tree.

    A sentence in which heads are missing counts as derivable if none of its arcs cross.
    """
    is_projective = sentence.is_projective
    if is_projective and (system is None or derives_projective_trees(system.parameters)):
        return True
    if system is None or (not is_projective and system.parameters.is_projective):
        return False
    return derivable(system, sentence.heads) if is_tree(sentence.heads) else is_projective


def join(sentences: Sequence[GoldSentence]) -> GoldSentence:
    """All sentences of a Doc as one unit, for a system that finds the boundaries."""
    offsets = numpy.cumsum([0] + [sentence.words.size for sentence in sentences])
    return GoldSentence(
        numpy.concatenate([sentence.words for sentence in sentences]),
        numpy.concatenate([
            numpy.where(sentence.heads == MISSING, MISSING, sentence.heads + offset)
            for sentence, offset in zip(sentences, offsets)
        ]),
        [label for sentence in sentences for label in sentence.labels],
        numpy.concatenate([sentence.starts for sentence in sentences]),
    )


def without_tree(sentence: GoldSentence) -> GoldSentence:
    """The same sentence, whose heads and labels all count as missing."""
    return replace(
        sentence,
        heads=numpy.full_like(sentence.heads, MISSING),
        labels=[""] * len(sentence.labels),
    )


def label_index(label: str, indices: dict[str, int]) -> int:
    """The number of a label, or else of the label without its mark; -1 where neither is known."""
    if label in indices:
        return indices[label]
    return indices.get(undecorated(label), MISSING)


def tree_arrays(
    sentences: Sequence[GoldSentence], indices: dict[str, int], has_root: bool
) -> GoldTrees:
    """The trees of a batch, for the oracle.

    Args:
        indices: the number of each label; a label without a number becomes MISSING.
        has_root: whether there is an artificial root.
    """
    if not sentences:
        return GoldTrees([], [], [], has_root)
    return GoldTrees(
        [sentence.words.size for sentence in sentences],
        numpy.concatenate([sentence.heads for sentence in sentences]),
        [label_index(label, indices) for s in sentences for label in s.labels],
        has_root,
        numpy.concatenate([sentence.starts for sentence in sentences]),
    )
