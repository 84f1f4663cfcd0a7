"""The named systems with what is known about each; one place for all lists of systems.

Classes of trees and numbers of transitions are those of the sources, checked by exhaustive
search in the tests.
"""

from collections.abc import Callable
from typing import NamedTuple

from .named import (
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    dag,
    easy_first,
)
from .parameters import SystemParameters

PROJECTIVE = "projective trees"
FORESTS = "projective forests"
SOME = "projective and some other trees"
ALL = "all trees"
GRAPHS = "graphs without crossing arcs"


class Entry(NamedTuple):
    """A system of the catalogue.

    parameters: makes its control parameters.
    source: author and year.
    trees: which trees, or graphs, it derives.
    transitions: how many a sentence of n words takes at most.
    exact: the kinds of `Oracle` that give true costs for every gold tree that is projective
        (with SWAP: for every gold tree).
    """

    parameters: Callable[[], SystemParameters]
    source: str
    trees: str
    transitions: str
    exact: tuple[str, ...] = ()

    @property
    def oracles(self) -> tuple[str, ...]:
        """Kinds of `Oracle` that are made for it: the oracles themselves tell."""
        from ..oracles.oracle import KINDS, Oracle  # not before: this module is data only

        return tuple(kind for kind in KINDS if Oracle(kind).suits(self.parameters()))


BOHNET = "Bohnet et al. 2016"
SUM = ("dynamic", "reachability", "exact")     # a sum over arcs is exact, under any name

CATALOGUE: dict[str, Entry] = {
    "arc_eager": Entry(arc_eager, "Nivre and Fernández-González 2014", PROJECTIVE, "4n", ("exact",)),
    "arc_eager_nm": Entry(
        lambda: arc_eager(non_monotonic=["left", "reduce"]),
        "Honnibal et al. 2013", PROJECTIVE, "4n", ("exact",),
    ),
    "arc_eager_nm_left": Entry(
        lambda: arc_eager(non_monotonic=["left"]),
        "Honnibal et al. 2013", PROJECTIVE, "4n", ("exact",),
    ),
    "arc_eager_nm_reduce": Entry(
        lambda: arc_eager(non_monotonic=["reduce"]),
        "Honnibal et al. 2013", PROJECTIVE, "4n", ("exact",),
    ),
    "arc_eager_nm_plain": Entry(
        lambda: arc_eager(False, ["left", "reduce"], root="right"),
        "Honnibal et al. 2013", FORESTS, "2n", ("dynamic",),
    ),
    "arc_eager_nm_labelled": Entry(
        lambda: arc_eager(non_monotonic=["left", "reduce"], labelled_reduce=True),
        "Honnibal et al. 2013", PROJECTIVE, "4n", ("exact",),
    ),
    "arc_eager_plain": Entry(
        lambda: arc_eager(tree_constraint=False), "Nivre 2003", FORESTS, "2n", ("dynamic",)
    ),
    "arc_standard": Entry(arc_standard, "Nivre 2004", PROJECTIVE, "2n", ("exact",)),
    "arc_hybrid": Entry(arc_hybrid, "Kuhlmann et al. 2011", PROJECTIVE, "2n", SUM),
    "easy_first": Entry(easy_first, "Goldberg and Elhadad 2010", PROJECTIVE, "n", SUM),
    "easy_first_k4": Entry(lambda: easy_first(4), BOHNET, PROJECTIVE, "2n"),
    "attardi2": Entry(lambda: attardi(2), "Attardi 2006", SOME, "2n"),
    "attardi3": Entry(lambda: attardi(3), "Attardi 2006", SOME, "2n"),
    "arc_eager_d2": Entry(
        lambda: arc_eager(distance=2), "ours, parameters of Bohnet et al. 2016", SOME, "4n"
    ),
    "easy_first_d2": Entry(lambda: easy_first(distance=2), BOHNET, SOME, "n", SUM),
    "easy_first_d3": Entry(lambda: easy_first(distance=3), BOHNET, SOME, "n", SUM),
    "easy_first_k4_d2": Entry(lambda: easy_first(4, 2), BOHNET, SOME, "2n"),
    "easy_first_k8_d2": Entry(lambda: easy_first(8, 2), BOHNET, SOME, "2n"),
    "arc_standard_swap": Entry(
        lambda: arc_standard(swap=True), "Nivre 2009", ALL, "n² + n", ("exact",)
    ),
    "arc_hybrid_swap": Entry(
        lambda: arc_hybrid(swap=True), "de Lhoneux et al. 2017", ALL, "n² + n", ("exact",)
    ),
    "dag": Entry(dag, "Sagae and Tsujii 2008", GRAPHS, "4n"),
}

# Those that build trees.
TREE_SYSTEMS = {name: entry for name, entry in CATALOGUE.items() if entry.trees != GRAPHS}


def find_system(name: str) -> SystemParameters:
    """The control parameters of a system by its name.

    Raises ValueError, with all names, where there is no such system.
    """
    if name not in CATALOGUE:
        names = ", ".join(CATALOGUE)
        raise ValueError(f"System '{name}' is unknown; use one of {names}")
    return CATALOGUE[name].parameters()
