"""Finds control parameters that contradict each other.

Parameters that pass make a sound system, in which some transition is legal in every configuration
that is not terminal. tests/systems/test_parameter_grid.py shows it for all small settings by
exhaustive search.
"""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import combinations
from types import UnionType
from typing import get_args, get_origin, get_type_hints

from ..errors import unknown_name
from .control_parameters import ArcParameters, ControlParameters

ROOTS = ("none", "right", "left")
PERIPHERIES = ("left", "right", "any")
NON_MONOTONIC = ("left", "reduce", "unshift")
MAX_TRANSITIONS = 32        # the size of the array in machine/transitions/declarations.pxd
MAX_CAPACITY = 2**31 - 1    # the machine counts words in 32 bits
MAX_END = 98                # features see O1 to O99: both ends of an arc, and a word behind them


def find_contradiction(system: ControlParameters) -> str | None:
    """The first problem with the parameters, in words; None if they are sound."""
    for problems in (
        wrong_types, wrong_values, size_problems, arc_problems, front_problems, root_problems,
        flag_problems, segment_problems, graph_problems, too_many_transitions,
    ):
        problem = next(problems(system), None)
        if problem is not None:
            return problem
    return None


@cache
def types_of(owner: type) -> dict[str, tuple[type, ...]]:
    """The types that each field of a dataclass may have."""
    hints = get_type_hints(owner)
    types = {}
    for name in (field.name for field in fields(owner)):
        hint = hints[name]
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        types[name] = tuple(get_origin(kind) or kind for kind in kinds)
    return types


def wrong_types(system: ControlParameters) -> Iterator[str]:
    """Find values of a wrong type. Configs are typed by hand, and a "no" would count as true."""
    yield from wrong_fields(system, "")
    for side, arcs in (("left", system.lefts), ("right", system.rights)):
        for arc in arcs:
            if not isinstance(arc, ArcParameters):
                yield f"{side}={arc!r} should be ArcParameters"
            yield from wrong_fields(arc, f"{side}.")


def wrong_fields(owner: ControlParameters | ArcParameters, prefix: str) -> Iterator[str]:
    """Find fields whose value is of another type than their annotation says."""
    kind_of_owner: type = type(owner)     # mypy takes a type of two classes for unhashable
    for name, kinds in types_of(kind_of_owner).items():
        value = getattr(owner, name)
        if type(value) not in kinds:
            expected = " or ".join("None" if kind is type(None) else kind.__name__
                                   for kind in kinds)
            yield f"{prefix}{name}={value!r} should be {expected}"


def wrong_values(system: ControlParameters) -> Iterator[str]:
    """Find words that their field cannot have."""
    if system.root not in ROOTS:
        yield unknown_name(f"root='{system.root}'", system.root, ROOTS)
    named = [("left", arc.periphery) for arc in system.lefts]
    named += [("right", arc.periphery) for arc in system.rights]
    for name, periphery in [*named, ("reduce", system.reduce_periphery)]:
        if periphery not in PERIPHERIES:
            yield (
                f"periphery='{periphery}' of {name} is unknown; use one of "
                f"{', '.join(PERIPHERIES)}"
            )
    unknown = [name for name in system.non_monotonic if name not in NON_MONOTONIC]
    if unknown:
        yield (
            f"non_monotonic={unknown} is unknown; use any of "
            f"{', '.join(NON_MONOTONIC)}"
        )


