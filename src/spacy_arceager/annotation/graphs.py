"""Parsed graphs into Docs, as `corpus.graphs` describes them."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..corpus.graphs import GRAPH_EXTENSION, Graph

ROOT_LABEL = "root"


def graphs_of_docs(
    docs: Sequence[Doc], words: Sequence[NDArray], arcs: NDArray, labels: Sequence[str]
) -> list[Graph]:
    """The graph of each Doc.

    Args:
        words: (n_words,) indices of the parsed words of each Doc.
        arcs: (n_arcs, 3) dependent, head and label, sorted; words numbered through all Docs.
    """
    ends = numpy.cumsum([indices.size for indices in words])
    parts = numpy.split(arcs, numpy.searchsorted(arcs[:, 0], ends[:-1]))
    starts = [0, *ends[:-1].tolist()]
    return [
        build_graph(len(doc), indices.tolist(), (part - (start, start, 0)).tolist(), labels)
        for doc, indices, part, start in zip(docs, words, parts, starts)
    ]


def build_graph(
    n_tokens: int, words: list[int], arcs: list[list[int]], labels: Sequence[str]
) -> Graph:
    """The graph of one Doc; a word without arc is a root, white space has none."""
    graph: Graph = [[] for _ in range(n_tokens)]
    for dependent, head, label in arcs:
        graph[words[dependent]].append([words[head], labels[label]])
    for word in words:
        graph[word] = graph[word] or [[word, ROOT_LABEL]]
    return graph


def write_graph(doc: Doc, graph: Graph) -> None:
    """Set the graph of a Doc; its heads and labels stay as they are."""
    doc._.set(GRAPH_EXTENSION, graph)
