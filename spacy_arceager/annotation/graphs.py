"""The graph of a Doc, `doc._.arceager_graph`, in which a word may have several heads.

The value is a `Graph`, or None where the Doc has no graph. `corpus.conllu.deps` converts graphs
from and to the column DEPS.
"""

from collections.abc import Sequence
from operator import index
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

# For each token the sorted list of its arcs, each of them [head, label]; [] for a token without a
# head. The head is a token index. An arc from the root has the token itself as head, and the label
# `root` or a path from there (`root>nsubj`). Lists survive `Doc.to_bytes` and DocBins.
Graph: TypeAlias = list[list[list[Any]]]

GRAPH_EXTENSION = "arceager_graph"

Doc.set_extension(GRAPH_EXTENSION, default=None, force=True)

GRAPH_ROOT = "root"     # the label of an arc from the root


def get_graph(doc: Doc) -> Graph | None:
    """`doc._.arceager_graph` as lists, even if a DocBin has turned them into tuples.

    None if the Doc has no graph, or was retokenised since and the graph no longer fits.

    Raises:
        ValueError: If the value is not a Graph.
    """
    graph = getattr(doc._, GRAPH_EXTENSION)
    if graph is None:
        return None
    if isinstance(graph, str) or not isinstance(graph, Sequence):
        raise _wrong_graph(doc, graph)
    if len(graph) != len(doc):
        return None
    return [_read_arcs(doc, arcs) for arcs in graph]


def _read_arcs(doc: Doc, arcs: Any) -> list[list[Any]]:
    """The arcs of a token, [head, label] each. Raises ValueError for what are none."""
    try:
        pairs = [[index(head), label] for head, label in arcs]
    except (TypeError, ValueError):
        raise _wrong_graph(doc, arcs) from None
    for head, label in pairs:
        if not 0 <= head < len(doc) or not isinstance(label, str):
            raise _wrong_graph(doc, [head, label])
    return pairs


def _wrong_graph(doc: Doc, value: Any) -> ValueError:
    return ValueError(
        f"doc._.{GRAPH_EXTENSION} is, or has in it, {value!r:.60}. Give a list with the arcs of "
        f"each token, [head, label] each, with heads from 0 to {len(doc) - 1}"
    )


def is_root(token: int, head: int, label: str) -> bool:
    """Whether an arc comes from the root; otherwise an arc from the token itself is a loop."""
    return token == head and starts_at_root(label)


def starts_at_root(label: str) -> bool:
    """Whether a label, or a path of labels, begins at the root."""
    return label.partition(">")[0].partition(":")[0] == GRAPH_ROOT


def graphs_of_docs(
    docs: Sequence[Doc], words: Sequence[NDArray], arcs: NDArray, labels: Sequence[str]
) -> list[Graph]:
    """The graph of each Doc.

    Args:
        words: (n_words,) token indices of the parsed words of each Doc.
        arcs: (n_arcs, 3) dependent, head and label of each arc, sorted. Words are numbered through
            all Docs.
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
    """The graph of one Doc. A word without an arc becomes a root; white space gets no arc."""
    graph: Graph = [[] for _ in range(n_tokens)]
    for dependent, head, label in arcs:
        graph[words[dependent]].append([words[head], labels[label]])
    for word in words:
        graph[word] = graph[word] or [[word, GRAPH_ROOT]]
    return graph
