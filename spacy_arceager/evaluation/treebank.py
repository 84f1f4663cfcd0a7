"""The properties of a treebank that decide which transition system suits it.

The gap degree of a tree is defined by Kuhlmann and Nivre (2006, section 3.4).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..annotation.graphs import Graph
from ..annotation.projective import projectivize
from ..corpus.conllu import ConlluSentence
from ..corpus.conllu.deps import sentence_graph
from ..gold import MISSING
from ..trees.algorithms import (
    count_blocks,
    crossing_arcs,
    is_tree,
    is_well_nested,
    non_projective_arcs,
)
from .shares import share

RARE = 10    # a label that occurs fewer times is rare


class GoldTree(NamedTuple):
    """The gold tree of a sentence.

    Attributes:
        heads: (n_words,) int32, counted from 0; a root is its own head; -1 where it is missing.
        labels: the label of each word, "" where it is missing.
    """

    heads: NDArray[numpy.int32]
    labels: list[str]


class Size(NamedTuple):
    """Numbers of sentences and words.

    `incomplete` counts sentences without a complete tree; lengths are in words.
    """

    sentences: int
    words: int
    incomplete: int
    mean_length: float
    longest: int


class Labels(NamedTuple):
    """Dependency labels.

    Attributes:
        number: how many different labels there are.
        rare: the labels that occur fewer than RARE times, and how often each occurs.
        lifted: how many labels such as `nsubj||acl` lifting non-projective arcs adds (Nivre and
            Nilsson 2005).
        rare_lifted: how many of the added labels occur fewer than RARE times.
        only_lifted: labels that stand on non-projective arcs only, so that a parser for projective
            trees never sees them without a mark.
    """

    number: int
    rare: dict[str, int]
    lifted: int
    rare_lifted: int
    only_lifted: list[str]


class NonProjectivity(NamedTuple):
    """Non-projective arcs, see `trees.algorithms.non_projective_arcs`, and arcs that cross others.

    Attributes:
        sentences: number of non-projective sentences.
        sentence_share: their share of the sentences with complete trees.
        arcs: number of non-projective arcs.
        arc_share: their share of all arcs of these.
        crossing_arcs: number of arcs that cross another arc, where roots have no arc. It is usually
            larger than `arcs`; but an arc over the root is non-projective and may cross none.
        gap_degrees: how many sentences have a gap degree of 0, 1, 2, ...
        ill_nested: how many sentences are ill-nested.
    """

    sentences: int
    sentence_share: float
    arcs: int
    arc_share: float
    crossing_arcs: int
    gap_degrees: list[int]
    ill_nested: int


class Graphs(NamedTuple):
    """Enhanced graphs, empty nodes collapsed.

    Attributes:
        sentences: number of sentences that have a graph. All other figures are about these.
        words: number of their words.
        several_heads: share of the words that have several heads.
        two_cycles: number of pairs of words that are each other's heads.
        cyclic: share of the sentences whose graph has a cycle.
        crossing: share of the arcs that cross another arc.
        non_crossing: share of the sentences without crossing arcs. The system `dag` derives them
            with acyclic=false, labels aside.
        derivable: share of the sentences with neither crossing arcs nor cycles, which `dag` derives
            as it is.
    """

    sentences: int
    words: int
    several_heads: float
    two_cycles: int
    cyclic: float
    crossing: float
    non_crossing: float
    derivable: float


class Treebank(NamedTuple):
    """The properties of a treebank; `graphs` is None where no sentence has a graph."""

    size: Size
    labels: Labels
    non_projectivity: NonProjectivity
    graphs: Graphs | None


def describe(sentences: Sequence[ConlluSentence]) -> Treebank:
    """Measure a treebank. Only sentences in which all words have heads count as trees."""
    trees = [to_gold(sentence) for sentence in sentences]
    complete = complete_trees(trees)
    graphs = [
        sentence_graph([word.deps for word in sentence.words], sentence.empty_nodes)
        for sentence in sentences
        if any(word.deps != "_" for word in sentence.words)
    ]
    return Treebank(
        measure_size(trees, len(complete)),
        count_labels(trees),
        measure_non_projectivity(complete),
        measure_graphs(graphs) if graphs else None,
    )


def to_gold(sentence: ConlluSentence) -> GoldTree:
    """The tree of a sentence, in which heads and labels may be missing."""
    heads = [MISSING if head is None else head for head in sentence.heads]
    labels = ["" if word.deprel == "_" else word.deprel for word in sentence.words]
    return GoldTree(numpy.asarray(heads, dtype="i"), labels)


def complete_trees(trees: Iterable[GoldTree]) -> list[GoldTree]:
    """The trees in which each word has a head."""
    return [tree for tree in trees if is_tree(tree.heads)]


def measure_size(trees: Sequence[GoldTree], n_complete: int) -> Size:
    """Count sentences and words. n_complete: how many trees are complete."""
    lengths = [len(tree.heads) for tree in trees]
    return Size(
        sentences=len(trees),
        words=sum(lengths),
        incomplete=len(trees) - n_complete,
        mean_length=share(sum(lengths), len(trees)) or 0.0,
        longest=max(lengths, default=0),
    )


def count_labels(trees: Sequence[GoldTree]) -> Labels:
    """Count the labels of trees, and the labels that projectivisation adds."""
    counts = Counter(chain.from_iterable(tree.labels for tree in trees))
    lifted = Counter(chain.from_iterable(map(lift_labels, trees)))
    del counts[""], lifted[""]
    added = [label for label in lifted if label not in counts]
    return Labels(
        number=len(counts),
        rare={label: n for label, n in sorted(counts.items()) if n < RARE},
        lifted=len(added),
        rare_lifted=sum(lifted[label] < RARE for label in added),
        only_lifted=sorted(label for label in counts if label not in lifted),
    )


def lift_labels(tree: GoldTree) -> list[str]:
    """The labels of a tree whose non-projective arcs are lifted, with the marks of lifted arcs."""
    if not is_tree(tree.heads) or not non_projective_arcs(tree.heads):
        return tree.labels
    return projectivize(tree.heads, tree.labels)[1]


def measure_non_projectivity(trees: Sequence[GoldTree]) -> NonProjectivity:
    """Count non-projective sentences and arcs in complete trees."""
    arcs = [len(non_projective_arcs(tree.heads)) for tree in trees]
    broken = [tree.heads for tree, n in zip(trees, arcs) if n]
    degrees = Counter(map(gap_degree, broken))
    degrees[0] += len(trees) - len(broken)
    return NonProjectivity(
        sentences=len(broken),
        sentence_share=share(len(broken), len(trees)) or 0.0,
        arcs=sum(arcs),
        arc_share=share(sum(arcs), sum(len(tree.heads) for tree in trees)) or 0.0,
        crossing_arcs=sum(int(crossing_arcs(tree_arcs(heads)).sum()) for heads in broken),
        gap_degrees=[degrees[degree] for degree in range(max(degrees) + 1)],
        ill_nested=sum(not is_well_nested(heads) for heads in broken),
    )


def tree_arcs(heads: NDArray[numpy.int32]) -> NDArray[numpy.int32]:
    """Dependent and head of each word but the root: (n_words - 1, 2)."""
    words = numpy.arange(len(heads), dtype="i")
    return numpy.stack([words, heads], axis=1)[words != heads]


def measure_graphs(graphs: Sequence[Graph]) -> Graphs:
    """Count arcs, words and crossing arcs of graphs."""
    arcs = [graph_arcs(graph) for graph in graphs]
    crossing = [int(crossing_arcs(pairs).sum()) for pairs in arcs]
    cyclic = [has_cycle(pairs) for pairs in arcs]
    words = sum(map(len, graphs))
    several = sum(len({head for head, _ in word}) > 1 for graph in graphs for word in graph)
    return Graphs(
        sentences=len(graphs),
        words=words,
        several_heads=share(several, words) or 0.0,
        two_cycles=sum(map(two_cycles, arcs)),
        cyclic=share(sum(cyclic), len(graphs)) or 0.0,
        crossing=share(sum(crossing), sum(map(len, arcs))) or 0.0,
        non_crossing=share(sum(not n for n in crossing), len(graphs)) or 0.0,
        derivable=share(
            sum(not n and not cycle for n, cycle in zip(crossing, cyclic)), len(graphs)
        ) or 0.0,
    )


def gap_degree(heads: NDArray[numpy.int32]) -> int:
    """The largest number of gaps in any subtree; 0 for a projective tree.

    Args:
        heads: (n_words,) the heads of a tree, from 0; the root is its own head.
    """
    return int(count_blocks(heads).max()) - 1


def graph_arcs(graph: Graph) -> list[tuple[int, int]]:
    """The sorted pairs (head, dependent) of a graph, without roots and self-loops."""
    return sorted({
        (head, word) for word, arcs in enumerate(graph) for head, _ in arcs if head != word
    })


def two_cycles(arcs: Sequence[tuple[int, int]]) -> int:
    """The number of pairs of words that are each other's heads."""
    known = set(arcs)
    return sum(head < word and (word, head) in known for head, word in arcs)


def has_cycle(arcs: Sequence[tuple[int, int]]) -> bool:
    """Whether some path of arcs leads back to where it began."""
    above: dict[int, list[int]] = {}
    for head, word in arcs:
        above.setdefault(word, []).append(head)
    try:
        TopologicalSorter(above).prepare()
    except CycleError:
        return True
    return False
