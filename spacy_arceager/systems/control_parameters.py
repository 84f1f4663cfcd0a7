"""Control parameters as plain data, and the transitions that follow from them.

Bohnet, McDonald, Pitler and Ma (2016, section 3.4) describe a system by a capacity K, an arc
distance D and a multiset of transitions, each with B (the dependent is reduced at once), S (a
SHIFT follows) and P (the periphery at which the transition works). We add the end flag and UNSHIFT
of Nivre and Fernández-González (2014), the non-monotonic transitions of Honnibal, Goldberg and
Johnson (2013), the SWAP of Nivre (2009), and a BREAK between sentences.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

SHIFT, LEFT, RIGHT, REDUCE = "SHIFT", "LEFT", "RIGHT", "REDUCE"
ATTACH, UNSHIFT, SWAP, BREAK = "ATTACH", "UNSHIFT", "SWAP", "BREAK"

# What each transition does, for users.
MEANINGS = {
    SHIFT: "moves the next word from the buffer onto the stack.",
    LEFT: "makes an arc from the right word of a pair to the left one.",
    RIGHT: "makes an arc from the left word of a pair to the right one.",
    REDUCE: "takes a word off the stack. In some systems a word without a head gets the word below "
    "it as its head first.",
    ATTACH: "gives a word the word below it as its head, and takes it off the stack.",
    UNSHIFT: "makes a word without a head the front of the buffer again.",
    SWAP: "puts a word of the stack back into the buffer, so that arcs can cross.",
    BREAK: "ends a sentence before the front of the buffer.",
}


@dataclass(frozen=True)
class ArcParameters:
    """How a LEFT or a RIGHT behaves.

    Attributes:
        reduce: B, the dependent leaves O at once.
        shift: S, a SHIFT follows, if there is something to shift.
        periphery: P, where among the active tokens arcs are made: with the token at the "right"
            end, with the token at the "left" end (position K), or between "any" two. The default
            of Bohnet et al. (2016) is any two ("na"); here it is "right", as most systems have
            it. With K = 2 all three make the same arc.
    """

    reduce: bool = True
    shift: bool = False
    periphery: str = "right"


@dataclass(frozen=True, repr=False)
class Transition:
    """A transition without its label.

    Positions count from the right end of O, which is 1. If a transition is anchored, they count
    from its anchor: position 1 is O[anchor].

    Attributes:
        move: the kind of the transition.
        left: position of the left word of an arc, or of the word that REDUCE takes out.
        right: position of the right word of an arc.
        reduces: B, the dependent is taken out of O.
        shifts: S, a SHIFT follows.
        anchored: whether it can be taken at several anchors.
        anchor: the position of the anchor at which it is taken.
        depth: of a REDUCE, 1 for the rightmost word that can be taken out, 2 for the next.
        variant: how it differs from other transitions that would have the same name.
    """

    move: str
    left: int = 0
    right: int = 0
    reduces: bool = False
    shifts: bool = False
    anchored: bool = False
    anchor: int = 1
    depth: int = 1
    variant: str = ""

    @property
    def is_arc(self) -> bool:
        """Whether the transition makes an arc."""
        return self.move in (LEFT, RIGHT, ATTACH)

    def at(self, anchor: int) -> "Transition":
        """The same transition at another anchor."""
        return self if anchor == self.anchor else replace(self, anchor=anchor)

    def __str__(self) -> str:
        """The usual name in papers, such as SHIFT or LEFT-ARC, and what the name does not tell.

        RIGHT-ARC-2 has an arc distance of 2, REDUCE-2 a depth of 2. LEFT-ARC[keep] is a variant.
        LEFT-ARC@3 is taken at anchor 3: it makes an arc between O[4] and O[3].
        """
        steps = self.left - self.right if self.is_arc else self.depth
        suffix = f"-{steps}" if steps > 1 else ""
        variant = f"[{self.variant}]" if self.variant else ""
        anchor = f"@{self.anchor}" if self.anchor > 1 else ""
        arc = "-ARC" if self.move in (LEFT, RIGHT) else ""
        return self.move + arc + suffix + variant + anchor

    __repr__ = __str__

    @property
    def traits(self) -> tuple[str, str, str]:
        """B, S and P of an arc in words."""
        end = "right" if self.right == 1 else "left"
        return (
            "reduce" if self.reduces else "keep",
            "shift" if self.shifts else "stay",
            "any" if self.anchored else end,
        )


@dataclass(frozen=True)
class ControlParameters:
    """A transition system as data that was not checked. SystemParameters are checked.

    Attributes:
        name: how the system is called in messages.
        capacity: K, how many tokens at the right end of O are active; null (None): all tokens are.
        distance: D, how far apart in O the two words of an arc may be; above 1 also for trees with
            crossing arcs.
        front: O[1] is the front of the buffer, O[2] the top of the stack.
        left: how LEFT behaves. A system can have several LEFTs that differ in B, S or P, or none:
            then it is a list of blocks. Only the static oracle is made for lists.
        right: how RIGHT behaves, as for left.
        shift: SHIFT can be chosen as long as there is a next word. With false it can be chosen only
            while O holds fewer tokens than fill, so that RIGHT pushes all other words.
        reduce: the system has a REDUCE of an active token that has a head. It is needed if
            dependents stay in O.
        reduce_periphery: P of REDUCE: it takes out the "left" end of the active tokens, O[1]
            ("right"), or "any" of them. The front of the buffer is never reduced.
        reduce_headless: REDUCE may take out a word without a head (for graphs).
        tree_constraint: the system has UNSHIFT, and no SHIFT once the end of the input has been
            seen, so that it builds one tree a sentence (for arc-eager).
        non_monotonic: any of "left" (LEFT may replace a head), "reduce" (REDUCE of a headless
            word attaches it to the word below it) and "unshift" (UNSHIFT of a headless word is
            also legal before the end), for arc-eager.
        labelled_reduce: the non-monotonic REDUCE is a transition ATTACH, which chooses a label.
            Otherwise the word gets the label that was stored when it was shifted.
        swap: the system has a SWAP of O[1] and O[2].
        segment: the system has a BREAK between sentences.
        graph: a word may have several heads; a word without a head is a root.
        acyclic: the arcs of a graph make no cycle.
        root: "none" (the last word left is the root), "right" or "left" (an artificial root
            behind the last or before the first word; "left" not with tree_constraint).
        fill: how many tokens O must hold before anything but SHIFT is legal; null (None): K.
    """

    name: str
    capacity: int | None
    distance: int = 1
    front: bool = False
    left: ArcParameters | tuple[ArcParameters, ...] = field(default_factory=ArcParameters)
    right: ArcParameters | tuple[ArcParameters, ...] = field(default_factory=ArcParameters)
    shift: bool = True
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

    # The arc transitions

    @property
    def lefts(self) -> tuple[ArcParameters, ...]:
        """The parameters of each LEFT."""
        return self.left if isinstance(self.left, tuple) else (self.left,)

    @property
    def rights(self) -> tuple[ArcParameters, ...]:
        """The parameters of each RIGHT."""
        return self.right if isinstance(self.right, tuple) else (self.right,)

    @property
    def has_usual_transitions(self) -> bool:
        """Whether the system has one LEFT, one RIGHT and a SHIFT that can always be chosen.

        Only the static oracles are made for other multisets of transitions.
        """
        return len(self.lefts) == len(self.rights) == 1 and self.shift

    @property
    def keeps_dependents(self) -> bool:
        """Whether some arc leaves its dependent in O."""
        return not all(arc.reduce for arc in self.lefts + self.rights)

    @property
    def arcs(self) -> set[tuple[str, int, int]]:
        """The move and the positions (left word, right word) of each arc transition."""
        return {(t.move, t.left, t.right) for t in self.transitions if t.is_arc}

    # What kind of system it is

    @property
    def is_arc_eager(self) -> bool:
        """Whether it has a front and capacity 2, LEFT reduces, and RIGHT shifts its dependent."""
        return (
            self.has_arc_eager_arcs and self.capacity == 2
            and all(arc.reduce for arc in self.lefts)
        )

    @property
    def has_arc_eager_arcs(self) -> bool:
        """Whether it is arc-eager but for the distance of its arcs and the reduction in LEFT."""
        return self.has_usual_transitions and self.shifts_dependents

    @property
    def shifts_dependents(self) -> bool:
        """Whether every RIGHT shifts its dependent, the front, and no LEFT shifts."""
        return (
            self.front and not self.graph and bool(self.rights)
            and (self.capacity == 2 or self.has_arcs_only_at("right"))
            and not any(arc.shift for arc in self.lefts)
            and all(arc.shift and not arc.reduce for arc in self.rights)
        )

    def has_arcs_only_at(self, periphery: str) -> bool:
        """Whether all arcs are made at this periphery."""
        return all(arc.periphery == periphery for arc in self.lefts + self.rights)

    @property
    def has_arcs_anywhere(self) -> bool:
        """Whether some arc is made between any two active tokens."""
        return any(arc.periphery == "any" for arc in self.lefts + self.rights)

    @property
    def unshifts_early(self) -> bool:
        """Whether UNSHIFT is also legal before the end of the input (Honnibal and Johnson 2015)."""
        return "unshift" in self.non_monotonic

    @property
    def is_projective(self) -> bool:
        """Whether the system derives no tree with crossing arcs."""
        return not self.swap and self.distance == 1

    @property
    def reduces_at_once(self) -> bool:
        """Whether one LEFT and one RIGHT take their dependent out and do nothing else."""
        return self.has_usual_transitions and not self.keeps_dependents and not any(
            arc.shift for arc in self.lefts + self.rights
        )

    @property
    def is_arc_hybrid(self) -> bool:
        """Whether it has a front, LEFT(2, 1) and RIGHT(3, 2), which reduce, and no other arcs."""
        return self.front and self.reduces_at_once and self.arcs == {
            (LEFT, 2, 1), (RIGHT, 3, 2)
        }

    @property
    def is_arc_standard(self) -> bool:
        """Whether it has no front, LEFT(2, 1) and RIGHT(2, 1), which reduce, and no other arcs."""
        return not self.front and self.reduces_at_once and self.arcs == {
            (LEFT, 2, 1), (RIGHT, 2, 1)
        } and not self.is_anchored

    @property
    def is_anchored(self) -> bool:
        """Whether some transition can be taken at any active token."""
        return any(transition.anchored for transition in self.transitions)

    @property
    def fills_at_once(self) -> bool:
        """Whether all words are in O from the start."""
        return self.capacity is None and self.fill is None

    # The transitions

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """All transitions, unlabelled, at anchor 1, in a fixed order."""
        has_shift = not self.fills_at_once or self.root == "right" or self.swap
        result = [Transition(SHIFT)] if has_shift else []
        arcs = [t for arc in self.lefts for t in self.arcs_of(LEFT, arc)]
        arcs += [t for arc in self.rights for t in self.arcs_of(RIGHT, arc)]
        # Two peripheries share the arc between the left and the right end.
        result.extend(told_apart(dict.fromkeys(arcs)))
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

    def arcs_of(self, move: str, arc: ArcParameters) -> list[Transition]:
        """One LEFT or RIGHT for each distance."""
        distances = range(1, self.distance + 1)
        if arc.periphery == "left":
            assert self.capacity is not None
            ends = [(self.capacity, self.capacity - steps) for steps in distances]
        else:
            ends = [(1 + steps, 1) for steps in distances]
        anchored = arc.periphery == "any"
        return [Transition(move, *pair, arc.reduce, arc.shift, anchored) for pair in ends]

    @property
    def reductions(self) -> list[Transition]:
        """A REDUCE for each position, or an anchored one if the arcs of the system are anchored."""
        if self.reduce_periphery == "any" and self.has_arcs_anywhere:
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


def told_apart(arcs: Iterable[Transition]) -> list[Transition]:
    """The same arcs, where several of one name have a variant that says how they differ."""
    by_name = defaultdict(list)
    for transition in arcs:
        by_name[str(transition)].append(transition)
    result = []
    for group in by_name.values():
        differing = [len(set(values)) > 1 for values in zip(*(t.traits for t in group))]
        for t in group:
            words = [word for word, differs in zip(t.traits, differing) if differs]
            result.append(replace(t, variant=",".join(words)) if words else t)
    return result
