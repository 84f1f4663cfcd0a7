"""Derivations of many gold trees at once: an oracle followed in C, without the GIL."""

from typing import NamedTuple

import numpy

from ..machine.configuration cimport NONE, ConfigurationC, block_size, initialise, operative
from ..machine.system cimport TransitionSystem
from ..machine.transitions cimport (
    SWAP,
    SystemC,
    apply_transition,
    first_anchor,
    is_terminal,
    n_anchors,
)
from .gold cimport GoldC, GoldTrees
from .oracle cimport ILLEGAL, Oracle, OracleC, oracle_costs, scratch_size


class Derivations(NamedTuple):
    """What following an oracle gave.

    heads: (n_words,) int32, the heads built, one a word; a root is its own head.
    counts: (n_trees, n_transitions) int32, how often each transition was taken.
    swaps: (longest + 1,) int32, how many SWAPs were of words so far apart in the sentence.
    """

    heads: numpy.ndarray
    counts: numpy.ndarray
    swaps: numpy.ndarray


def follow(TransitionSystem system not None, Oracle oracle not None, GoldTrees gold not None):
    """Take a cheapest transition of each gold tree to its end; the same as `derivation`.

    oracle: with prefer_plain, derivations need repairs and UNSHIFT only where they must.
    gold: laid out for the system's root; its labels are not used. It has arcs where the
        system builds graphs.
    Returns Derivations. Raises ValueError where the oracle or the gold annotation is not
    made for the system.
    """
    cdef OracleC compiled = oracle.compiled_for(system)
    cdef int n_transitions = system.c.n_transitions
    cdef WorkC work
    cdef int[::1] block = numpy.empty(
        (block_size(&system.c.shape, gold.longest) + 1,), dtype="i")
    cdef int[::1] scratch = numpy.empty(
        (scratch_size(&system.c, gold.longest) + 1,), dtype="i")
    cdef int[::1] costs = numpy.empty((2 * n_transitions,), dtype="i")
    cdef int[::1] heads = numpy.empty((gold.n_words + 1,), dtype="i")
    cdef int[:, ::1] counts = numpy.zeros((gold.n_trees + 1, n_transitions), dtype="i")
    cdef int[::1] swaps = numpy.zeros((gold.longest + 1,), dtype="i")
    cdef int tree, start = 0
    if system.c.shape.graph and not gold.is_graph:
        raise ValueError(f"System '{system.parameters.name}' builds graphs, not trees")
    work.block, work.scratch, work.costs = &block[0], &scratch[0], &costs[0]
    work.swaps = &swaps[0]
    with nogil:
        for tree in range(gold.n_trees):
            if gold.lengths[tree]:
                follow_one(&system.c, &compiled, &gold.c[tree], &work, &heads[start],
                           &counts[tree, 0])
            start += gold.lengths[tree]
    return Derivations(numpy.asarray(heads)[:gold.n_words],
                       numpy.asarray(counts)[:gold.n_trees], numpy.asarray(swaps))


# Arrays that every tree uses anew, and the histogram of SWAPs.
cdef struct WorkC:
    int* block
    int* scratch
    int* costs
    int* swaps


cdef struct ChoiceC:
    int transition
    int anchor


cdef void follow_one(const SystemC* system, const OracleC* oracle, const GoldC* gold,
                     WorkC* work, int* heads, int* counts) noexcept nogil:
    cdef ConfigurationC c
    cdef ChoiceC best
    cdef int word
    initialise(&c, &system.shape, work.block, gold.n_words)
    while not is_terminal(system, &c):
        best = cheapest(system, oracle, &c, gold, work)
        if best.transition == NONE:
            break
        if system.transitions[best.transition].move == SWAP:
            work.swaps[operative(&c, 1) - operative(&c, 2)] += 1
        counts[best.transition] += 1
        apply_transition(system, &c, &system.transitions[best.transition], best.anchor, NONE)
    for word in range(gold.n_words):
        heads[word] = c.head[word]
        if heads[word] == NONE or heads[word] == gold.n_words:
            heads[word] = word


cdef ChoiceC cheapest(const SystemC* system, const OracleC* oracle, const ConfigurationC* c,
                      const GoldC* gold, WorkC* work) noexcept nogil:
    # The first of the cheapest transitions; anchors from the right end of O.
    cdef ChoiceC best
    cdef int anchor = first_anchor(system, c)
    cdef int position, i, lowest = ILLEGAL
    best.transition, best.anchor = NONE, anchor
    for position in range(1, n_anchors(system, c) + 1):
        oracle_costs(oracle, system, c, gold, anchor, position, work.scratch, work.costs)
        for i in range(system.n_transitions):
            if work.costs[i] < lowest:
                lowest = work.costs[i]
                best.transition, best.anchor = i, anchor
        if lowest == 0:
            break
        if anchor >= 0:
            anchor = c.below[anchor]
    return best