def size_problems(system: ControlParameters) -> Iterator[str]:
    """Find contradictions of capacity, distance and fill."""
    capacity, fill = system.capacity, system.fill
    if capacity is not None and capacity < 2:
        yield f"capacity={capacity} leaves no two words for an arc; use 2 or more"
    if capacity is not None and capacity > MAX_CAPACITY:
        yield f"capacity={capacity} is above {MAX_CAPACITY}; use None for all words"
    is_left = any(arc.periphery == "left" for arc in system.lefts + system.rights)
    if capacity is not None and capacity > MAX_END and is_left:
        yield (
            f"capacity={capacity} and periphery='left' contradict each other: features do not see "
            f"so many words; use {MAX_END} or less"
        )
    if system.distance < 1 or (capacity is not None and system.distance >= capacity):
        yield (
            f"distance={system.distance} does not fit capacity={capacity}; "
            "use 1 <= distance < capacity"
        )
    arcs_anywhere = system.has_arcs_only_at("any")
    if capacity is None and not arcs_anywhere:
        yield (
            "capacity=None and periphery other than 'any' contradict each other: only arcs "
            "between any two words can use all of O"
        )
    if fill is not None and (fill < 2 or (capacity is not None and fill > capacity)):
        yield f"fill={fill} does not fit capacity={capacity}; use 2 <= fill <= capacity"
    filled = capacity if fill is None else fill
    if filled != 2 and not arcs_anywhere:
        yield (
            f"fill={fill} and periphery other than 'any' contradict each other: trees are lost "
            "when words are shifted past the position where their arcs are made; use fill=2"
        )
    if filled != 2 and system.segment:
        yield (
            f"fill={fill} and segment=true contradict each other: O is filled with words of "
            "the next sentence; use fill=2"
        )


def arc_problems(system: ControlParameters) -> Iterator[str]:
    """Find systems that lack an arc, or a way to take words out of O."""
    if not system.lefts + system.rights:
        yield "left=[] and right=[] contradict each other: there would be no arcs"
    for side, arcs in (("left", system.lefts), ("right", system.rights)):
        yield from repeated_arcs(side, arcs)
        if system.graph and any(arc.reduce for arc in arcs):
            yield (
                f"graph=true and {side}.reduce=true contradict each other: a word that is taken "
                "out at once could get only one head"
            )
    if system.keeps_dependents and not system.reduce:
        side = "left" if all(arc.reduce for arc in system.rights) else "right"
        yield f"{side}.reduce=false needs reduce=true, or dependents are never taken out"
    if system.reduce and not system.keeps_dependents:
        yield "reduce=true has nothing to do with left.reduce=true and right.reduce=true"
    if system.reduce_headless and not system.graph:
        yield "reduce_headless=true and graph=false: a tree would lose a word"
    if not system.acyclic and not system.graph:
        yield "acyclic=false and graph=false contradict each other: a tree has no cycle"


def repeated_arcs(side: str, arcs: tuple[ArcParameters, ...]) -> Iterator[str]:
    """Find two transitions that do the same."""
    for first, second in combinations(arcs, 2):
        peripheries = {first.periphery, second.periphery}
        if (first.reduce, first.shift) == (second.reduce, second.shift) and (
            len(peripheries) == 1 or "any" in peripheries
        ):
            yield (
                f"two of {side} have reduce={str(first.reduce).lower()} and "
                f"shift={str(first.shift).lower()} and make the same arcs; leave one out"
            )


def front_problems(system: ControlParameters) -> Iterator[str]:
    """Find arcs that are made at places of O where they are of no use, with or without a front."""
    if system.front and system.has_arcs_anywhere:
        yield (
            "periphery='any' and front=true contradict each other: anchors are words of O, and "
            "the front of the buffer is not always one; use front=false"
        )
    if not system.front and not has_last_arc(system, system.lefts + system.rights):
        yield (
            f"periphery='left' and capacity={system.capacity} with front=false contradict each "
            "other: the last words could get no arc; use 'right' or 'any' for one of them"
        )
    if not system.keeps_dependents:
        yield from reducing_problems(system)
    elif system.front:
        yield from keeping_problems(system)
    else:
        yield from keeping_stack_problems(system)


def has_last_arc(system: ControlParameters, arcs: tuple[ArcParameters, ...]) -> bool:
    """Whether one of the arcs can be made when O holds only two tokens."""
    return any(system.capacity == 2 or arc.periphery != "left" for arc in arcs)


