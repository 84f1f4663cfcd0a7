"""Control parameters: what makes one transition system different from another.

Bohnet, McDonald, Pitler and Ma (2016, section 3.4) describe a system by a capacity
K, an arc distance D and, for each transition, B (the dependent is reduced at once),
S (a SHIFT follows) and P (the periphery it works on). We add the end flag and
UNSHIFT of Nivre and Fernández-González (2014), the non-monotonic transitions of
Honnibal, Goldberg and Johnson (2013), the SWAP of Nivre (2009) and a BREAK between
sentences.
"""

from dataclasses import dataclass, field, replace

from .contradictions import find_contradiction

SHIFT, LEFT, RIGHT, REDUCE = "SHIFT", "LEFT", "RIGHT", "REDUCE"
ATTACH, UNSHIFT, SWAP, BREAK = "ATTACH", "UNSHIFT", "SWAP", "BREAK"


class ParameterError(ValueError):
    """Control parameters that contradict each other; the message names them."""


@dataclass(frozen=True)
class ArcParameters:
    """How LEFT or RIGHT behaves.

    reduce: B, the dependent leaves the operative tokens at once.
    shift: S, a SHIFT follows, if there is something to shift.
    periphery: P, where among the active tokens arcs are made: with the token at the
        "right" end, with that at the "left" end (position K), or between "any" two.
    """

    reduce: bool = True
    shift: bool = False
    periphery: str = "right"


@dataclass(frozen=True, repr=False)
class Transition:
    """A basic transition at positions in O, counted from its right end (1, 2, ...).

    For LEFT and RIGHT `left` and `right` are the positions of the left and the right
    word of the arc; REDUCE takes out the word at position `left`. Where a transition is
    `anchored`, positions count from the anchor: 1 is O[anchor]. The `depth` of a REDUCE is
    1 for the rightmost word that can be taken out, 2 for the next.
    """

    move: str
    left: int = 0
    right: int = 0
    reduces: bool = False
    shifts: bool = False
    anchored: bool = False
    anchor: int = 1
    depth: int = 1

    @property
    def is_arc(self) -> bool:
        return self.move in (LEFT, RIGHT, ATTACH)

    def at(self, anchor: int) -> "Transition":
        """The same transition at another anchor."""
        return replace(self, anchor=anchor)

    def __str__(self) -> str:
        """The field's name of it: SHIFT, LEFT-ARC, RIGHT-ARC-2 (arc distance 2), REDUCE-2
        (depth 2), ...

        An anchor other than 1 follows: LEFT-ARC@3 makes an arc between O[4] and O[3].
        """
        steps = self.left - self.right if self.is_arc else self.depth
        suffix = f"-{steps}" if steps > 1 else ""
        anchor = f"@{self.anchor}" if self.anchor > 1 else ""
        arc = "-ARC" if self.move in (LEFT, RIGHT) else ""
        return self.move + arc + suffix + anchor

    __repr__ = __str__


