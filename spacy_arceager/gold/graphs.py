"""Gold graphs for training: from spaCy's Examples to sentences of labelled arcs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from spacy.training import Example

from ..annotation.graphs import Graph, get_graph
from ..annotation.tokens import has_boundaries, same_words, sentence_words
from ..oracles.gold import GoldTrees
from ..trees.algorithms import crossing_arcs
from . import MISSING
from .alignment import one_to_one


@dataclass
class GoldGraph:
    """The gold graph of one sentence.

    Attributes:
        words: (n_words,) int32, the token indices of the words.
        arcs: dependent, head and label of each arc, with words counted from the first word of the
            sentence. Arcs from the root, self-loops and arcs from other sentences are left out.
    """

    words: NDArray
    arcs: list[tuple[int, int, str]]


def gold_graphs(example: Example) -> Iterator[GoldGraph]:
    """The gold graphs of an Example, with the words of its predicted Doc.

    The sentences come from the gold Doc, or from the predicted Doc if the gold Doc has none. A
    sentence is left out if it has no graph. It is also left out if one of its words is not the same
    word in the other Doc, for an arc to a part of a word is no arc to the word.
    """
    graph = get_graph(example.reference)
    if graph is None:
        return
    for words, gold_words in aligned_sentences(example):
        if any(graph[i] for i in gold_words):
            yield GoldGraph(numpy.asarray(words, dtype="i"), arcs_within(graph, gold_words))


def aligned_sentences(example: Example) -> Iterator[tuple[list[int], list[int]]]:
    """The words of each sentence as indices in the predicted Doc and in the gold Doc."""
    to_gold = word_alignment(example)
    if not has_boundaries(example.reference):
        for words in split_words(*sentence_words(example.predicted)[:2]):
            if to_gold.keys() >= set(words):
                yield words, [to_gold[i] for i in words]
        return
    from_gold = {gold: i for i, gold in to_gold.items()}
    for gold_words in split_words(*sentence_words(example.reference)[:2]):
        if from_gold.keys() >= set(gold_words):
            yield [from_gold[i] for i in gold_words], gold_words


def word_alignment(example: Example) -> dict[int, int]:
    """The gold index of each predicted word that is the same word in the gold Doc."""
    if same_words(example.predicted, example.reference):
        return {i: i for i in range(len(example.predicted))}
    return one_to_one(example, [token for token in example.predicted if not token.is_space])


def split_words(words: NDArray, lengths: NDArray) -> Iterator[list[int]]:
    """The words of each sentence, without sentences that have none."""
    ends = numpy.cumsum(lengths)
    return (part.tolist() for part in numpy.split(words, ends[:-1]) if part.size)


def arcs_within(graph: Graph, words: Sequence[int]) -> list[tuple[int, int, str]]:
    """The arcs between different words of a sentence, with words counted from its first word."""
    place = {word: i for i, word in enumerate(words)}
    return [
        (place[word], place[head], label)
        for word in words
        for head, label in graph[word]
        if head != word and head in place
    ]


def count_labels(examples: Iterable[Example]) -> tuple[Counter, Counter]:
    """Count labels, and also "sentences", "arcs" and "crossing" arcs."""
    labels: Counter = Counter()
    counts: Counter = Counter()
    for example in examples:
        for sentence in gold_graphs(example):
            labels.update(label for _, _, label in sentence.arcs)
            counts["sentences"] += 1
            counts["arcs"] += len(sentence.arcs)
            counts["crossing"] += int(crossing_arcs([arc[:2] for arc in sentence.arcs]).sum())
    return labels, counts


def graph_arrays(sentences: Sequence[GoldGraph], indices: dict[str, int]) -> GoldTrees:
    """The graphs of a batch, for the oracle.

    Args:
        indices: the number of each label; a label without a number becomes MISSING.
    """
    lengths = [sentence.words.size for sentence in sentences]
    nothing = numpy.full((sum(lengths),), MISSING, dtype="i")
    starts = numpy.cumsum([0, *lengths])
    arcs = [
        (start + dependent, start + head, indices.get(label, MISSING))
        for start, sentence in zip(starts, sentences)
        for dependent, head, label in sentence.arcs
    ]
    return GoldTrees(lengths, nothing, nothing, arcs=arcs)
