"""The catalogue of systems: the name of each, and what is known about it.

The classes of trees and the numbers of transitions are those that the sources state.
tests/evaluation/test_coverage.py checks them on all trees of few words. A new system is one entry
here, which the component, configs, commands, tables and tests read.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ..errors import unknown_name
from .named import arc_eager, arc_hybrid, arc_standard, attardi, dag, easy_first
from .parameters import SystemParameters

PROJECTIVE = "projective trees"
FORESTS = "projective forests"
SOME = "projective and some other trees"
ALL = "all trees"
GRAPHS = "graphs without crossing arcs"
ACYCLIC = "acyclic graphs without crossing arcs"


class Entry(NamedTuple):
    """A system of the catalogue.

    Attributes:
        name: the name of the system in configs and commands.
        make: a function that makes its control parameters.
        source: author and year.
        trees: which trees, or graphs, it derives.
        transitions: how many transitions a sentence of n words takes at most.
        oracle: ORACLE in arceager.ORACLE_oracle.v1, the oracle that trains the system if the
            config names none.
        oracle_settings: the options of that oracle.
    """

    name: str
    make: Callable[[], SystemParameters]
    source: str
    trees: str
    transitions: str
    oracle: str
    oracle_settings: Mapping[str, Any] = {}

    def parameters(self) -> SystemParameters:
        """The control parameters, with the name of the entry."""
        return replace(self.make(), name=self.name)


NIVRE_2014 = "Nivre and Fernández-González 2014"
HONNIBAL = "Honnibal et al. 2013"
HONNIBAL_2015 = "Honnibal and Johnson 2015"
BOHNET = "Bohnet et al. 2016"
LEFT_AND_REDUCE = ("left", "reduce")
LAZY = {"swap_order": "lazy"}

ENTRIES = [
    Entry("arc_eager", arc_eager, NIVRE_2014, PROJECTIVE, "4n", "exact"),
    Entry(
        "arc_eager_nm", partial(arc_eager, non_monotonic=LEFT_AND_REDUCE),
        HONNIBAL, PROJECTIVE, "4n", "exact",
    ),
    Entry(
        "arc_eager_nm_left", partial(arc_eager, non_monotonic=["left"]),
        HONNIBAL, PROJECTIVE, "4n", "exact",
    ),
    Entry(
        "arc_eager_nm_reduce", partial(arc_eager, non_monotonic=["reduce"]),
        HONNIBAL, PROJECTIVE, "4n", "exact",
    ),
    Entry(
        "arc_eager_nm_unshift", partial(arc_eager, non_monotonic=["left", "unshift"]),
        HONNIBAL_2015, PROJECTIVE, "4n", "exact",
    ),
    Entry(
        "arc_eager_nm_plain",
        partial(arc_eager, tree_constraint=False, non_monotonic=LEFT_AND_REDUCE, root="right"),
        HONNIBAL, FORESTS, "2n", "dynamic",
    ),
    Entry(
        "arc_eager_nm_labelled",
        partial(arc_eager, non_monotonic=LEFT_AND_REDUCE, labelled_reduce=True),
        HONNIBAL, PROJECTIVE, "4n", "exact",
    ),
    Entry(
        "arc_eager_plain", partial(arc_eager, tree_constraint=False),
        "Nivre 2003", FORESTS, "2n", "dynamic",
    ),
    # The exact oracle would be slow: it fills a table for each configuration.
    Entry("arc_standard", arc_standard, "Nivre 2004", PROJECTIVE, "2n", "dynamic"),
    Entry("arc_hybrid", arc_hybrid, "Kuhlmann et al. 2011", PROJECTIVE, "2n", "dynamic"),
    Entry("easy_first", easy_first, "Goldberg and Elhadad 2010", PROJECTIVE, "n", "dynamic"),
    Entry("easy_first_k4", partial(easy_first, capacity=4), BOHNET, PROJECTIVE, "2n", "dynamic"),
    Entry("attardi2", partial(attardi, degree=2), "Attardi 2006", SOME, "2n", "static"),
    Entry("attardi3", partial(attardi, degree=3), "Attardi 2006", SOME, "2n", "static"),
    Entry(
        "arc_eager_d2", partial(arc_eager, distance=2),
        "ours, parameters of Bohnet et al. 2016", SOME, "4n", "reachability",
    ),
    Entry("easy_first_d2", partial(easy_first, distance=2), BOHNET, SOME, "n", "dynamic"),
    Entry("easy_first_d3", partial(easy_first, distance=3), BOHNET, SOME, "n", "dynamic"),
    Entry(
        "easy_first_k4_d2", partial(easy_first, capacity=4, distance=2),
        BOHNET, SOME, "2n", "dynamic",
    ),
    Entry(
        "easy_first_k8_d2", partial(easy_first, capacity=8, distance=2),
        BOHNET, SOME, "2n", "dynamic",
    ),
    # Derivations with few SWAPs are easier to learn.
    Entry(
        "arc_standard_swap", partial(arc_standard, swap=True),
        "Nivre 2009", ALL, "n² + n", "static", LAZY,
    ),
    Entry(
        "arc_hybrid_swap", partial(arc_hybrid, swap=True),
        "de Lhoneux et al. 2017", ALL, "n² + n", "static_dynamic", LAZY,
    ),
    Entry("dag", dag, "Sagae and Tsujii 2008", ACYCLIC, "4n", "dynamic"),
    # This one is for the graphs of Enhanced UD, which have cycles.
    Entry(
        "dag_cyclic", partial(dag, acyclic=False),
        "ours, after Sagae and Tsujii 2008", GRAPHS, "6n", "dynamic",
    ),
]
CATALOGUE: dict[str, Entry] = {entry.name: entry for entry in ENTRIES}

# The systems that build trees, not graphs.
TREE_SYSTEMS = {name: entry for name, entry in CATALOGUE.items() if not entry.make().graph}


def find_system(
    name: str, segment: bool = False, root: str | None = None
) -> SystemParameters:
    """The control parameters of the system that has a name in the catalogue.

    Args:
        name: the name of its entry.
        segment: whether the system has a BREAK between sentences.
        root: "none", "right" or "left"; None for the root that its entry has.

    Raises:
        ValueError: If no entry has the name; the message lists all names.
        ParameterError: If the system cannot have a BREAK, or not that root.
    """
    if name not in CATALOGUE:
        raise ValueError(unknown_name(f"System '{name}'", name, CATALOGUE))
    parameters = CATALOGUE[name].parameters()
    # A document cannot be in O from the start, as words behind a BREAK wait in U.
    fill = 2 if segment else parameters.fill
    return replace(parameters, segment=segment, fill=fill, root=root or parameters.root)


def find_entry(parameters: SystemParameters) -> Entry | None:
    """The entry that has these control parameters but for name, root, fill and BREAK, if any."""
    essence = _essence(parameters)
    return next((entry for entry in CATALOGUE.values() if _essence(entry.make()) == essence), None)


def display_name(parameters: SystemParameters) -> str:
    """The name of the entry of control parameters, "custom" if they have none."""
    entry = find_entry(parameters)
    return "custom" if entry is None else entry.name


def _essence(parameters: SystemParameters) -> dict[str, Any]:
    variable = ("name", "root", "fill", "segment")
    return {key: value for key, value in vars(parameters).items() if key not in variable}
