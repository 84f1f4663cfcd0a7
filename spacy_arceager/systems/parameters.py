"""Control parameters: what makes one transition system different from another.

Bohnet, McDonald, Pitler and Ma (2016, section 3.4) describe a system by a capacity
K, an arc distance D and, for each transition, B (the dependent is reduced at once),
S (a SHIFT follows) and P (the periphery it works on). We add the end flag and
UNSHIFT of Nivre and Fernández-González (2014) and the non-monotonic transitions of
Honnibal, Goldberg and Johnson (2013).
"""

from dataclasses import dataclass, field

ROOTS = ("none", "right")
PERIPHERIES = ("left", "right")
NON_MONOTONIC = ("left", "reduce")
SHIFT, LEFT, RIGHT, REDUCE, UNSHIFT = "SHIFT", "LEFT", "RIGHT", "REDUCE", "UNSHIFT"


class ParameterError(ValueError):
    """Control parameters that contradict each other; the message names them."""


@dataclass(frozen=True)
class ArcParameters:
    """How LEFT or RIGHT behaves.

    reduce: B, the dependent leaves the operative tokens at once.
    shift: S, a SHIFT follows.
    periphery: P, the end of the active tokens that the arc must touch.
    """

    reduce: bool = True
    shift: bool = False
    periphery: str = "right"


@dataclass(frozen=True, repr=False)
class Transition:
    """A basic transition at fixed positions in O, counted from its right end (1, 2, ...).

    For LEFT and RIGHT `left` and `right` are the positions of the left and the right
    word of the arc; REDUCE takes out the word at position `left`.
    """

    move: str
    left: int = 0
    right: int = 0
    reduces: bool = False
    shifts: bool = False

    @property
    def is_arc(self) -> bool:
        return self.move in (LEFT, RIGHT)

    def __str__(self) -> str:
        """The field's name of it: SHIFT, LEFT-ARC, RIGHT-ARC-2 (arc distance 2), ..."""
        distance = self.left - self.right
        suffix = f"-{distance}" if self.is_arc and distance > 1 else ""
        return self.move + ("-ARC" if self.is_arc else "") + suffix

    __repr__ = __str__


@dataclass(frozen=True)
class SystemParameters:
    """A transition system as data.

    name: how the system is called in messages.
    capacity: K, how many operative tokens are active.
    distance: D, how far apart in O the two words of an arc may be.
    front: O[1] is the front of the buffer, O[2] the top of the stack.
    left, right: the parameters of LEFT and RIGHT.
    reduce: there is a REDUCE of the leftmost active token.
    tree_constraint: UNSHIFT, and no SHIFT once the end of the input has been seen.
    non_monotonic: any of "left" (LEFT may replace a head) and "reduce" (REDUCE of a
        headless word attaches it to the word below it).
    root: "none" (the last word left is the root) or "right" (an artificial root
        behind the last word).

    Raises ParameterError, naming two parameters, where they contradict each other.
    """

    name: str
    capacity: int
    distance: int = 1
    front: bool = False
    left: ArcParameters = field(default_factory=ArcParameters)
    right: ArcParameters = field(default_factory=ArcParameters)
    reduce: bool = False
    tree_constraint: bool = False
    non_monotonic: tuple[str, ...] = ()
    root: str = "none"

    def __post_init__(self) -> None:
        problem = find_contradiction(self)
        if problem is not None:
            raise ParameterError(f"Transition system '{self.name}': {problem}")

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """All transitions, unlabelled, in a fixed order."""
        result = [Transition(SHIFT)]
        for move, arc in ((LEFT, self.left), (RIGHT, self.right)):
            for left, right in arc_positions(self.capacity, self.distance, arc.periphery):
                result.append(Transition(move, left, right, arc.reduce, arc.shift))
        if self.reduce:
            result.append(Transition(REDUCE, left=self.capacity))
        if self.tree_constraint:
            result.append(Transition(UNSHIFT))
        return tuple(result)


def arc_positions(capacity: int, distance: int, periphery: str) -> list[tuple[int, int]]:
    """Pairs of positions (left word, right word) between which arcs are made."""
    reach = range(1, min(distance, capacity - 1) + 1)
    if periphery == "right":
        return [(1 + d, 1) for d in reach]
    return [(capacity, capacity - d) for d in reach]


def find_contradiction(system: SystemParameters) -> str | None:
    """The first problem with the parameters, in words, or None."""
    eager = not system.right.reduce
    if system.capacity < 2:
        return f"capacity={system.capacity} leaves no two words for an arc; use 2 or more"
    if not 1 <= system.distance < system.capacity:
        return (
            f"distance={system.distance} does not fit capacity={system.capacity}; "
            "use 1 <= distance < capacity"
        )
    if system.root not in ROOTS:
        return f"root='{system.root}' is unknown; use one of {', '.join(ROOTS)}"
    for arc in (system.left, system.right):
        if arc.periphery not in PERIPHERIES:
            return f"periphery='{arc.periphery}' is unknown; use {' or '.join(PERIPHERIES)}"
    unknown = set(system.non_monotonic) - set(NON_MONOTONIC)
    if unknown:
        return (
            f"non_monotonic={sorted(unknown)} is unknown; use any of "
            f"{', '.join(NON_MONOTONIC)}"
        )
    if eager and not system.left.reduce:
        return "left.reduce=false and right.reduce=false: a word could get two heads"
    if eager and system.capacity != 2:
        return f"capacity={system.capacity} and right.reduce=false: an arc-eager system has 2"
    if eager and "left" in (system.left.periphery, system.right.periphery):
        return "periphery='left' has no meaning with capacity=2; use 'right'"
    if eager and not system.reduce:
        return "right.reduce=false needs reduce=true, or dependents are never taken out"
    if not eager and system.reduce:
        return "reduce=true has nothing to do with right.reduce=true"
    if system.tree_constraint and not (system.front and eager):
        return "tree_constraint=true needs front=true and right.reduce=false"
    if system.tree_constraint and system.root != "none":
        return (
            f"tree_constraint=true and root='{system.root}' contradict each other: the "
            "constraint leaves one word, which is the root; use root='none'"
        )
    if system.non_monotonic and not (system.front and eager):
        return "non_monotonic needs front=true and right.reduce=false"
    if (
        "reduce" in system.non_monotonic
        and system.root == "none"
        and not system.tree_constraint
    ):
        return (
            "non_monotonic=['reduce'] and root='none' contradict each other: parsing stops "
            "at the end of the input, before the repair; use root='right' or "
            "tree_constraint=true"
        )
    return None
