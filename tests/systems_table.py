"""One table of systems; the generic tests run through all of its rows."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from spacy_arceager.oracles.registry import oracles_for
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    custom_system,
    easy_first,
)

PROJECTIVE = {1: 1, 2: 2, 3: 7, 4: 30, 5: 143}
ALL = {1: 1, 2: 2, 3: 9, 4: 64, 5: 625}


class Row(NamedTuple):
    name: str
    parameters: SystemParameters
    trees: dict[int, int]            # how many trees of n words can be derived
    steps: tuple[int, int, int]      # at most a * n * n + b * n + c transitions
    exact: tuple[str, ...] = ()      # oracles that are exact for projective gold trees
    one_tree: bool = True            # every output is one tree with one root

    @property
    def oracles(self) -> tuple[str, ...]:
        """The oracles that are defined everywhere, the best one first."""
        if self.parameters.is_arc_eager and self.exact:
            return tuple(dict.fromkeys((*self.exact, "dynamic")))
        return self.exact or tuple({"lookahead"}.intersection(oracles_for(self.parameters)))

    @property
    def is_projective(self) -> bool:
        return self.trees == PROJECTIVE

    def most_steps(self, n: int) -> int:
        a, b, c = self.steps
        return a * n * n + b * n + c


NON_MONOTONIC = {"": [], "+NM-L": ["left"], "+NM-D": ["reduce"], "+NM-L+D": ["left", "reduce"]}
UNSHIFT = {"+NM-U": ["unshift"], "+NM-L+U": ["left", "unshift"],
           "+NM-L+D+U": ["left", "reduce", "unshift"]}
ROOTS = ("none", "right", "left")
TREE_ROOTS = {"none": ("", -3), "right": (", root right", -2)}
LINEAR, QUADRATIC = (0, 2), (1, 1)
NEVER_SHIFTS = (0, 1)

ATTARDI_2 = {**ALL, 4: 59, 5: 475}
ATTARDI_3 = {**ALL, 4: 62, 5: 563}
DISTANCE_2 = {**ALL, 4: 60, 5: 509}
WINDOW_3 = {**DISTANCE_2, 5: 501}
DISTANCE_3 = {**ALL, 5: 613}
ARC_EAGER_2 = {**ALL, 4: 59, 5: 482}
ARC_EAGER_3 = {**ALL, 4: 62, 5: 569}
ARC_EAGER_PLAIN_2 = {**ALL, 3: 8, 4: 48, 5: 362}
ARC_EAGER_PLAIN_LEFT_2 = {**ALL, 3: 8, 4: 49, 5: 378}
KEPT_2 = {**ALL, 4: 62, 5: 547}
STACK_2 = {**ALL, 5: 595}


def plain_row(name: str, moves: list[str], root: str, labelled: bool = False) -> Row:
    """Arc-eager in which words left over are all roots."""
    system = arc_eager(False, moves, root, labelled_reduce=labelled)
    return Row(name, system, PROJECTIVE, (0, 2, 0), ("dynamic",), one_tree=False)


def tree_rows(name: str, moves: list[str], labelled: bool = False) -> Iterator[Row]:
    """Arc-eager under the tree constraint."""
    for root, (suffix, last_steps) in TREE_ROOTS.items():
        system = arc_eager(True, moves, root, labelled_reduce=labelled)
        # No oracle is made for UNSHIFT before the end alone.
        exact = () if moves == ["unshift"] else ("exact",)
        yield Row(name + suffix, system, PROJECTIVE, (0, 4, last_steps), exact)


def arc_eager_rows() -> Iterator[Row]:
    for root in ROOTS:
        for suffix, moves in NON_MONOTONIC.items():
            if root == "right" or "reduce" not in moves:
                yield plain_row(f"plain, root {root}{suffix}", moves, root)
    for suffix, moves in {**NON_MONOTONIC, **UNSHIFT}.items():
        yield from tree_rows(f"tree{suffix}", moves)
    for suffix, moves in NON_MONOTONIC.items():
        if "reduce" in moves:
            yield plain_row(f"plain, root right{suffix}, labelled", moves, "right", True)
            yield from tree_rows(f"tree{suffix}, labelled", moves, True)


def reducing_rows(root: str) -> Iterator[Row]:
    """Systems in which every dependent is reduced at once."""
    stack = {"none": -1, "left": 0, "right": 1}[root]
    hybrid = {"none": -1, "left": 0, "right": 0}[root]

    def row(
        name: str,
        system: SystemParameters,
        trees: dict[int, int],
        steps: tuple[int, int],
        last_steps: int = stack,
        exact: tuple[str, ...] = (),
    ) -> Row:
        return Row(f"{name}, root {root}", system, trees, (*steps, last_steps), exact)

    yield row("arc-standard", arc_standard(root=root), PROJECTIVE, LINEAR, exact=("exact",))
    yield row("arc-standard+SWAP", arc_standard(True, root), ALL, QUADRATIC)
    yield row(
        "arc-hybrid", arc_hybrid(root=root), PROJECTIVE, LINEAR, hybrid,
        ("exact",),
    )
    yield row("arc-hybrid+SWAP", arc_hybrid(True, root), ALL, QUADRATIC, hybrid)
    for degree, trees in ((1, PROJECTIVE), (2, ATTARDI_2), (3, ATTARDI_3)):
        exact = ("exact",) if degree == 1 else ()
        yield row(f"Attardi {degree}", attardi(degree, root), trees, LINEAR, exact=exact)
    for distance, trees in ((1, PROJECTIVE), (2, DISTANCE_2), (3, DISTANCE_3)):
        yield row(
            f"easy-first, D={distance}", easy_first(None, distance, root), trees,
            NEVER_SHIFTS, exact=("exact",),
        )
    for capacity in (3, 4):
        for distance, trees in ((1, PROJECTIVE), (2, {3: WINDOW_3, 4: DISTANCE_2}[capacity])):
            for fill in (None, 2):
                system = replace(easy_first(capacity, distance, root), fill=fill)
                name = f"easy-first, K={capacity}, D={distance}, fill={fill}"
                yield row(name, system, trees, LINEAR)


def stack_rows(root: str) -> Iterator[Row]:
    """Systems without a buffer front in which every dependent stays until a REDUCE."""
    last_steps = {"none": -2, "left": 0, "right": 1}[root]
    for distance, trees in ((1, PROJECTIVE), (2, STACK_2)):
        name = f"kept on the stack, D={distance}, root {root}"
        yield Row(name, kept_on_stack(distance, root), trees, (0, 3, last_steps))


def kept_on_stack(distance: int, root: str = "none", segment: bool = False) -> SystemParameters:
    kept = {"reduce": False}
    return custom_system(
        distance + 1, distance, left=kept, right=kept, reduce=True, reduce_periphery="any",
        root=root, segment=segment,
    )


def distance_rows() -> Iterator[Row]:
    """Arc-eager with arcs over other words."""
    for distance, trees in ((2, ARC_EAGER_2), (3, ARC_EAGER_3)):
        for root, (suffix, last_steps) in TREE_ROOTS.items():
            system = arc_eager(root=root, distance=distance)
            yield Row(f"tree, D={distance}{suffix}", system, trees, (0, 4, last_steps))
            kept = replace(system, left=replace(system.left, reduce=False))
            trees_kept = {2: KEPT_2, 3: ALL}[distance]
            name = f"tree, D={distance}, LEFT keeps{suffix}"
            # Under a root LEFT keeps the last word as well, which waits for its REDUCE.
            last = {"none": -3, "right": 0}[root]
            yield Row(name, kept, trees_kept, (0, 4, last))
    for root in ROOTS:
        plain = arc_eager(False, root=root, distance=2)
        trees = ARC_EAGER_PLAIN_LEFT_2 if root == "left" else ARC_EAGER_PLAIN_2
        yield Row(f"plain, D=2, root {root}", plain, trees, (0, 2, 0), one_tree=False)


ARC_EAGER = list(arc_eager_rows())
SYSTEMS = [
    *ARC_EAGER,
    *distance_rows(),
    *(row for root in ROOTS for rows in (reducing_rows, stack_rows) for row in rows(root)),
]
