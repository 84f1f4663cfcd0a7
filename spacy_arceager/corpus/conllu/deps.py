"""Graphs are read from the column DEPS of CoNLL-U and written to it.

DEPS is described at https://universaldependencies.org/u/overview/enhanced-syntax.html, and the
graphs of Docs in `annotation.graphs`.

DEPS may name empty nodes (`8.1`), which are words that are not in the text. A Doc has no such
words, so they are collapsed as for the IWPT shared tasks on enhanced dependencies (Bouma, Seddah
and Zeman 2020, 2021). Every path from a word, or from the root, through empty nodes to a word
becomes one arc, whose label joins all labels of the path by `>`:

    2 -conj-> 5.1 -nsubj-> 5            2 -conj>nsubj-> 5
    0 -root-> 5.1 -conj-> 5.2 -obj-> 5  0 -root>conj>obj-> 5

A path passes an empty node at most once, so that cycles of empty nodes end. Arcs between the same
words with the same label become one arc. A path that leads back to its own word stays as a
self-loop. A word that hangs on an empty node without a head loses that arc.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...annotation.graphs import Graph, is_root, starts_at_root
from ..errors import ConlluError, quote

_ARC = re.compile(r"([0-9]{1,9})(?:\.([1-9][0-9]{0,8}))?:(.+)")

# Paths may have so many characters of labels and empty nodes on average for each node of a
# sentence, and the square of the number in any case. Published graphs need a few dozen.
WORK = 1000


class Node(NamedTuple):
    """The ID of a word (8 is `Node(8, 0)`) or an empty node (8.1 is `Node(8, 1)`)."""

    word: int
    empty: int


class DepsArc(NamedTuple):
    """An arc in the column DEPS of its dependent, which is a word or an empty node."""

    head: Node
    label: str


ROOT_NODE = Node(0, 0)


# DEPS to graphs


def sentence_graph(
    deps: Sequence[str], empty_nodes: Sequence[Sequence[str]], start: int = 0
) -> Graph:
    """The graph of a sentence, in which empty nodes are collapsed (see above).

    Args:
        deps: the column DEPS of each word.
        empty_nodes: the ten columns of each empty node.
        start: the token index of the first word, from which heads are counted.

    Raises:
        ConlluError: If DEPS is malformed, or has too many paths (see `collapse`).
    """
    nodes = find_nodes(len(deps), empty_nodes)
    columns = [*deps, *(columns[8] for columns in empty_nodes)]
    incoming = {node: read_deps(node, deps, nodes) for node, deps in zip(nodes, columns)}
    collapsed = collapse(incoming) if empty_nodes else incoming
    return [_token_arcs(node, collapsed[node], start) for node in nodes if not node.empty]


def find_nodes(n_words: int, empty_nodes: Sequence[Sequence[str]]) -> Collection[Node]:
    """The nodes of a sentence, words first, in a collection that is fast to search.

    Args:
        empty_nodes: the ten columns of each empty node.
    """
    words = [Node(word_id, 0) for word_id in range(1, n_words + 1)]
    return dict.fromkeys([*words, *(parse_node(columns[0]) for columns in empty_nodes)])


def parse_node(text: str) -> Node:
    """The node of a well-formed ID: `8` or `8.1`."""
    word, _, empty = text.partition(".")
    return Node(int(word), int(empty or 0))


def read_deps(node: Node, column: str, nodes: Collection[Node]) -> list[DepsArc]:
    """The arcs that a node of a sentence has in DEPS.

    Args:
        nodes: all nodes of the sentence.

    Raises:
        ConlluError: For a malformed column or head, a self-loop that is no collapsed path, or head
            0 without the label `root`.
    """
    if column == "_":
        return []
    arcs = [_parse_arc(column, text) for text in column.split("|")]
    for arc in arcs:
        _check_arc(node, arc, column, nodes)
    return arcs


def _parse_arc(column: str, text: str) -> DepsArc:
    match = _ARC.fullmatch(text)
    if match is None or not all(match[3].split(">")):
        raise ConlluError(
            f"DEPS {quote(column)} has {quote(text)}, which is not head:label. "
            "Write arcs as head:label|head:label, or _."
        )
    return DepsArc(Node(int(match[1]), int(match[2] or 0)), match[3])


def _check_arc(node: Node, arc: DepsArc, column: str, nodes: Collection[Node]) -> None:
    if arc.head != ROOT_NODE and arc.head not in nodes:
        raise ConlluError(
            f"DEPS {quote(column)} has a head outside the sentence. "
            "Write IDs of words and empty nodes of the same sentence."
        )
    if arc.head == ROOT_NODE and not starts_at_root(arc.label):
        raise ConlluError(
            f"DEPS {quote(column)} has head 0 without the label root. Write 0:root."
        )
    if arc.head == node and (">" not in arc.label or starts_at_root(arc.label)):
        raise ConlluError(
            f"DEPS {quote(column)} makes the word its own head. Write 0:root for a root."
        )


def _token_arcs(node: Node, arcs: Iterable[DepsArc], start: int) -> list[list[Any]]:
    """The arcs of a word in the form of a Graph."""
    heads = ((node if arc.head == ROOT_NODE else arc.head, arc.label) for arc in set(arcs))
    return sorted([start + head.word - 1, label] for head, label in heads)


def collapse(incoming: Mapping[Node, Sequence[DepsArc]]) -> dict[Node, Iterable[DepsArc]]:
    """The arcs and paths to each word that begin at a word or at the root.

    Args:
        incoming: the arcs of all nodes of a sentence.

    Raises:
        ConlluError: If there are more paths through empty nodes than any sentence needs. Without a
            limit, n empty nodes can make n! paths.
    """
    left = WORK * (len(incoming) + WORK)
    collapsed: dict[Node, Iterable[DepsArc]] = {}
    for node in incoming:
        if not node.empty:
            collapsed[node], steps = _find_paths(node, incoming, left)
            left -= steps
    return collapsed


def _find_paths(
    node: Node, incoming: Mapping[Node, Sequence[DepsArc]], most: int
) -> tuple[set[DepsArc], int]:
    """The arcs and paths to a node, and the work (see WORK) of finding them."""
    complete = set()
    work = 0
    # Each path has the set of empty nodes that it has passed.
    paths: list[tuple[DepsArc, frozenset[Node]]] = [(arc, frozenset()) for arc in incoming[node]]
    while paths:
        path, passed = paths.pop()
        if not path.head.empty:
            complete.add(path)
        elif path.head not in passed:
            work += len(incoming[path.head]) * (len(passed) + len(path.label))
            if work > most:
                raise ConlluError(
                    f"word {node.word} and those before it have too many paths through "
                    "empty nodes. Remove empty nodes, or arcs between them."
                )
            paths += [
                (DepsArc(arc.head, f"{arc.label}>{path.label}"), passed | {path.head})
                for arc in incoming[path.head]
            ]
    return complete, work


# Graphs to DEPS


def format_deps(token: int, arcs: Sequence[Sequence[Any]], ids: Mapping[int, int]) -> str:
    """The column DEPS of a token, sorted as UD demands.

    Args:
        arcs: the arcs of the token, each of them [head, label] as in a Graph.
        ids: the ID of each word of the sentence, by token index.

    Raises:
        ValueError: If a head is not in the sentence.
    """
    columns = [
        (0 if is_root(token, head, label) else _word_id(token, head, ids), label)
        for head, label in arcs
    ]
    return "|".join(f"{word_id}:{label}" for word_id, label in sorted(columns)) or "_"


def _word_id(token: int, head: int, ids: Mapping[int, int]) -> int:
    if head not in ids:
        raise ValueError(
            f"In the graph, token {token} has the head {head}, which is no word of its "
            "sentence. Make sentences and graph agree."
        )
    return ids[head]
