"""Control parameters that were checked: what makes one transition system different from
another.
"""

from dataclasses import dataclass

from .contradictions import find_contradiction
from .control_parameters import ArcParameters, ControlParameters, Transition

__all__ = ["ArcParameters", "ParameterError", "SystemParameters", "Transition"]


class ParameterError(ValueError):
    """Control parameters that contradict each other; the message names them."""


@dataclass(frozen=True)
class SystemParameters(ControlParameters):
    """A transition system as data.

    name: how the system is called in messages.
    capacity: K, how many operative tokens are active; None for all of them.
    distance: D, how far apart in O the two words of an arc may be.
    front: O[1] is the front of the buffer, O[2] the top of the stack.
    left, right: the parameters of LEFT and RIGHT; of a multiset of transitions, those of
        each LEFT and each RIGHT, in a tuple; an empty one where there is none.
    shift: SHIFT can be chosen wherever there is a next word; False: only where O holds fewer
        tokens than `fill`, so that all other words are pushed by RIGHT.
    reduce: there is a REDUCE of an active token that has a head.
    reduce_periphery: P of REDUCE: "left", "right" or "any".
    reduce_headless: REDUCE may take out a word without a head (for graphs).
    tree_constraint: UNSHIFT, and no SHIFT once the end of the input has been seen.
    non_monotonic: any of "left" (LEFT may replace a head) and "reduce" (REDUCE of a
        headless word attaches it to the word below it).
    labelled_reduce: that REDUCE is a transition of its own, ATTACH, with labels; otherwise
        the word gets the label remembered when it was shifted.
    swap: there is a SWAP of O[1] and O[2].
    segment: there is a BREAK between sentences.
    graph: a word may have several heads; every word without one is a root.
    acyclic: arcs of a graph make no cycle.
    root: "none" (the last word left is the root), "right" or "left" (an artificial root
        behind the last or before the first word).
    fill: how many tokens O must hold before anything but SHIFT is legal; None for K.

    Raises:
        ParameterError: Naming two parameters, where they contradict each other.
    """

    def __post_init__(self) -> None:
        for name in ("left", "right"):
            object.__setattr__(self, name, simplest(getattr(self, name)))
        problem = find_contradiction(self)
        if problem is not None:
            raise ParameterError(f"Transition system '{self.name}': {problem}")


def simplest(arcs: object) -> object:
    """One arc is not kept as a list of one, so that equal systems compare equal."""
    if not isinstance(arcs, list | tuple):
        return arcs
    return arcs[0] if len(arcs) == 1 else tuple(arcs)
