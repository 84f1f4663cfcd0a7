"""Truth by exhaustion: every tree or graph, every reachable configuration, the best still
possible."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random

import numpy

from spacy_arceager.machine.system import Configuration, TransitionSystem

Heads = tuple[int, ...]
Graph = tuple[tuple[int, ...], ...]    # the heads of each word


def is_tree(heads: Sequence[int]) -> bool:
    """One root (its own head), and every word reaches it."""
    if sum(head == word for word, head in enumerate(heads)) != 1:
        return False
    for word in range(len(heads)):
        seen = {word}
        above = word
        while heads[above] != above:
            above = heads[above]
            if above in seen:
                return False
            seen.add(above)
    return True


def random_tree(n: int, generator: Random) -> list[int]:
    """One root (its own head), and each other word under a random one."""
    order = generator.sample(range(n), n)
    heads = [order[0]] * n
    for place, word in enumerate(order[1:], 1):
        heads[word] = generator.choice(order[:place])
    return heads


def is_projective(heads: Sequence[int]) -> bool:
    """No two arcs cross, and no arc covers the root."""
    arcs = [(min(d, h), max(d, h)) for d, h in enumerate(heads) if d != h]
    root = next(d for d, h in enumerate(heads) if d == h)
    crossing = any(a < c < b < d for a, b in arcs for c, d in arcs)
    return not crossing and not any(a < root < b for a, b in arcs)


@cache
def all_trees(n: int) -> tuple[Heads, ...]:
    return tuple(heads for heads in product(range(n), repeat=n) if is_tree(heads))


@cache
def projective_trees(n: int) -> tuple[Heads, ...]:
    return tuple(heads for heads in all_trees(n) if is_projective(heads))


def without_some_heads(trees: Sequence[Heads]) -> list[tuple[int | None, ...]]:
    """Each tree, and each with some heads missing."""
    return sorted({
        tuple(head if known else None for head, known in zip(heads, mask))
        for heads in trees for mask in product((False, True), repeat=len(heads))
    }, key=str)


@cache
def all_graphs(n: int) -> tuple[Graph, ...]:
    """Every directed graph without self-loops."""
    others = [[head for head in range(n) if head != word] for word in range(n)]
    subsets = [
        [tuple(h for h, bit in zip(heads, bits) if bit)
         for bits in product((0, 1), repeat=n - 1)]
        for heads in others
    ]
    return tuple(product(*subsets))


def arcs_of(graph: Graph) -> list[tuple[int, int]]:
    """(head, dependent) of each arc."""
    return [(head, word) for word, heads in enumerate(graph) for head in heads]


def is_acyclic(graph: Graph) -> bool:
    left = set(range(len(graph)))
    while True:
        free = {word for word in left if not left & set(graph[word])}
        if not free:
            return not left
        left -= free


def has_crossing(graph: Graph) -> bool:
    spans = [(min(arc), max(arc)) for arc in arcs_of(graph)]
    return any(a < c < b < d for a, b in spans for c, d in spans)


@cache
def noncrossing_graphs(n: int, acyclic: bool) -> tuple[Graph, ...]:
    return tuple(
        graph for graph in all_graphs(n)
        if not has_crossing(graph) and (not acyclic or is_acyclic(graph))
    )


class Search:
    """Every configuration that can be reached from the initial one, and its value.

    trees: gold trees, in spaCy's convention (the root is its own head); None for a missing head.
    """

    def __init__(self, system: TransitionSystem, trees: Sequence[tuple[int | None, ...]]):
        self.system = system
        self.trees = trees
        self.n = len(trees[0])
        self._gold = numpy.asarray(trees)
        self.values: dict[tuple, numpy.ndarray] = {}
        self.configurations: list[Configuration] = []
        self.finished: list[Configuration] = []
        self.stuck: list[Configuration] = []
        self.longest = self._explore(system.initial(self.n))

    def _explore(self, initial: Configuration) -> int:
        depth: dict[tuple, int] = {}

        def visit(configuration: Configuration) -> int:
            state = configuration.state()
            if state in depth:
                return depth[state]
            self.configurations.append(configuration)
            successors = list(self.successors(configuration))
            if not successors:
                end = self.finished if configuration.is_terminal else self.stuck
                end.append(configuration)
                self.values[state] = self.final_value(configuration)
                depth[state] = 0
                return 0
            depth[state] = 1 + max(visit(after) for _, after in successors)
            self.values[state] = numpy.max(
                [self.values[after.state()] for _, after in successors], axis=0
            )
            return depth[state]

        return visit(initial)

    def successors(self, configuration: Configuration) -> Iterator[tuple]:
        for transition in configuration.legal():
            after = configuration.copy()
            after.apply(transition)
            yield transition, after

    def final_value(self, configuration: Configuration) -> numpy.ndarray:
        """(n_trees,) words with the right head; a word without head is a root."""
        return (self._gold == configuration.tree()).sum(axis=1)

    def true_costs(self, configuration: Configuration) -> dict:
        """From each legal transition to (n_trees,) its cost for each gold tree."""
        before = self.values[configuration.state()]
        return {
            transition: before - self.values[after.state()]
            for transition, after in self.successors(configuration)
        }


class GraphSearch(Search):
    """The same for systems that build graphs.

    A graph is worth its gold arcs minus its wrong ones.
    """

    def __init__(self, system: TransitionSystem, graphs: Sequence[Graph]):
        self.graphs = graphs
        n = len(graphs[0])
        self._worth = numpy.full((len(graphs), n, n), -1)
        for i, graph in enumerate(graphs):
            for head, dependent in arcs_of(graph):
                self._worth[i, head, dependent] = 1
        super().__init__(system, [tuple(range(n))])

    def final_value(self, configuration: Configuration) -> numpy.ndarray:
        value = numpy.zeros(len(self.graphs), dtype=int)
        for head, dependent in arcs_of(built_graph(configuration)):
            value += self._worth[:, head, dependent]
        return value


def built_graph(configuration: Configuration) -> Graph:
    return tuple(tuple(head for head, _ in arcs) for arcs in configuration.graph)


def has_subtree(heads: tuple[int, ...], first: int, last: int) -> bool:
    """Whether the words from first to last are exactly the subtree of some word."""
    def below(word: int) -> set[int]:
        subtree = {word}
        while True:
            larger = {child for child, head in enumerate(heads) if head in subtree} | subtree
            if larger == subtree:
                return subtree
            subtree = larger

    return any(below(word) == {*range(first, last + 1)} for word in range(len(heads)))
