"""What must hold for every output; `Fault` says what did not."""

import numpy
from numpy.typing import NDArray

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.search.rollout import RollOut
from tests.fuzz.inputs import first_words
from tests.fuzz.systems import promises_one_root


class Fault(AssertionError):
    """An output that breaks a promise."""


def check(holds: bool | numpy.bool_, fault: str) -> None:
    if not holds:
        raise Fault(fault)


def check_parses(
    system: TransitionSystem,
    lengths: NDArray,
    flags: NDArray,
    heads: NDArray,
    labels: NDArray,
    starts: NDArray,
) -> None:
    """Parses of a batch: well-formed trees within the boundaries that were given.

    lengths: words of each text. flags: where sentences may not (1) and must (2) start.
    heads, labels, starts: as from `greedy.parse`.
    """
    words = numpy.arange(lengths.sum())
    firsts = first_words(lengths)
    size = numpy.repeat(lengths, lengths)
    check(((heads >= 0) & (heads < size)).all(), "ill-formed: a head outside the text")
    check(starts[firsts].all(), "lost preset: a text that starts no sentence")
    check(system.parameters.segment or starts.sum() == len(lengths), "lost preset: a boundary")
    check(not starts[flags == 1].any(), "lost preset: a sentence starts where none may")
    check(starts[flags == 2].all(), "lost preset: no sentence starts where one must")
    heads = heads + numpy.repeat(firsts, lengths)
    sentences = numpy.cumsum(starts) - 1
    check((sentences[heads] == sentences).all(), "ill-formed: an arc over a boundary")
    is_root = heads == words
    roots = numpy.bincount(sentences[is_root], minlength=sentences[-1] + 1)
    check((roots > 0).all(), "ill-formed: a sentence without a root")
    if promises_one_root(system.parameters):
        check((roots == 1).all(), "ill-formed: several roots")
    check((labels[is_root] == -1).all(), "ill-formed: a root with a label")
    others = labels[~is_root]
    check(((others >= 0) & (others < len(system.labels))).all(), "ill-formed: no such label")
    check(is_root[ancestors(heads, int(lengths.max()))].all(), "ill-formed: a cycle")
    if system.parameters.is_projective:
        check(not crosses(heads), "ill-formed: crossing arcs in a projective system")


def ancestors(heads: NDArray, steps: int) -> NDArray:
    """The word at least so many steps up from each."""
    for _ in range(steps.bit_length()):
        heads = heads[heads]
    return heads


def crosses(heads: NDArray) -> bool:
    """Whether two arcs cross, in a text of any number of trees."""
    words = numpy.arange(heads.size)
    left, right = numpy.minimum(words, heads), numpy.maximum(words, heads)
    arcs = left < right
    # The widest of the arcs from one word first; an open arc must close before the one
    # that is around it.
    order = numpy.lexsort((-right[arcs], left[arcs]))
    ends: list[int] = []
    for start, end in zip(left[arcs][order].tolist(), right[arcs][order].tolist()):
        while ends and ends[-1] <= start:
            ends.pop()
        if ends and ends[-1] < end:
            return True
        ends.append(end)
    return False


def check_graphs(system: TransitionSystem, lengths: NDArray, arcs: NDArray) -> None:
    """Arcs of graphs, (n_arcs, 3): within a text, without cycles where that is promised."""
    texts = numpy.repeat(numpy.arange(len(lengths)), lengths)
    dependents, heads, labels = arcs.T
    check(
        ((arcs[:, :2] >= 0) & (arcs[:, :2] < texts.size)).all(), "ill-formed: no such word"
    )
    check((texts[dependents] == texts[heads]).all(), "ill-formed: an arc between texts")
    if system.parameters.acyclic:
        check(not has_cycle(dependents, heads), "ill-formed: a cycle in a graph")
    ends = {(d, h) for d, h in zip(dependents.tolist(), heads.tolist())}
    check(len(ends) == len(arcs), "ill-formed: an arc twice")
    known = labels[dependents != heads]
    check(((known >= 0) & (known < len(system.labels))).all(), "ill-formed: no such label")


def has_cycle(dependents: NDArray, heads: NDArray) -> bool:
    """Whether arcs, other than of words to themselves, go round; by taking leaves off."""
    left = dependents != heads
    while left.any():
        leaves = ~numpy.isin(dependents, heads[left]) & left
        if not leaves.any():
            return True
        left &= ~leaves
    return False


def check_roll_out(result: RollOut, weights: str, beam: bool) -> None:
    """The loss and its gradient.

    weights: of which kind they are; numbers that are none go on as such.
    """
    n_rows = len(result.scores)
    check(len(result.d_scores) == n_rows == len(result.hidden), "roll-out: rows")
    check(0 <= result.n_wrong <= result.n_states, "roll-out: counts")
    if weights not in ("normal", "ties", "zero", "tiny"):
        return
    check(numpy.isfinite(result.loss), "roll-out: the loss is no number")
    check(numpy.isfinite(result.d_scores).all(), "roll-out: the gradient is no number")
    if not beam:
        check(result.loss > -1e-3, "roll-out: a negative loss")
        total = abs(float(result.d_scores.sum(dtype="d")))
        check(total < 1e-3 * (1 + n_rows), f"roll-out: the gradient sums to {total}")
