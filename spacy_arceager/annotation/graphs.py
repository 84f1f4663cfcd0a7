"""Graphs over the words of a sentence, in which a word may have several heads.

`doc._.arceager_graph` holds the graph of a Doc, see `Graph`; it is None where there is none.
`corpus.conllu.deps` reads and writes such graphs.
"""

import re
from collections.abc import Sequence
from operator import index
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

# The value of `doc._.arceager_graph`, made of lists so that it survives `Doc.to_bytes` and DocBins:
# for each token the list of its arcs, [head, label] each, sorted; [] for no head. The head
# is a token index. An arc from the root has the token itself as head, and the label `root`
# or a path from there (`root>nsubj`); see `is_root`.
Graph: TypeAlias = list[list[list[Any]]]

GRAPH_EXTENSION = "arceager_graph"

if not Doc.has_extension(GRAPH_EXTENSION):
    Doc.set_extension(GRAPH_EXTENSION, default=None)

GRAPH_ROOT = "root"     # the label of an arc from the root


def get_graph(doc: Doc) -> Graph | None:
    """Return `doc._.arceager_graph` as lists, whatever a DocBin has made of them.

    None if there is none, or the Doc was retokenised since and it no longer fits.

    Raises:
        ValueError: For what is no Graph.
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
    """Tell whether an arc of a Graph comes from the root, not from the token itself."""
    return token == head and starts_at_root(label)


def starts_at_root(label: str) -> bool:
    """Tell whether a label, or a path of labels, begins at the root."""
    return re.split("[:>]", label, maxsplit=1)[0] == GRAPH_ROOT


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
        graph[word] = graph[word] or [[word, GRAPH_ROOT]]
    return graph


def write_graph(doc: Doc, graph: Graph) -> None:
    """Set the graph of a Doc; its heads and labels stay as they are."""
    doc._.set(GRAPH_EXTENSION, graph)
