"""Truth by exhaustion: every tree, every reachable configuration, the best still possible."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy

from spacy_arceager.machine.system import Configuration, TransitionSystem

Heads = tuple[int, ...]


def is_tree(heads: Sequence[int]) -> bool:
    """One root (its own head), and every word reaches it."""
    if sum(head == word for word, head in enumerate(heads)) != 1:
        return False
    for word in range(len(heads)):
        seen = {word}
        while heads[word] != word:
            word = heads[word]
            if word in seen:
                return False
            seen.add(word)
    return True


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


class Search:
    """Every configuration that can be reached from the initial one, and its value.

    trees: gold trees, in spaCy's convention (the root is its own head).
    """

    def __init__(self, system: TransitionSystem, trees: Sequence[Heads]):
        self.system = system
        self.trees = trees
        self.n = len(trees[0])
        self._gold = self._with_root(numpy.asarray(trees))
        self.values: dict[tuple, numpy.ndarray] = {}
        self.configurations: list[Configuration] = []
        self.finished: list[Configuration] = []
        self.stuck: list[Configuration] = []
        self.longest = self._explore(system.initial(self.n))

    def _with_root(self, heads: numpy.ndarray) -> numpy.ndarray:
        words = numpy.arange(self.n)
        root = self.n if self.system.parameters.root == "right" else -1
        return numpy.where(heads == words, root, heads)

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
        heads: list[int | None] = configuration.heads
        found = numpy.asarray([-1 if head is None else head for head in heads])
        return (self._gold == found).sum(axis=1)

    def true_costs(self, configuration: Configuration) -> dict:
        """From each legal transition to (n_trees,) its cost for each gold tree."""
        before = self.values[configuration.state()]
        return {
            transition: before - self.values[after.state()]
            for transition, after in self.successors(configuration)
        }
