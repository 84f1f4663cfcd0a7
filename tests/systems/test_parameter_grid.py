"""Every combination of small control parameters works, or the refusal names parameters."""

import re
from dataclasses import fields
from functools import cache
from inspect import signature
from itertools import product

import pytest

from spacy_arceager.gold.derivable import derivable
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import (
    ArcParameters,
    ParameterError,
    SystemParameters,
    custom_system,
)
from spacy_arceager.systems.contradictions import find_contradiction
from spacy_arceager.systems.control_parameters import ControlParameters
from tests.brute_force import all_trees, is_tree
from tests.systems.all_paths import BOTH, PERIPHERIES, behaviour, finished, system_stops_at_end

ARCS = [ArcParameters(*values) for values in product(BOTH, BOTH, PERIPHERIES)]
GRID = {
    "capacity": (2, 3, 4, None),
    "distance": (1, 2, 3),
    "front": BOTH,
    "left": ARCS,
    "right": ARCS,
    "reduce": BOTH,
    "reduce_periphery": PERIPHERIES,
    "swap": BOTH,
    "root": ("none", "right", "left"),
    "fill": (2, None),
    "tree_constraint": BOTH,
}
# A message names each parameter with its value, except periphery.
NAMES = [
    *(f"{side}.{field.name}" for side in ("left", "right") for field in fields(ArcParameters)),
    *(field.name for field in fields(ControlParameters)),
]
PARAMETERS = re.compile(
    "|".join(["periphery", *(rf"\b{re.escape(name)}(?==)" for name in NAMES)])
)


@pytest.mark.slow
def test_a_config_can_set_each_parameter() -> None:
    settable = signature(custom_system).parameters
    for parameter in fields(SystemParameters):
        default = settable[parameter.name].default
        if parameter.name in ("left", "right"):
            assert default is None
        elif parameter.name not in ("name", "capacity"):
            assert default == parameter.default


@cache
def tried() -> tuple[list[SystemParameters], set[str]]:
    """The systems that are accepted, and the messages of the others."""
    accepted, messages = [], set()
    for values in product(*GRID.values()):
        try:
            accepted.append(SystemParameters("grid", **dict(zip(GRID, values, strict=True))))
        except ParameterError as error:
            messages.add(str(error))
    return accepted, messages


@cache
def distinct() -> list[SystemParameters]:
    return list({behaviour(system): system for system in tried()[0]}.values())


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_accepted_system_ends_in_a_tree(n: int) -> None:
    for parameters in distinct():
        system = TransitionSystem(parameters)
        for configuration in finished(system.initial(n), set(), set()):
            assert is_tree(configuration.tree()) or system_stops_at_end(parameters), parameters


@pytest.mark.slow
def test_the_static_oracle_misses_trees_only_where_arcs_are_made_at_the_left_end() -> None:
    missing = []
    for parameters in distinct():
        system = TransitionSystem(parameters)
        ends = finished(system.initial(3), set(), set())
        derived = {tuple(end.tree()) for end in ends if is_tree(end.tree())}
        rebuilt = {tree for tree in all_trees(3) if derivable(system, tree)}
        assert rebuilt <= derived
        if rebuilt < derived:
            missing.append(parameters)
    assert missing
    for parameters in missing:
        assert parameters.capacity != 2
        assert "left" in (parameters.left.periphery, parameters.right.periphery)


def arcs_at_the_end_of_the_input(system: ControlParameters) -> bool:
    """Whether some arc can join the last two words, in a system that reduces every dependent."""
    sides = [arc.periphery for arc in system.lefts + system.rights]
    if system.front:
        return system.capacity == 3 and "left" in sides
    return system.capacity == 2 or sides != ["left", "left"]


@pytest.mark.slow
def test_without_a_reduce_all_and_only_those_are_accepted_that_have_a_last_arc() -> None:
    for capacity, distance, front, left, right in product(
        (2, 3, 4), (1, 2, 3), BOTH, ARCS, ARCS
    ):
        system = ControlParameters("grid", capacity, distance, front, left, right)
        fits = distance < capacity and not (front and system.has_arcs_anywhere)
        if fits and not system.keeps_dependents:
            problem = find_contradiction(system)
            assert (problem is None) == arcs_at_the_end_of_the_input(system), system


@pytest.mark.slow
def test_every_refusal_names_two_parameters() -> None:
    for message in tried()[1]:
        assert len(set(PARAMETERS.findall(message))) >= 2, message