@dataclass(frozen=True)
class SystemParameters:
    """A transition system as data.

    name: how the system is called in messages.
    capacity: K, how many operative tokens are active; None for all of them.
    distance: D, how far apart in O the two words of an arc may be.
    front: O[1] is the front of the buffer, O[2] the top of the stack.
    left, right: the parameters of LEFT and RIGHT.
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

    Raises ParameterError, naming two parameters, where they contradict each other.
    """

    name: str
    capacity: int | None
    distance: int = 1
    front: bool = False
    left: ArcParameters = field(default_factory=ArcParameters)
    right: ArcParameters = field(default_factory=ArcParameters)
    reduce: bool = False
    reduce_periphery: str = "left"
    reduce_headless: bool = False
    tree_constraint: bool = False
    non_monotonic: tuple[str, ...] = ()
    labelled_reduce: bool = False
    swap: bool = False
    segment: bool = False
    graph: bool = False
    acyclic: bool = True
    root: str = "none"
    fill: int | None = 2

    def __post_init__(self) -> None:
        problem = find_contradiction(self)
        if problem is not None:
            raise ParameterError(f"Transition system '{self.name}': {problem}")

    @property
    def keeps_dependents(self) -> bool:
        """Some arc leaves its dependent in O."""
        return not (self.left.reduce and self.right.reduce)

    @property
    def is_arc_eager(self) -> bool:
        """Front, capacity 2, LEFT reduces and RIGHT shifts its dependent."""
        return self.has_arc_eager_arcs and self.capacity == 2 and self.left.reduce

    @property
    def has_arc_eager_arcs(self) -> bool:
        """Arc-eager, its arcs over any distance, its LEFT with or without a reduction."""
        at_front = self.capacity == 2 or self.left.periphery == self.right.periphery == "right"
        return (
            self.front and not self.graph and at_front and not self.left.shift
            and not self.right.reduce and self.right.shift
        )

    @property
    def is_projective(self) -> bool:
        """No tree with crossing arcs can be derived."""
        return not self.swap and self.distance == 1

    @property
    def is_arc_hybrid(self) -> bool:
        """Front; LEFT(2, 1) and RIGHT(3, 2) reduce, and there are no other arcs."""
        return self.front and not self.keeps_dependents and self.arcs == {
            (LEFT, 2, 1), (RIGHT, 3, 2)
        }

    @property
    def is_arc_standard(self) -> bool:
        """No front; LEFT(2, 1) and RIGHT(2, 1) reduce, and there are no other arcs."""
        return not self.front and not self.keeps_dependents and self.arcs == {
            (LEFT, 2, 1), (RIGHT, 2, 1)
        } and not self.is_anchored

    @property
    def arcs(self) -> set[tuple[str, int, int]]:
        """Move and positions (left word, right word) of each arc transition."""
        return {(t.move, t.left, t.right) for t in self.transitions if t.is_arc}

    @property
    def is_anchored(self) -> bool:
        """Some transition can be taken at any anchor of the active tokens."""
        return any(transition.anchored for transition in self.transitions)

    @property
    def fills_at_once(self) -> bool:
        """All words are in O from the start."""
        return self.capacity is None and self.fill is None

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """All transitions, unlabelled, at anchor 1, in a fixed order."""
        has_shift = not self.fills_at_once or self.root == "right" or self.swap
        result = [Transition(SHIFT)] if has_shift else []
        for move, arc in ((LEFT, self.left), (RIGHT, self.right)):
            for left, right in arc_positions(self.capacity, self.distance, arc.periphery):
                result.append(
                    Transition(
                        move, left, right, arc.reduce, arc.shift, arc.periphery == "any"
                    )
                )
        if self.reduce:
            result.extend(self.reductions)
        if self.labelled_reduce:
            result.append(Transition(ATTACH, 3, 2, reduces=True))
        if self.tree_constraint:
            result.append(Transition(UNSHIFT))
        if self.swap:
            result.append(Transition(SWAP))
        if self.segment:
            result.append(Transition(BREAK))
        return tuple(result)

    @property
    def reductions(self) -> list[Transition]:
        """REDUCE at each position where it works; at an anchor where arcs have several."""
        if self.reduce_periphery == "any" and "any" in (
            self.left.periphery, self.right.periphery
        ):
            return [Transition(REDUCE, left=1, anchored=True)]
        if self.reduce_periphery == "right":
            return [Transition(REDUCE, left=1)]
        assert self.capacity is not None
        if self.reduce_periphery == "left":
            return [Transition(REDUCE, left=self.capacity)]
        first = 1 + self.front
        return [
            Transition(REDUCE, left=position, depth=position - first + 1)
            for position in range(first, self.capacity + 1)
        ]


def arc_positions(
    capacity: int | None, distance: int, periphery: str
) -> list[tuple[int, int]]:
    """Pairs of positions (left word, right word) between which arcs are made."""
    reach = range(1, (distance if capacity is None else min(distance, capacity - 1)) + 1)
    if periphery == "left":
        assert capacity is not None
        return [(capacity, capacity - d) for d in reach]
    return [(1 + d, 1) for d in reach]