def reducing_problems(system: ControlParameters) -> Iterator[str]:
    """Find systems that reduce every dependent but can make no arc at the end of the input."""
    sides = [arc.periphery for arc in system.lefts + system.rights]
    if system.front and not (system.capacity == 3 and "left" in sides):
        yield (
            f"front=true and capacity={system.capacity} with periphery={sides} of LEFT and "
            "RIGHT contradict each other: at the end of the input no arc could be made; use "
            "capacity=3 and one periphery='left', or front=false"
        )


def keeping_problems(system: ControlParameters) -> Iterator[str]:
    """Find contradictions of systems that have a front and keep dependents in O."""
    if system.graph and system.capacity != 2:
        yield (
            f"graph=true and capacity={system.capacity} contradict each other: graphs are built "
            "from arcs with the top of the stack; use capacity=2"
        )
    if system.capacity != 2 and system.reduce_periphery != "any":
        yield (
            f"capacity={system.capacity} and reduce_periphery='{system.reduce_periphery}' "
            "contradict each other with front=true: words on the stack could stay there for "
            "ever; use 'any'"
        )
    peripheries = [arc.periphery for arc in system.lefts + system.rights]
    if "left" in peripheries and system.capacity != 2:
        yield (
            f"periphery='left' and capacity={system.capacity} contradict each other with "
            "reduce=true and front=true: the last words could get no arc; use 'right'"
        )
    if system.reduce_periphery == "right":
        yield (
            "reduce_periphery='right' and front=true contradict each other: the front of the "
            "buffer cannot be reduced; use 'left' or 'any'"
        )


def keeping_stack_problems(system: ControlParameters) -> Iterator[str]:
    """Find contradictions of systems that have no front and keep dependents in O."""
    if system.graph:
        yield "graph=true and front=false contradict each other; use front=true"
    if system.reduce_periphery == "left":
        yield (
            "reduce_periphery='left' and front=false contradict each other: the last words "
            "could not be reduced; use 'any'"
        )
    if system.reduce_periphery == "right" and not all(arc.reduce for arc in system.lefts):
        yield (
            "reduce_periphery='right' and left.reduce=false contradict each other: the "
            "dependent of LEFT could not be reduced; use 'any'"
        )
    if system.reduce_periphery == "right" and system.distance > 1:
        yield (
            f"reduce_periphery='right' and distance={system.distance} contradict each other: "
            "a word that has its head could stay below one that has none; use 'any'"
        )
    keeps_at_left = any(arc.periphery == "left" and not arc.reduce for arc in system.rights)
    if system.reduce_periphery == "right" and keeps_at_left and system.capacity != 2:
        yield (
            "reduce_periphery='right' and right.periphery='left' contradict each other: a "
            "word that has its head could stay below one that has none; use 'any'"
        )


def root_problems(system: ControlParameters) -> Iterator[str]:
    """Find systems in which the artificial root can have no arc to the last word that is left."""
    sides = {"right": ("left", system.lefts), "left": ("right", system.rights)}
    if system.root not in sides:
        return
    side, arcs = sides[system.root]
    if not arcs:
        yield (
            f"{side}=[] and root='{system.root}' contradict each other: the root could take no "
            "word"
        )
    if system.front and system.keeps_dependents:
        if system.root == "left" and any(arc.reduce for arc in system.rights):
            yield (
                "right.reduce=true and root='left' contradict each other with front=true: the "
                "root would become the front of the buffer; use right.reduce=false"
            )
    elif system.front:
        needed = "right" if side == "left" else "left"
        if not any(arc.periphery == needed for arc in arcs):
            yield (
                f"{side}.periphery='{arcs[0].periphery}' and root='{system.root}' contradict "
                "each other with front=true: the root could take no word; use "
                f"'{needed}'"
            )
    elif not has_last_arc(system, arcs):
        yield (
            f"{side}.periphery='left' and root='{system.root}' contradict each other with "
            f"capacity={system.capacity}: the root could take no word; use 'right' or 'any'"
        )


