"""Named systems and random control parameters."""

from dataclasses import fields, replace
from functools import cache
from random import Random

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.systems import ArcParameters, ParameterError, SystemParameters
from spacy_arceager.systems.catalogue import CATALOGUE

ROOTS = ("none", "left", "right")
PERIPHERIES = ("left", "right", "any")
FLAGS = [parameter.name for parameter in fields(SystemParameters) if parameter.type is bool]
CHANGES = 12


@cache
def named_systems() -> dict[str, SystemParameters]:
    """Every named system with each root, with and without BREAK, where they go together."""
    found = {}
    for name, entry in CATALOGUE.items():
        for root in ROOTS:
            for segment in (False, True):
                try:
                    system = replace(entry.parameters(), root=root, segment=segment)
                except ParameterError:
                    continue
                found[f"{name}, root {root}" + ", segment" * segment] = system
    return found


def random_system(rng: Random) -> SystemParameters:
    """Random control parameters: a named system, changed in places until it is another."""
    system = rng.choice(list(named_systems().values()))
    for _ in range(CHANGES):
        try:
            changed = replace(system, name="random", **random_change(rng, system))
            TransitionSystem(changed, ["a"])
        except ValueError:      # contradictions; too many transitions
            continue
        system = changed
    return system


def random_change(rng: Random, system: SystemParameters) -> dict:
    """A value for one or two of the control parameters."""
    which = rng.randrange(8)
    if which == 0:
        return {"capacity": rng.choice([None, 2, 3, 4, 5, 6, 8, 20])}
    if which == 1:
        return {"distance": rng.choice([1, 2, 3, 4])}
    if which == 2:
        return {rng.choice(["left", "right"]): random_arcs(rng)}
    if which == 3:
        return {"left": random_arcs(rng), "right": random_arcs(rng), "reduce": True}
    if which == 4:
        return {
            "fill": rng.choice([None, 2, 3, 5, 20]),
            "reduce_periphery": rng.choice(PERIPHERIES),
        }
    if which == 5:
        moves = tuple(move for move in ("left", "reduce") if rng.random() < 0.5)
        return {"non_monotonic": moves, "root": rng.choice(ROOTS)}
    if which == 6:     # several LEFTs and RIGHTs, or none
        return {
            side: tuple(random_arcs(rng) for _ in range(rng.randint(0, 2)))
            for side in ("left", "right")
        }
    flag = rng.choice(FLAGS)
    return {flag: not getattr(system, flag)}


def random_arcs(rng: Random) -> ArcParameters:
    return ArcParameters(
        reduce=rng.random() < 0.6, shift=rng.random() < 0.3, periphery=rng.choice(PERIPHERIES)
    )


def promises_one_root(system: SystemParameters) -> bool:
    """Whether each sentence has one root; docs/limits.md names the others."""
    return system.tree_constraint or not (system.front and system.reduce)
