"""Which control parameters contradict each other.

Every set of parameters that passes is sound: the tests try all small ones by exhaustive
search, for configurations in which nothing is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .parameters import SystemParameters

ROOTS = ("none", "right", "left")
PERIPHERIES = ("left", "right", "any")
NON_MONOTONIC = ("left", "reduce")
TYPES: dict[Any, tuple[type, ...]] = {
    bool: (bool,), int: (int,), int | None: (int, type(None)), str: (str,)
}


def find_contradiction(system: SystemParameters) -> str | None:
    """The first problem with the parameters, in words, or None."""
    for problems in (
        wrong_types, wrong_values, size_problems, arc_problems, front_problems, root_problems,
        flag_problems,
    ):
        problem = next(problems(system), None)
        if problem is not None:
            return problem
    return None


def wrong_types(system: SystemParameters) -> Iterator[str]:
    """Configs are typed by hand, and "no" would count as true."""
    arcs = {f"{side}.{field.name}": (getattr(getattr(system, side), field.name), field.type)
            for side in ("left", "right") for field in fields(getattr(system, side))}
    own = {field.name: (getattr(system, field.name), field.type) for field in fields(system)}
    for name, (value, expected) in {**own, **arcs}.items():
        if type(value) not in TYPES.get(expected, (type(value),)):
            yield f"{name}={value!r} should be {getattr(expected, '__name__', expected)}"


def wrong_values(system: SystemParameters) -> Iterator[str]:
    if system.root not in ROOTS:
        yield f"root='{system.root}' is unknown; use one of {', '.join(ROOTS)}"
    named = {"left": system.left.periphery, "right": system.right.periphery,
             "reduce": system.reduce_periphery}
    for name, periphery in named.items():
        if periphery not in PERIPHERIES:
            yield (
                f"periphery='{periphery}' of {name} is unknown; use one of "
                f"{', '.join(PERIPHERIES)}"
            )
    unknown = set(system.non_monotonic) - set(NON_MONOTONIC)
    if unknown:
        yield (
            f"non_monotonic={sorted(unknown)} is unknown; use any of "
            f"{', '.join(NON_MONOTONIC)}"
        )


def size_problems(system: SystemParameters) -> Iterator[str]:
    """Capacity, distance and fill."""
    capacity, fill = system.capacity, system.fill
    if capacity is not None and capacity < 2:
        yield f"capacity={capacity} leaves no two words for an arc; use 2 or more"
    if system.distance < 1 or (capacity is not None and system.distance >= capacity):
        yield (
            f"distance={system.distance} does not fit capacity={capacity}; "
            "use 1 <= distance < capacity"
        )
    arcs_anywhere = system.left.periphery == system.right.periphery == "any"
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


def arc_problems(system: SystemParameters) -> Iterator[str]:
    """How words get out of O."""
    if system.graph and system.left.reduce:
        yield "graph=true and left.reduce=true contradict each other: one head a word"
    if system.graph and system.right.reduce:
        yield "graph=true and right.reduce=true contradict each other: one head a word"
    if system.keeps_dependents and not system.reduce:
        side = "right" if not system.right.reduce else "left"
        yield f"{side}.reduce=false needs reduce=true, or dependents are never taken out"
    if system.reduce and not system.keeps_dependents:
        yield "reduce=true has nothing to do with left.reduce=true and right.reduce=true"
    if system.reduce_headless and not system.graph:
        yield "reduce_headless=true and graph=false: a tree would lose a word"
    if not system.acyclic and not system.graph:
        yield "acyclic=false and graph=false contradict each other: a tree has no cycle"


def front_problems(system: SystemParameters) -> Iterator[str]:
    """Where the arc transitions are, with a buffer front in O[1] or without."""
    if "any" in (system.left.periphery, system.right.periphery) and system.front:
        yield (
            "periphery='any' and front=true contradict each other: anchors are words of O, and "
            "the front of the buffer is not always one; use front=false"
        )
    sides = (system.left.periphery, system.right.periphery)
    if not system.front and sides == ("left", "left") and system.capacity != 2:
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


def reducing_problems(system: SystemParameters) -> Iterator[str]:
    """Systems that reduce every dependent: some arc must be possible at the end."""
    sides = (system.left.periphery, system.right.periphery)
    if system.front and not (system.capacity == 3 and "left" in sides):
        yield (
            f"front=true and capacity={system.capacity} with left.periphery='{sides[0]}' and "
            f"right.periphery='{sides[1]}' contradict each other: at the end of the input no "
            "arc could be made; use capacity=3 and one periphery='left', or front=false"
        )


def keeping_problems(system: SystemParameters) -> Iterator[str]:
    """Systems with a buffer front and REDUCE."""
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
    if "left" in (system.left.periphery, system.right.periphery) and system.capacity != 2:
        yield (
            f"periphery='left' and capacity={system.capacity} contradict each other with "
            "reduce=true and front=true: the last words could get no arc; use 'right'"
        )
    if system.reduce_periphery == "right":
        yield (
            "reduce_periphery='right' and front=true contradict each other: the front of the "
            "buffer cannot be reduced; use 'left' or 'any'"
        )


def keeping_stack_problems(system: SystemParameters) -> Iterator[str]:
    """Systems without a buffer front, with REDUCE."""
    if system.graph:
        yield "graph=true and front=false contradict each other; use front=true"
    if system.reduce_periphery == "left":
        yield (
            "reduce_periphery='left' and front=false contradict each other: the last words "
            "could not be reduced; use 'any'"
        )
    if system.reduce_periphery == "right" and not system.left.reduce:
        yield (
            "reduce_periphery='right' and left.reduce=false contradict each other: the "
            "dependent of LEFT could not be reduced; use 'any'"
        )
    if system.reduce_periphery == "right" and system.distance > 1:
        yield (
            f"reduce_periphery='right' and distance={system.distance} contradict each other: "
            "a word that has its head could stay below one that has none; use 'any'"
        )
    if (
        system.reduce_periphery == "right" and system.right.periphery == "left"
        and system.capacity != 2
    ):
        yield (
            "reduce_periphery='right' and right.periphery='left' contradict each other: a "
            "word that has its head could stay below one that has none; use 'any'"
        )


def root_problems(system: SystemParameters) -> Iterator[str]:
    """The artificial root's arc to the last word, at the end of O that it comes to."""
    sides = {"right": ("left", system.left), "left": ("right", system.right)}
    if system.root not in sides:
        return
    side, arc = sides[system.root]
    if system.front and system.keeps_dependents:
        if system.root == "left" and system.right.reduce:
            yield (
                "right.reduce=true and root='left' contradict each other with front=true: the "
                "root would become the front of the buffer; use right.reduce=false"
            )
    elif system.front:
        needed = "right" if side == "left" else "left"
        if arc.periphery != needed:
            yield (
                f"{side}.periphery='{arc.periphery}' and root='{system.root}' contradict each "
                f"other with front=true: the root could take no word; use '{needed}'"
            )
    elif arc.periphery == "left" and system.capacity != 2:
        yield (
            f"{side}.periphery='left' and root='{system.root}' contradict each other with "
            f"capacity={system.capacity}: the root could take no word; use 'right' or 'any'"
        )


def flag_problems(system: SystemParameters) -> Iterator[str]:
    """Tree constraint, non-monotonic transitions, SWAP, BREAK and roots."""
    if system.tree_constraint and not system.has_arc_eager_arcs:
        yield (
            "tree_constraint=true needs arc-eager arcs: front=true, graph=false, "
            "left.shift=false, right.reduce=false, right.shift=true and periphery='right'"
        )
    if system.tree_constraint and system.root != "none":
        yield (
            f"tree_constraint=true and root='{system.root}' contradict each other: the "
            "constraint leaves one word, which is the root; use root='none'"
        )
    if system.non_monotonic and not system.is_arc_eager:
        yield (
            "non_monotonic needs an arc-eager system: front=true, capacity=2 (distance=1), "
            "left.reduce=true, left.shift=false, right.reduce=false and right.shift=true"
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
