"""The tree of highest weight with a given root, projective or not.

Each word gets its best head, and cycles are contracted (Chu and Liu 1965, Edmonds 1967).
"""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray

NEVER = -numpy.inf


class Cycle(NamedTuple):
    """A cycle that was contracted.

    Attributes:
        nodes: (n,) its nodes.
        node_of: (n_words,) the node of each word before.
        dependents, heads: (n,) words, the ends of the arc into each node.
    """

    nodes: NDArray
    node_of: NDArray
    dependents: NDArray
    heads: NDArray


def arborescence(weights: NDArray[numpy.float64], root: int) -> NDArray[numpy.int32] | None:
    """The heads of the best tree with this root: (n_words,); None if there is no tree.

    It takes memory quadratic in the number of words.

    Args:
        weights: (n_words, n_words) the weights of arcs, by dependent and head; NEVER forbids one.
    """
    nodes = Nodes(weights, root)
    cycles: list[Cycle] = []
    while nodes.have_heads():
        cycle = find_cycle(nodes.best, root)
        if cycle is None:
            return nodes.read(cycles)
        cycles.append(nodes.contract(cycle))
    return None


class Nodes:
    """Words, and cycles of them that were contracted to nodes. A cycle has the number of a node.

    Attributes:
        weights: (n, n) the weights of arcs between nodes, by dependent and head.
        dependents, heads: (n, n) the words that each of these arcs joins.
        best: (n,) the best head of each node; the root for the root, and for nodes of cycles.
        node_of: (n,) the node of each word.
    """

    def __init__(self, weights: NDArray, root: int) -> None:
        self.root = root
        self.weights = weights.copy()
        numpy.fill_diagonal(self.weights, NEVER)
        self.weights[root] = NEVER
        self.dependents, self.heads = numpy.indices(weights.shape, "i")
        self.node_of = numpy.arange(len(weights))
        self.best = self.weights.argmax(1)
        self.best[root] = root

    def have_heads(self) -> bool:
        """Whether each node has a possible head."""
        nodes = numpy.setdiff1d(self.node_of, self.root)
        return bool((self.weights[nodes, self.best[nodes]] > NEVER).all())

    def contract(self, nodes: NDArray) -> Cycle:
        """Make one node of a cycle, in the place of the first of them."""
        first, gone = nodes[0], nodes[1:]
        best, every = self.best[nodes], numpy.arange(len(self.best))
        cycle = Cycle(
            nodes, self.node_of.copy(), self.dependents[nodes, best], self.heads[nodes, best]
        )
        # An arc into the cycle takes the place of the arc to its dependent there.
        entries = self.weights[nodes] - self.weights[nodes, best][:, None]
        entered = nodes[entries.argmax(0)]
        left = nodes[self.weights[:, nodes].argmax(1)]
        row, column = entries.max(0), self.weights[every, left]
        for words in (self.dependents, self.heads):
            words[first] = words[entered, every]
            words[:, first] = words[every, left]
        self.weights[first], self.weights[:, first] = row, column
        self.weights[gone], self.weights[:, gone] = NEVER, NEVER
        self.weights[first, first] = NEVER
        self.node_of[numpy.isin(self.node_of, nodes)] = first
        self.best[numpy.isin(self.best, nodes)] = first
        self.best[gone] = self.root
        self.best[first] = self.weights[first].argmax()
        return cycle

    def read(self, cycles: list[Cycle]) -> NDArray[numpy.int32]:
        """The head of each word, where the best heads of the nodes have no cycle."""
        heads = numpy.full((len(self.best),), -1, "i")
        heads[self.root] = self.root
        nodes = numpy.setdiff1d(self.node_of, self.root)
        best = self.best[nodes]
        heads[self.dependents[nodes, best]] = self.heads[nodes, best]
        for cycle in reversed(cycles):
            # One node has a word that has its head already, outside of the cycle.
            closed = ~numpy.isin(cycle.nodes, cycle.node_of[heads >= 0])
            heads[cycle.dependents[closed]] = cycle.heads[closed]
        return heads


def find_cycle(heads: NDArray, root: int) -> NDArray | None:
    """The words of a cycle; None if there is no cycle."""
    seen = numpy.full((len(heads),), -1)
    seen[root] = len(heads)
    for start in range(len(heads)):
        word = start
        while seen[word] < 0:
            seen[word] = start
            word = heads[word]
        if seen[word] == start and word != root:
            cycle = [word]
            while heads[cycle[-1]] != word:
                cycle.append(heads[cycle[-1]])
            return numpy.asarray(cycle)
    return None
