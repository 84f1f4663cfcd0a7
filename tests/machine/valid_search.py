"""All configurations that the rules about dependents leave, with labels."""

from collections.abc import Iterator
from itertools import product

import numpy

from spacy_arceager.machine.rules import TreeRules, WordRules, kind_of
from spacy_arceager.machine.system import Configuration, TransitionSystem
from spacy_arceager.machine.valid import FinishedTree, restrict, valid_classes
from spacy_arceager.systems import SystemParameters
from spacy_arceager.systems.catalogue import TREE_SYSTEMS, find_system
from spacy_arceager.systems.parameters import ParameterError

LABELS = ("dep", "punct", "nsubj", "case")
NOUN, PUNCT, ADP = (kind_of(tag, "") for tag in ("NOUN", "PUNCT", "ADP"))

Key = tuple
Tree = tuple[tuple[int, ...], tuple[str | None, ...]]


def systems() -> Iterator[SystemParameters]:
    """Every system of the catalogue for trees, with BREAK and with each root that it can have."""
    for name, segment, root in product(TREE_SYSTEMS, (False, True), ("none", "right", "left")):
        try:
            yield find_system(name, segment, root)
        except ParameterError:
            continue


def describe(parameters: SystemParameters) -> str:
    return f"{parameters.name}{' segment' * parameters.segment}, root {parameters.root}"


class ValidSearch:
    """All configurations of a sentence that valid classes lead to.

    Attributes:
        configurations: by a key that is the same for those that can go on alike, each behind all
            that it leads to.
        dead_ends: those in which no legal class is valid.
        trees: the heads and labels of all terminal ones, by their keys.
    """

    def __init__(self, parameters: SystemParameters, kinds: list[int], labels=LABELS):
        self.parameters, self.labels = parameters, labels
        self.system = TransitionSystem(parameters, labels)
        self.rules = WordRules(TreeRules(parameters, labels), numpy.asarray(kinds))
        self.configurations: dict[Key, Configuration] = {}
        self.dead_ends: list[Configuration] = []
        self.trees: dict[Key, Tree] = {}
        start = self.system.initial(len(kinds))
        restrict(start, self.rules)
        self._explore(start)

    def key(self, configuration: Configuration) -> Key:
        return configuration.state(), tuple(configuration.labels)

    def classes(self, configuration: Configuration) -> list[tuple]:
        """The valid classes, with each label that a SHIFT can leave for REDUCE."""
        found = []
        for transition, label in valid_classes(configuration):
            remembers = transition.move == "SHIFT" and self.parameters.non_monotonic
            found += [(transition, k) for k in (self.labels if remembers else [label])]
        return found

    def after(self, configuration: Configuration, chosen: tuple) -> Configuration:
        copy = configuration.copy()
        copy.apply(*chosen)
        return copy

    def _explore(self, start: Configuration) -> None:
        stack, seen = [(start, False)], set()
        while stack:
            configuration, is_left = stack.pop()
            key = self.key(configuration)
            if is_left:
                self.configurations[key] = configuration
            elif key not in seen:
                seen.add(key)
                stack.append((configuration, True))
                stack += [(new, False) for new in self._successors(key, configuration)]

    def _successors(self, key: Key, configuration: Configuration) -> list[Configuration]:
        if configuration.is_terminal:
            heads = configuration.tree()
            labels = [
                None if head == word else label
                for word, (head, label) in enumerate(zip(heads, configuration.labels))
            ]
            self.trees[key] = tuple(heads), tuple(labels)
            return []
        classes = self.classes(configuration)
        if not classes:
            self.dead_ends.append(configuration)
        return [self.after(configuration, chosen) for chosen in classes]

    def broken(self, tree: Tree) -> list[int]:
        heads, labels = tree
        numbers = [-1 if label is None else self.labels.index(label) for label in labels]
        return FinishedTree(
            self.system, self.rules, numpy.asarray(heads), numpy.asarray(numbers)
        ).broken()