def flag_problems(system: ControlParameters) -> Iterator[str]:
    """Find systems whose arcs do not suit a restricted SHIFT, UNSHIFT, a repair or SWAP."""
    if not system.shift and not system.shifts_dependents:
        yield (
            "shift=false needs a RIGHT that pushes words in the place of SHIFT: front=true, "
            "graph=false, left.shift=false, right.reduce=false, right.shift=true and "
            "periphery='right'"
        )
    if system.tree_constraint and not system.shifts_dependents:
        yield (
            "tree_constraint=true needs arc-eager arcs: front=true, graph=false, "
            "left.shift=false, right.reduce=false, right.shift=true and periphery='right'"
        )
    if system.tree_constraint and system.root == "left":
        yield (
            "tree_constraint=true and root='left' contradict each other: a root that lies below "
            "all words in O could take several; use root='right' or 'none'"
        )
    has_one_left = len(system.lefts) == 1 and system.lefts[0].reduce
    if system.non_monotonic and not (
        system.shifts_dependents and system.capacity == 2 and has_one_left
    ):
        yield (
            "non_monotonic needs an arc-eager system: front=true, capacity=2 (distance=1), "
            "one left with left.reduce=true and left.shift=false, and right.reduce=false and "
            "right.shift=true"
        )
    if (
        "reduce" in system.non_monotonic
        and system.root != "right"
        and not system.tree_constraint
    ):
        yield (
            f"non_monotonic=['reduce'] and root='{system.root}' contradict each other: "
            "parsing stops at the end of the input, before the repair; use root='right' or "
            "tree_constraint=true"
        )
    if system.unshifts_early and not system.tree_constraint:
        yield (
            "non_monotonic=['unshift'] and tree_constraint=false contradict each other: there is "
            "no UNSHIFT; use tree_constraint=true"
        )
    if system.labelled_reduce and "reduce" not in system.non_monotonic:
        yield (
            f"labelled_reduce=true and non_monotonic={list(system.non_monotonic)} contradict "
            "each other; add 'reduce' to non_monotonic"
        )
    if system.swap and system.keeps_dependents:
        yield (
            "swap=true and right.reduce=false (or left.reduce=false) contradict each other: a "
            "word that has its head could be swapped"
        )


def segment_problems(system: ControlParameters) -> Iterator[str]:
    """Find systems that cannot have a BREAK."""
    if system.segment and system.root != "none":
        yield (
            f"segment=true and root='{system.root}' contradict each other: one artificial root "
            "serves one sentence; use root='none'"
        )
    if system.segment and system.capacity is None:
        yield (
            "segment=true and capacity=None contradict each other: all words of the document "
            "would be active at once; use a finite capacity"
        )


def graph_problems(system: ControlParameters) -> Iterator[str]:
    """Find systems that need a single root but build graphs, which have several."""
    if system.graph and system.segment:
        yield (
            "graph=true and segment=true contradict each other: a graph has no one root to "
            "close a sentence with; use segment=false"
        )
    if system.graph and system.root != "none":
        yield (
            f"graph=true and root='{system.root}' contradict each other: words without a head "
            "are the roots of a graph; use root='none'"
        )


def too_many_transitions(system: ControlParameters) -> Iterator[str]:
    """Find systems with more transitions than the machine takes."""
    # The first test is there because a long list of transitions would take long to build.
    longest = system.distance
    if system.reduce and system.reduce_periphery == "any" and not system.has_arcs_anywhere:
        longest = max(longest, system.capacity or 0)
    if longest > MAX_TRANSITIONS + 1 or len(system.transitions) > MAX_TRANSITIONS:
        yield (
            f"distance={system.distance} and capacity={system.capacity} make more transitions "
            f"than the {MAX_TRANSITIONS} that the machine takes; use a lower distance or "
            "capacity"
        )
