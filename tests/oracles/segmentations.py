"""Documents of several sentences: all that a system can derive, and all that there are."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy

from spacy_arceager.machine.system import Configuration, TransitionSystem

Document = tuple[tuple[int, ...], tuple[bool, ...]]    # heads, and where sentences start


def segmentations(n: int) -> Iterator[tuple[bool, ...]]:
    return ((True, *rest) for rest in product((False, True), repeat=n - 1))


def documents(n: int, trees: dict[int, Sequence[tuple[int, ...]]]) -> set[Document]:
    """Every segmentation of n words into sentences, with every tree of every sentence."""
    every_document = set()
    for starts in segmentations(n):
        firsts = [i for i, start in enumerate(starts) if start]
        lengths = numpy.diff([*firsts, n]).tolist()
        for parts in product(*(trees[length] for length in lengths)):
            heads = [first + head for first, tree in zip(firsts, parts) for head in tree]
            every_document.add((tuple(heads), starts))
    return every_document


def outcomes(system: TransitionSystem, n: int) -> tuple[set[Document], int]:
    """All documents that can be derived, and the length of the longest derivation."""
    depth: dict[tuple, int] = {}
    derived = set()

    def visit(configuration: Configuration) -> int:
        state = configuration.state()
        if state not in depth:
            legal = configuration.legal()
            assert bool(legal) != configuration.is_terminal, configuration.state()
            if not legal:
                starts = configuration.sentence_starts
                derived.add((tuple(configuration.tree()), tuple(i in starts for i in range(n))))
            depth[state] = max((1 + visit(after(configuration, t)) for t in legal), default=0)
        return depth[state]

    return derived, visit(system.initial(n))


def after(configuration: Configuration, transition: object) -> Configuration:
    copy = configuration.copy()
    copy.apply(transition)
    return copy
