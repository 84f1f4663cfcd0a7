"""Derivations of many gold trees in one call, which follows an oracle without the GIL."""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ..kernels.interrupt cimport WatchC, check_signals
from ..machine.configuration cimport NONE, ConfigurationC, block_size, initialise, operative
from ..machine.system cimport TransitionSystem
from ..machine.transitions.declarations cimport SystemC
from ..machine.transitions.dispatch cimport apply_transition, is_terminal
from ..machine.transitions.swap cimport SWAP
from .compiled cimport CompiledOracle, cheapest
from .costs cimport CheapestC, OracleC
from .gold cimport GoldC, GoldTrees
from .oracle cimport Oracle


class Derivations(NamedTuple):
    """The results of the derivations of many gold trees.

    Attributes:
        heads: (n_words,) int32, the head that the derivation gave each word. A word without a head
            is its own head, and so is a word whose head is the artificial root. In a graph, it is
            the latest head of the word.
        counts: (n_trees, n_transitions) int32, how often each transition was taken for each tree.
        swaps: (longest + 1,) int32, how many SWAPs swapped two words at each distance. The distance
            is the difference of the words' places in the sentence.
    """

    heads: NDArray[numpy.int32]
    counts: NDArray[numpy.int32]
    swaps: NDArray[numpy.int32]


def follow(
    TransitionSystem system not None, Oracle oracle not None, GoldTrees gold not None,
) -> Derivations:
    """Derive each gold tree or graph by cheapest transitions, as `Oracle.derivation` does.

    Args:
        gold: the gold trees, or the gold graphs if the system builds graphs. They have an
            artificial root if the system has one. Labels are not used.

    Returns:
        Derivations.

    Raises:
        ValueError: If the oracle or the gold annotation is not made for the system, or if an oracle
            in Python fails.
    """
    gold.check(system)
    cdef CompiledOracle ready = oracle._compile(system, gold.longest, True)
    cdef int n_transitions = system.c.n_transitions
    cdef int[::1] block = numpy.empty(
        (block_size(&system.c.shape, gold.longest) + 1,), dtype="i")
    cdef int[::1] heads = numpy.empty((gold.n_words + 1,), dtype="i")
    cdef int[:, ::1] counts = numpy.zeros((gold.n_trees + 1, n_transitions), dtype="i")
    cdef int[::1] swaps = numpy.zeros((gold.longest + 1,), dtype="i")
    cdef int tree, start = 0
    cdef WatchC watch = WatchC(0, 0)
    with nogil:
        for tree in range(gold.n_trees):
            if gold.lengths[tree]:
                follow_one(&ready.c, &gold.c[tree], &block[0], &heads[start],
                           &counts[tree, 0], &swaps[0], &watch)
            start += gold.lengths[tree]
    ready.check()
    return Derivations(numpy.asarray(heads)[:gold.n_words],
                       numpy.asarray(counts)[:gold.n_trees], numpy.asarray(swaps))


cdef int follow_one(const OracleC* oracle, const GoldC* gold, int* block, int* heads,
                    int* counts, int* swaps, WatchC* watch) except -1 nogil:
    cdef const SystemC* system = oracle.system
    cdef ConfigurationC c
    cdef CheapestC best
    cdef int word
    initialise(&c, &system.shape, block, gold.n_words)
    while not is_terminal(system, &c):
        best = cheapest(oracle, &c, gold)
        if best.transition == NONE:
            break
        if system.transitions[best.transition].move == SWAP:
            swaps[operative(&c, 1) - operative(&c, 2)] += 1
        counts[best.transition] += 1
        apply_transition(system, &c, &system.transitions[best.transition], best.anchor, NONE)
        check_signals(watch)
    for word in range(gold.n_words):
        heads[word] = c.head[word]
        if heads[word] == NONE or heads[word] == gold.n_words:
            heads[word] = word
    return 0
